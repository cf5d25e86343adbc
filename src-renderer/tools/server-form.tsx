import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpServer } from '../../src-main/tools/contract'
import { type CallInput, call } from '../api/client'
import { rebase } from '../app/rebase'
import { Button } from '../ui/button'
import { Checkbox } from '../ui/field'
import { Segmented } from '../ui/toggle'
import { type Field, FieldRows, recordOf, rowsOf, secretsOf } from './field-rows'
import { TextRow, TextRows } from './form-rows'
import { changeTools, useTools } from './tool-store'
import { closeToolDialog, endToolDialog, openToolView, useToolView } from './tool-view-store'

interface Fields {
  name: string
  kind: 'stdio' | 'http'
  command: string
  /** One argument a line. */
  args: string
  cwd: string
  url: string
  rows: Field[]
  selectedForChat: boolean
}

function fieldsOf(server: McpServer | null): Fields {
  const transport = server?.transport
  const stdio = transport?.kind === 'stdio' ? transport : undefined
  const http = transport?.kind === 'http' ? transport : undefined
  return {
    name: server?.name ?? '',
    kind: transport?.kind ?? 'stdio',
    command: stdio?.command ?? '',
    args: stdio?.args.join('\n') ?? '',
    cwd: stdio?.cwd ?? '',
    url: http?.url ?? '',
    rows: rowsOf(stdio?.env ?? http?.headers ?? {}, server?.secretNames ?? []),
    selectedForChat: server?.selectedForChat ?? true,
  }
}

function inputOf(fields: Fields, server: McpServer | null): CallInput<'mcp.save'> {
  const { name, kind, command, args, cwd, url, rows, selectedForChat } = fields
  return {
    ...(server ? { id: server.id } : {}),
    name: name.trim(),
    selectedForChat,
    secretNames: secretsOf(rows),
    transport:
      kind === 'http'
        ? { kind, url: url.trim(), headers: recordOf(rows) }
        : {
            kind,
            command: command.trim(),
            args: args === '' ? [] : args.split('\n'),
            env: recordOf(rows),
            ...(cwd.trim() ? { cwd: cwd.trim() } : {}),
          },
  }
}

/** One server by its fields. Saving starts it, so that what is wrong shows at once. */
export function ServerForm({ server }: { server: McpServer | null }) {
  const { t } = useTranslation(['tools', 'common'])
  const [base] = useState(() => fieldsOf(server))
  const [fields, setFields] = useState(base)
  const [busy, setBusy] = useState(false)
  const change = (patch: Partial<Fields>) => setFields((now) => ({ ...now, ...patch }))
  const complete = fields.name.trim() && (fields.kind === 'http' ? fields.url.trim() : fields.command.trim())
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const { dialog } = useToolView.getState()
    let id = ''
    const done = await changeTools(async () => {
      // what another window saved while this form was open stays
      const stored = server && useTools.getState().servers.find((each) => each.id === server.id)
      const now = stored ? rebase(base, fields, fieldsOf(stored)) : fields
      const saved = await call('mcp.save', inputOf(now, server))
      id = saved.id
      if (saved.enabled) await call('mcp.restart', { id }).catch(() => undefined)
    })
    setBusy(false)
    if (done && endToolDialog(dialog)) openToolView(id)
  }
  return (
    <form className="mform" onSubmit={(event) => void save(event)}>
      <div className="two">
        <TextRow label={t('form.name')} value={fields.name} onValue={(name) => change({ name })} />
        <div className="f">
          <span className="fl">{t('form.kind')}</span>
          <div>
            <Segmented
              label={t('form.kind')}
              value={fields.kind}
              onValue={(kind: Fields['kind']) => change({ kind })}
              options={[
                { value: 'stdio', label: t('form.stdio') },
                { value: 'http', label: t('form.http') },
              ]}
            />
          </div>
        </div>
      </div>
      {fields.kind === 'http' ? (
        <TextRow
          label={t('form.url')}
          mono
          placeholder="https://…/mcp"
          value={fields.url}
          onValue={(url) => change({ url })}
        />
      ) : (
        <StdioFields fields={fields} onChange={change} />
      )}
      <div className="f">
        <span className="fl">{fields.kind === 'http' ? t('form.headers') : t('form.env')}</span>
        <FieldRows rows={fields.rows} onRows={(rows) => change({ rows })} secrets />
      </div>
      <Checkbox
        label={t('server.selected')}
        checked={fields.selectedForChat}
        onValue={(selectedForChat) => change({ selectedForChat })}
      />
      <div className="row">
        <span className="grow" />
        <Button tone="ghost" onClick={closeToolDialog}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" tone="primary" disabled={busy || !complete}>
          {busy ? t('server.testing') : t('form.saveTest')}
        </Button>
      </div>
    </form>
  )
}

function StdioFields({ fields, onChange }: { fields: Fields; onChange(patch: Partial<Fields>): void }) {
  const { t } = useTranslation('tools')
  return (
    <>
      <TextRow
        label={t('form.command')}
        mono
        placeholder="npx"
        value={fields.command}
        onValue={(command) => onChange({ command })}
      />
      <TextRows
        label={t('form.args')}
        help={t('form.argsHelp')}
        code
        rows={3}
        growTo={160}
        value={fields.args}
        onValue={(args) => onChange({ args })}
      />
      <TextRow label={t('form.cwd')} mono value={fields.cwd} onValue={(cwd) => onChange({ cwd })} />
    </>
  )
}
