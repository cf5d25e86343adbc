import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandTool } from '../../src-main/tools/contract'
import { type CallInput, call } from '../api/client'
import { rebase } from '../app/rebase'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { CommandTest } from './command-test'
import { type Field, FieldRows, recordOf, rowsOf, secretsOf } from './field-rows'
import { TextRow, TextRows } from './form-rows'
import { changeTools, useTools } from './tool-store'
import { closeToolDialog, endToolDialog, openToolDialog, useToolView } from './tool-view-store'

/** Adds or edits a command, and runs it once to see what comes out. */
export function CommandDialog() {
  const dialog = useToolView((state) => state.dialog)
  if (dialog?.kind !== 'command') return null
  return <OpenDialog key={dialog.command?.id ?? ''} command={dialog.command} />
}

interface Fields {
  name: string
  description: string
  /** One element a line. */
  argv: string
  schema: string
  workingFolder: string
  rows: Field[]
  timeoutSeconds: string
  outputLimitBytes: string
}

const fieldsOf = (command: CommandTool | null): Fields => ({
  name: command?.name ?? '',
  description: command?.description ?? '',
  argv: command?.argv.join('\n') ?? '',
  schema: JSON.stringify(command?.schema ?? { type: 'object', properties: {} }, null, 2),
  workingFolder: command?.workingFolder ?? '',
  rows: rowsOf(command?.env ?? {}, command?.secretNames ?? []),
  timeoutSeconds: String(command?.timeoutSeconds ?? 30),
  outputLimitBytes: String(command?.outputLimitBytes ?? 200_000),
})

function inputOf(fields: Fields, schema: unknown, command: CommandTool | null): CallInput<'commands.save'> {
  return {
    ...(command ? { id: command.id, enabled: command.enabled } : {}),
    name: fields.name.trim(),
    description: fields.description.trim(),
    argv: fields.argv.split('\n').filter((line, at) => line !== '' || at === 0),
    schema,
    workingFolder: fields.workingFolder.trim() || null,
    env: recordOf(fields.rows),
    secretNames: secretsOf(fields.rows),
    timeoutSeconds: Number(fields.timeoutSeconds),
    outputLimitBytes: Number(fields.outputLimitBytes),
  }
}

function parsed(text: string): { schema?: unknown; error: string } {
  try {
    return { schema: JSON.parse(text), error: '' }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function OpenDialog({ command }: { command: CommandTool | null }) {
  const { t } = useTranslation(['tools', 'common'])
  const [base] = useState(() => fieldsOf(command))
  const [fields, setFields] = useState(base)
  const change = (patch: Partial<Fields>) => setFields((now) => ({ ...now, ...patch }))
  const { error } = parsed(fields.schema)
  const dirty = JSON.stringify(fields) !== JSON.stringify({ ...fieldsOf(command), rows: fields.rows })
  const complete = fields.name.trim() !== '' && fields.argv.trim() !== '' && error === ''
  const save = async (close: boolean) => {
    const { dialog } = useToolView.getState()
    let saved: CommandTool | null = null
    const done = await changeTools(async () => {
      // what another window saved while this form was open stays
      const stored = command && useTools.getState().commands.find(({ id }) => id === command.id)
      const now = stored ? rebase(base, fields, fieldsOf(stored)) : fields
      saved = await call('commands.save', inputOf(now, parsed(now.schema).schema, stored ?? command))
    })
    if (done && endToolDialog(dialog) && !close) openToolDialog({ kind: 'command', command: saved })
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && closeToolDialog()}
      title={command ? t('command.edit', { name: command.name }) : t('add.command')}
      width={640}
      footer={
        <>
          <span className="grow" />
          <Button tone="ghost" onClick={closeToolDialog}>
            {t('common:cancel')}
          </Button>
          {!command && (
            <Button disabled={!complete} onClick={() => void save(false)}>
              {t('command.saveTest')}
            </Button>
          )}
          <Button tone="primary" disabled={!complete} onClick={() => void save(true)}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      <CommandFields fields={fields} onChange={change} schemaError={error} />
      {command && <CommandTest command={command} unsaved={dirty} />}
    </Dialog>
  )
}

interface CommandFieldsProps {
  fields: Fields
  onChange(patch: Partial<Fields>): void
  schemaError: string
}

function CommandFields({ fields, onChange, schemaError }: CommandFieldsProps) {
  const { t } = useTranslation('tools')
  return (
    <div className="mform">
      <TextRow
        label={t('command.name')}
        help={t('command.nameHelp')}
        mono
        value={fields.name}
        onValue={(name) => onChange({ name })}
      />
      <TextRows
        label={t('detail.description')}
        help={t('detail.help')}
        rows={2}
        growTo={140}
        value={fields.description}
        onValue={(description) => onChange({ description })}
      />
      <TextRows
        label={t('command.argv')}
        help={t('command.argvHelp')}
        code
        rows={3}
        growTo={160}
        placeholder={'git\nlog\n--max-count={count}'}
        value={fields.argv}
        onValue={(argv) => onChange({ argv })}
      />
      <TextRows
        label={t('command.schema')}
        help={t('command.schemaHelp')}
        error={schemaError}
        code
        rows={4}
        growTo={200}
        value={fields.schema}
        onValue={(schema) => onChange({ schema })}
      />
      <TextRow
        label={t('form.cwd')}
        help={t('command.folderHelp')}
        mono
        value={fields.workingFolder}
        onValue={(workingFolder) => onChange({ workingFolder })}
      />
      <div className="two">
        <TextRow
          label={t('command.timeout')}
          figures
          value={fields.timeoutSeconds}
          onValue={(timeoutSeconds) => onChange({ timeoutSeconds })}
        />
        <TextRow
          label={t('command.limit')}
          figures
          value={fields.outputLimitBytes}
          onValue={(outputLimitBytes) => onChange({ outputLimitBytes })}
        />
      </div>
      <div className="f">
        <span className="fl">{t('form.env')}</span>
        <FieldRows rows={fields.rows} onRows={(rows) => onChange({ rows })} secrets />
      </div>
    </div>
  )
}
