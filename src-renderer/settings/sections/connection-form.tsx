import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CONNECTION_KINDS,
  type Connection,
  type ConnectionDraft,
  type ConnectionKind,
  type ConnectionTest,
  type WireProfile,
} from '../../../src-main/models/contract'
import { call } from '../../api/client'
import { rebase } from '../../app/rebase'
import { KeyStoreLine } from '../../first-run/provider-form'
import { inWords } from '../../i18n/said'
import { loadModels, useModels } from '../../models/model-store'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Checkbox, Labelled, Select, TextArea, TextField } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { showError } from '../../ui/toast'
import { headersText, readHeaders } from './header-lines'
import { LearnedList } from './learned-list'

interface FormState {
  name: string
  kind: ConnectionKind
  baseUrl: string
  apiKey: string
  dropKey: boolean
  headers: string
  profile: Partial<WireProfile>
}

const startOf = (connection: Connection | null): FormState => ({
  name: connection?.name ?? '',
  kind: connection?.kind ?? 'openai-compatible',
  baseUrl: connection?.baseUrl ?? '',
  apiKey: '',
  dropKey: false,
  headers: headersText(connection?.headers ?? {}),
  profile: {},
})

/** What is sent: no key = the stored one stays; '' = it is removed. */
function draftOf(form: FormState, connection: Connection | null, headers: Record<string, string>): ConnectionDraft {
  return {
    ...(connection ? { id: connection.id } : {}),
    name: form.name.trim(),
    kind: form.kind,
    headers,
    ...(form.baseUrl.trim() ? { baseUrl: form.baseUrl.trim() } : {}),
    ...(form.dropKey ? { apiKey: '' } : form.apiKey.trim() ? { apiKey: form.apiKey.trim() } : {}),
    ...(Object.keys(form.profile).length ? { profile: form.profile } : {}),
  }
}

/** Adds or changes a connection; the test may be run before anything is kept. */
export function ConnectionForm({ connection, onClose }: { connection: Connection | null; onClose(): void }) {
  const { t } = useTranslation('settings')
  const [base] = useState(() => startOf(connection))
  const [form, setForm] = useState(base)
  const [test, setTest] = useState<ConnectionTest | 'testing' | null>(null)
  const set = (change: Partial<FormState>) => setForm((before) => ({ ...before, ...change }))
  const headers = readHeaders(form.headers)
  const bad = 'badLine' in headers ? t('connections.headerBad', { line: headers.badLine }) : undefined
  const ready = form.name.trim() !== '' && !bad
  const draft = () => draftOf(form, connection, 'badLine' in headers ? {} : headers.headers)
  const run = async () => {
    setTest('testing')
    const failed = (error: unknown): ConnectionTest => ({ ok: false, models: [], latencyMs: 0, message: String(error) })
    setTest(await call('connections.test', { draft: draft() }).catch(failed))
  }
  const save = async () => {
    try {
      // what another window saved while this form was open stays
      const stored = connection && useModels.getState().connections.find(({ id }) => id === connection.id)
      const now = stored ? rebase(base, form, startOf(stored)) : form
      const lines = readHeaders(now.headers)
      const saved = await call('connections.save', draftOf(now, connection, 'badLine' in lines ? {} : lines.headers))
      onClose()
      await call('models.refresh', { connectionId: saved.id }).catch(showError)
      await loadModels()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Dialog
      open
      width={560}
      onOpen={(open) => !open && onClose()}
      title={connection ? t('connections.edit', { name: connection.name }) : t('connections.add')}
      footer={
        <>
          <Button disabled={!ready || test === 'testing'} onClick={() => void run()}>
            {test === 'testing' ? t('connections.testing') : t('connections.test')}
          </Button>
          <span className="grow" />
          <Button tone="ghost" onClick={onClose}>
            {t('connections.cancel')}
          </Button>
          <Button tone="primary" disabled={!ready} onClick={() => void save()}>
            {t('connections.save')}
          </Button>
        </>
      }
    >
      <div className="set-form">
        <Labelled label={t('connections.name')}>
          {(ids) => <TextField {...ids} value={form.name} onChange={(event) => set({ name: event.target.value })} />}
        </Labelled>
        <Labelled label={t('connections.kind')}>
          {(ids) => (
            <Select
              {...ids}
              value={form.kind}
              onValue={(kind) => set({ kind })}
              options={CONNECTION_KINDS.map((kind) => ({ value: kind, label: t(`connections.kinds.${kind}`) }))}
            />
          )}
        </Labelled>
        <Labelled label={t('connections.address')} help={t('connections.addressHelp')}>
          {(ids) => (
            <TextField mono {...ids} value={form.baseUrl} onChange={(event) => set({ baseUrl: event.target.value })} />
          )}
        </Labelled>
        <KeyField connection={connection} form={form} onChange={set} />
        <Labelled label={t('connections.headers')} help={t('connections.headersHelp')} error={bad}>
          {(ids) => (
            <TextArea
              {...ids}
              className="mono"
              rows={2}
              growTo={140}
              value={form.headers}
              onChange={(event) => set({ headers: event.target.value })}
            />
          )}
        </Labelled>
        {connection && <LearnedList connection={connection} />}
        {connection && <ProfileFields connection={connection} form={form} onChange={set} />}
        {test && test !== 'testing' && (
          <p className={test.ok ? 'row small ok-t' : 'row small danger-t'} role="status">
            <Icon name={test.ok ? 'check' : 'warn'} size={14} />
            {test.ok
              ? t('connections.ok', { ms: Math.round(test.latencyMs), count: test.models.length })
              : inWords(test.message ?? '', test.words)}
          </p>
        )}
        <KeyStoreLine />
      </div>
    </Dialog>
  )
}

interface PartProps {
  connection: Connection | null
  form: FormState
  onChange(change: Partial<FormState>): void
}

function KeyField({ connection, form, onChange }: PartProps) {
  const { t } = useTranslation('settings')
  const hint = connection?.keyHint
  const help = !connection?.hasKey
    ? undefined
    : `${hint ? t('connections.keyStored', { hint }) : t('connections.keyStoredBare')} ${t('connections.keyKeep')}.`
  return (
    <>
      <Labelled label={t('connections.key')} help={help}>
        {(ids) => (
          <TextField
            mono
            type="password"
            {...ids}
            disabled={form.dropKey}
            value={form.apiKey}
            onChange={(event) => onChange({ apiKey: event.target.value })}
          />
        )}
      </Labelled>
      {connection?.hasKey && (
        <Checkbox
          label={t('connections.keyRemove')}
          checked={form.dropKey}
          onValue={(dropKey) => onChange({ dropKey })}
        />
      )}
    </>
  )
}

const CHOICES = {
  leadingSystems: ['many', 'one', 'inUser'],
  midSystem: ['anthropic', 'anywhere', 'none'],
  marks: ['anthropic4', 'openai', 'none'],
} as const

function ProfileFields({ connection, form, onChange }: PartProps) {
  const { t } = useTranslation('settings')
  if (!connection) return null
  const profile = { ...connection.profile, ...form.profile }
  const change = (part: Partial<WireProfile>) => onChange({ profile: { ...form.profile, ...part } })
  return (
    <details className="set-form">
      <summary>{t('connections.profile')}</summary>
      <p className="small dim">{t('connections.profileHelp')}</p>
      {(['leadingSystems', 'midSystem', 'marks'] as const).map((field) => (
        <Labelled key={field} label={t(`connections.field.${field}`)}>
          {(ids) => (
            <Select
              {...ids}
              value={profile[field]}
              onValue={(value: string) => change({ [field]: value })}
              options={CHOICES[field].map((value) => ({ value, label: t(`connections.value.${value}`) }))}
            />
          )}
        </Labelled>
      ))}
      {(['alternate', 'userFirst'] as const).map((field) => (
        <Checkbox
          key={field}
          label={t(`connections.field.${field}`)}
          checked={profile[field]}
          onValue={(value) => change({ [field]: value })}
        />
      ))}
    </details>
  )
}
