import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MEMORY_KINDS, type Memory, type MemoryKind } from '../../../src-main/context/memory/contract'
import { CallError, call } from '../../api/client'
import { langOf } from '../../i18n/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Labelled, TextArea, TextField } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { showError, showToast } from '../../ui/toast'
import { Segmented } from '../../ui/toggle'
import { closeMemoryForm, endMemoryForm, type FormStart, useMemoryForm } from './memory-form-store'
import { loadMemories, loadMemoryFacts } from './memory-store'

/** Adds or edits one memory. Stands once in the window. */
export function MemoryForm() {
  const { start, opened } = useMemoryForm()
  if (!start) return null
  return <OpenForm key={opened} start={start} />
}

interface Fields {
  text: string
  kind: MemoryKind
  importance: number
  confidence: number
  entities: string
  /** `YYYY-MM-DDTHH:mm` in local time, '' = none. */
  validFrom: string
  validUntil: string
}

function fieldsOf({ memory, text = '' }: FormStart): Fields {
  return {
    text: memory?.text ?? text,
    kind: memory?.kind ?? 'fact',
    importance: memory?.importance ?? 0.5,
    confidence: memory?.confidence ?? 1,
    entities: memory?.entities.join(', ') ?? '',
    validFrom: localTime(memory?.validFrom),
    validUntil: localTime(memory?.validUntil),
  }
}

/** What a `datetime-local` field shows for a moment. */
export function localTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const moment = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())

function OpenForm({ start }: { start: FormStart }) {
  const { t } = useTranslation(['memory', 'common'])
  const [base, setBase] = useState(start.memory)
  const [fields, setFields] = useState(() => fieldsOf(start))
  const [theirs, setTheirs] = useState<Memory | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (patch: Partial<Fields>) => setFields((now) => ({ ...now, ...patch }))
  const save = async (revision: number | undefined) => {
    setBusy(true)
    const { opened } = useMemoryForm.getState()
    try {
      const saved = await saveFields(fields, start, base, revision)
      endMemoryForm(opened)
      if (!base && saved.revision > 1) showToast(t('form.merged'))
      await Promise.all([loadMemories(), loadMemoryFacts()])
    } catch (error) {
      if (base && error instanceof CallError && error.code === 'conflict') {
        // it may be gone by now, which is a reason too
        const stored = await call('memory.get', { id: base.id }).catch(showError)
        if (stored) setTheirs(stored)
      } else showError(error)
    } finally {
      setBusy(false)
    }
  }
  const takeTheirs = (memory: Memory) => {
    setBase(memory)
    setFields(fieldsOf({ memory }))
    setTheirs(null)
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && closeMemoryForm()}
      title={base ? t('form.edit') : t('form.add')}
      width={560}
      footer={
        <>
          <span className="small dim">{start.source?.messageId ? t('form.fromMessage') : ''}</span>
          <span className="grow" />
          <Button tone="ghost" onClick={closeMemoryForm}>
            {t('common:cancel')}
          </Button>
          <Button
            tone="primary"
            disabled={busy || !fields.text.trim() || theirs !== null}
            onClick={() => void save(base?.revision)}
          >
            {t('common:save')}
          </Button>
        </>
      }
    >
      {theirs && (
        <Conflict theirs={theirs} onTheirs={() => takeTheirs(theirs)} onMine={() => void save(theirs.revision)} />
      )}
      <FormFields fields={fields} onChange={change} onSave={() => void save(base?.revision)} />
    </Dialog>
  )
}

function saveFields(
  fields: Fields,
  { source }: FormStart,
  base: Memory | undefined,
  revision: number | undefined,
): Promise<Memory> {
  const { text, kind, importance, confidence } = fields
  const from = fields.validFrom === localTime(base?.validFrom) ? undefined : moment(fields.validFrom)
  const until = fields.validUntil === localTime(base?.validUntil) ? undefined : moment(fields.validUntil)
  return call('memory.save', {
    text: text.trim(),
    kind,
    importance,
    confidence,
    entities: fields.entities
      .split(/[,，、\n]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    ...(from === undefined ? {} : { validFrom: from }),
    ...(until === undefined ? {} : { validUntil: until }),
    ...(base ? { id: base.id } : { source: source ?? { kind: 'manual' } }),
    ...(revision === undefined ? {} : { revision }),
  })
}

function Conflict({ theirs, onTheirs, onMine }: { theirs: Memory; onTheirs(): void; onMine(): void }) {
  const { t } = useTranslation('memory')
  return (
    <div className="conflict" role="alert">
      <p className="strong row">
        <Icon name="warn" size={14} />
        {t('conflict.title')}
      </p>
      <p className="mid">{t('conflict.text')}</p>
      <blockquote lang={langOf(theirs.text)}>{theirs.text.slice(0, 2000)}</blockquote>
      <div className="row">
        <Button small onClick={onTheirs}>
          {t('conflict.theirs')}
        </Button>
        <Button small onClick={onMine}>
          {t('conflict.mine')}
        </Button>
      </div>
    </div>
  )
}

interface FormFieldsProps {
  fields: Fields
  onChange(patch: Partial<Fields>): void
  onSave(): void
}

function FormFields({ fields, onChange, onSave }: FormFieldsProps) {
  const { t } = useTranslation('memory')
  return (
    <div className="mform">
      <Labelled label={t('form.text')} help={t('form.textHelp')}>
        {(ids) => (
          <TextArea
            {...ids}
            className="read"
            rows={3}
            growTo={260}
            lang={langOf(fields.text)}
            value={fields.text}
            onChange={(event) => onChange({ text: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onSave()}
          />
        )}
      </Labelled>
      <div className="f">
        <span className="fl">{t('column.kind')}</span>
        <div>
          <Segmented
            label={t('column.kind')}
            value={fields.kind}
            onValue={(kind) => onChange({ kind })}
            options={MEMORY_KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          />
        </div>
      </div>
      <div className="two">
        <Amount
          label={t('form.importance')}
          value={fields.importance}
          onValue={(importance) => onChange({ importance })}
        />
        <Amount
          label={t('form.confidence')}
          value={fields.confidence}
          onValue={(confidence) => onChange({ confidence })}
        />
      </div>
      <Labelled label={t('form.entities')} help={t('form.entitiesHelp')}>
        {(ids) => (
          <TextField
            {...ids}
            value={fields.entities}
            onChange={(event) => onChange({ entities: event.target.value })}
          />
        )}
      </Labelled>
      <div className="two">
        <Labelled label={t('form.validFrom')}>
          {(ids) => (
            <TextField
              {...ids}
              type="datetime-local"
              value={fields.validFrom}
              onChange={(event) => onChange({ validFrom: event.target.value })}
            />
          )}
        </Labelled>
        <Labelled label={t('form.validUntil')} help={t('form.validHelp')}>
          {(ids) => (
            <TextField
              {...ids}
              type="datetime-local"
              value={fields.validUntil}
              onChange={(event) => onChange({ validUntil: event.target.value })}
            />
          )}
        </Labelled>
      </div>
    </div>
  )
}

function Amount({ label, value, onValue }: { label: string; value: number; onValue(value: number): void }) {
  return (
    <Labelled label={label}>
      {({ id }) => (
        <div className="row">
          <input
            id={id}
            className="grow"
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={value}
            onChange={(event) => onValue(Number(event.target.value))}
          />
          <span className="num small amount">{value.toFixed(2)}</span>
        </div>
      )}
    </Labelled>
  )
}
