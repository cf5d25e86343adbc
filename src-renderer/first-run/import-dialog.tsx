import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../i18n/format'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Icon } from '../ui/icon'
import { showToast } from '../ui/toast'
import { dropPlan, dryImport, type ImportPlan, MOST_BYTES, runImport } from './import-file'

/** Where chats may come from, in the order shown. */
export const IMPORT_SOURCES = ['chatgpt', 'claude', 'cherry', 'tavern', 'strata'] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

const ACCEPT: Record<ImportSource, string> = {
  chatgpt: '.zip,.json',
  claude: '.zip,.json',
  cherry: '.zip,.json,.bak',
  tavern: '.jsonl,.json,.png,.charx,.zip',
  strata: '.json,.zip',
}

/** A file, then a report of what is in it; only then is anything saved. */
export function ImportDialog({ source, onClose }: { source: ImportSource; onClose(): void }) {
  const { t } = useTranslation(['first-run', 'common'])
  const picker = useRef<HTMLInputElement>(null)
  const [plan, setPlan] = useState<ImportPlan | 'reading' | null>(null)
  const [error, setError] = useState('')
  const [going, setGoing] = useState(false)
  /** What the import itself had to tell beyond what the try-out said. */
  const [done, setDone] = useState<ImportPlan | null>(null)
  const closed = useRef(false)
  useEffect(() => picker.current?.click(), [])
  const ready = plan && plan !== 'reading' ? plan : null
  const close = () => {
    closed.current = true
    if (ready) dropPlan(ready)
    onClose()
  }
  const read = async (file: File) => {
    setError('')
    if (ready) dropPlan(ready)
    setPlan(null)
    setDone(null)
    if (file.size > MOST_BYTES) return setError(t('import.large', { limit: formatBytes(MOST_BYTES) }))
    setPlan('reading')
    try {
      const read = await dryImport(file)
      if (closed.current) dropPlan(read)
      else setPlan(read)
    } catch (failure) {
      setPlan(null)
      setError(failure instanceof Error ? failure.message : String(failure))
    }
  }
  const go = async (ready: ImportPlan) => {
    setGoing(true)
    try {
      const result = await runImport(ready)
      showToast(
        t('import.done', { what: result.counts.map(({ key, count }) => t(`import.${key}`, { count })).join(', ') }),
        { tone: 'ok' },
      )
      dropPlan(ready)
      if (result.warnings.length <= ready.warnings.length) return onClose()
      setPlan(null)
      setDone(result)
      setGoing(false)
    } catch (failure) {
      setGoing(false)
      setError(failure instanceof Error ? failure.message : String(failure))
    }
  }
  const choose = t('import.choose', { app: t(`import.${source}`) })
  return (
    <Dialog
      open
      onOpen={(open) => !open && close()}
      title={t('import.report')}
      note={t(`import.${source}`)}
      footer={
        <>
          <Button tone="ghost" disabled={plan === 'reading' || going} onClick={() => picker.current?.click()}>
            {choose}
          </Button>
          <span className="grow" />
          <Button tone="ghost" onClick={close}>
            {t(done ? 'common:close' : 'common:cancel')}
          </Button>
          {!done && (
            <Button
              tone="primary"
              disabled={!ready || ready.counts.length === 0 || going}
              onClick={() => ready && void go(ready)}
            >
              {t('import.go')}
            </Button>
          )}
        </>
      }
    >
      <input
        ref={picker}
        type="file"
        hidden
        accept={ACCEPT[source]}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void read(file)
        }}
      />
      {!plan && !error && !done && (
        <p className="mid">
          {choose}. {t('import.text')}
        </p>
      )}
      {plan === 'reading' && <p className="mid pulse">{t('import.reading')}</p>}
      {error && (
        <p className="danger-t row" role="alert">
          <Icon name="warn" size={14} />
          {error}
        </p>
      )}
      {ready && <Report plan={ready} />}
      {done && (
        <>
          <p className="strong">{t('import.finished')}</p>
          <Report plan={done} />
        </>
      )}
    </Dialog>
  )
}

function Report({ plan }: { plan: ImportPlan }) {
  const { t } = useTranslation('first-run')
  return (
    <div className="import-report">
      <p className="dim small">{t('import.found', { file: plan.fileName })}</p>
      {plan.counts.length === 0 && <p className="strong">{t('import.nothing')}</p>}
      <ul>
        {plan.counts.map(({ key, count }) => (
          <li key={key} className="strong">
            {t(`import.${key}`, { count })}
          </li>
        ))}
        {plan.existing > 0 && <li className="mid">{t('import.existing', { count: plan.existing })}</li>}
        {plan.missingFiles > 0 && <li className="mid">{t('import.missingFiles', { count: plan.missingFiles })}</li>}
        {plan.collisions > 0 && <li className="mid">{t('import.collisions', { count: plan.collisions })}</li>}
      </ul>
      {plan.skipped.length > 0 && (
        <details>
          <summary>{t('import.skipped', { count: plan.skipped.length })}</summary>
          <ul className="small mid">
            {plan.skipped.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
      {plan.kept.length > 0 && <p className="small dim">{t('import.kept', { names: plan.kept.join(', ') })}</p>}
      {plan.warnings.length > 0 && (
        <>
          <p className="sect">{t('import.warnings')}</p>
          <ul className="small mid">
            {plan.warnings.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
