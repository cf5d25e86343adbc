import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallOutput, call } from '../api/client'
import { inWords } from '../i18n/said'
import { Mark } from '../ui/badge'
import { Button } from '../ui/button'
import { Labelled, TextArea } from '../ui/field'
import { addressOf } from './server-view'
import { changeTools } from './tool-store'
import { closeToolDialog, endToolDialog, openToolView, useToolView } from './tool-view-store'

const READ_AFTER_MS = 250
const EXAMPLE = '{\n  "mcpServers": {\n    "files": { "command": "npx", "args": ["-y", "…"] }\n  }\n}'

/** The usual `mcpServers` JSON, pasted or from a file: what it would add is shown before anything is added. */
export function PasteServers() {
  const { t } = useTranslation(['tools', 'common'])
  const [json, setJson] = useState('')
  const { read, error } = useDryRun(json)
  const [busy, setBusy] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const count = read?.servers.length ?? 0
  const add = async () => {
    setBusy(true)
    const { dialog } = useToolView.getState()
    let first: string | undefined
    const done = await changeTools(async () => {
      const { servers } = await call('mcp.import', { json })
      first = servers[0]?.id
      // the test is part of adding: what fails says so at once
      await Promise.all(servers.map(({ id, enabled }) => enabled && call('mcp.restart', { id }).catch(() => undefined)))
    })
    setBusy(false)
    if (done && endToolDialog(dialog) && first) openToolView(first)
  }
  return (
    <div className="mform">
      <Labelled label={t('paste.label')} error={error}>
        {(ids) => (
          <TextArea
            {...ids}
            className="mono code-in"
            rows={8}
            growTo={260}
            spellCheck={false}
            placeholder={EXAMPLE}
            value={json}
            onChange={(event) => setJson(event.target.value)}
          />
        )}
      </Labelled>
      {read && <DryRun read={read} />}
      <p className="small dim">{t('paste.help')}</p>
      <div className="row">
        <Button icon="file" onClick={() => picker.current?.click()}>
          {t('paste.file')}
        </Button>
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          hidden
          onChange={(event) => {
            void event.target.files?.[0]?.text().then(setJson)
            event.target.value = ''
          }}
        />
        <span className="grow" />
        <Button tone="ghost" onClick={closeToolDialog}>
          {t('common:cancel')}
        </Button>
        <Button tone="primary" disabled={busy || count === 0} onClick={() => void add()}>
          {busy ? t('paste.adding') : t('paste.add', { count })}
        </Button>
      </div>
    </div>
  )
}

type Read = CallOutput<'mcp.import'>

function useDryRun(json: string): { read: Read | null; error: string } {
  const [result, setResult] = useState<{ read: Read | null; error: string }>({ read: null, error: '' })
  useEffect(() => {
    if (!json.trim()) return setResult({ read: null, error: '' })
    let gone = false
    const timer = setTimeout(() => {
      call('mcp.import', { json, dryRun: true }).then(
        (read) => !gone && setResult({ read, error: '' }),
        (error: Error) => !gone && setResult({ read: null, error: error.message }),
      )
    }, READ_AFTER_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [json])
  return result
}

function DryRun({ read }: { read: Read }) {
  const { t } = useTranslation('tools')
  return (
    <ul className="dry-run small" aria-label={t('paste.found')}>
      {read.servers.map((server) => (
        <li key={server.name}>
          <Mark tone="ok">{t('paste.new')}</Mark>
          <b className="strong">{server.name}</b>
          <span className="mono cut dim" title={addressOf(server)}>
            {addressOf(server)}
          </span>
          {server.secretNames.length > 0 && (
            <span className="tiny dim">{t('paste.secrets', { names: server.secretNames.join(', ') })}</span>
          )}
        </li>
      ))}
      {read.skipped.map((skipped) => (
        <li key={`s${skipped.name}`}>
          <Mark tone="warn">{t('paste.skipped')}</Mark>
          <b className="strong">{skipped.name}</b>
          <span className="mid">{inWords(skipped.reason)}</span>
        </li>
      ))}
    </ul>
  )
}
