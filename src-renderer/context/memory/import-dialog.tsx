import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { MemoryImportReport } from '../../../src-main/context/memory/contract'
import { call } from '../../api/client'
import { formatNumber, langOf } from '../../i18n/format'
import { i18n } from '../../i18n/i18n'
import { inWords } from '../../i18n/said'
import { Mark, type MarkTone } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toBase64 } from '../../ui/save-file'
import { showError, showToast } from '../../ui/toast'
import { Segmented } from '../../ui/toggle'
import { loadMemories, loadMemoryFacts } from './memory-store'

interface ChosenFile {
  fileName: string
  dataBase64: string
  /** What would happen: nothing is written before the second step. */
  preview: MemoryImportReport
}

const useImport = create<{ file: ChosenFile | null }>(() => ({ file: null }))

/** Asks for a file and shows what is in it. */
export function openImport(): void {
  const picker = document.createElement('input')
  picker.type = 'file'
  picker.accept = '.jsonl,.json,.md,.markdown,.txt'
  picker.onchange = () => {
    const file = picker.files?.[0]
    if (file) void previewImport(file)
  }
  picker.click()
}

export async function previewImport(file: File): Promise<void> {
  try {
    const dataBase64 = toBase64(new Uint8Array(await file.arrayBuffer()))
    const preview = await call('memory.import', { fileName: file.name, dataBase64, dryRun: true })
    useImport.setState({ file: { fileName: file.name, dataBase64, preview } })
  } catch (error) {
    showError(error)
  }
}

const close = () => useImport.setState({ file: null })

export function ImportDialog() {
  const file = useImport((state) => state.file)
  return file && <Preview key={file.dataBase64.length} file={file} />
}

const OUTCOMES = ['added', 'updated', 'unchanged', 'conflict'] as const
const TONES: Record<(typeof OUTCOMES)[number], MarkTone> = {
  added: 'ok',
  updated: 'set',
  unchanged: 'plain',
  conflict: 'warn',
}
const ROWS_SHOWN = 300

function Preview({ file }: { file: ChosenFile }) {
  const { t } = useTranslation(['memory', 'common'])
  const [onConflict, setOnConflict] = useState<'keep' | 'replace'>('keep')
  const [busy, setBusy] = useState(false)
  const { preview, fileName, dataBase64 } = file
  const changes = preview.added + preview.updated + (onConflict === 'replace' ? preview.conflicts : 0)
  const run = async () => {
    setBusy(true)
    try {
      const report = await call('memory.import', { fileName, dataBase64, onConflict })
      close()
      showToast(i18n.t('memory:import.done', { added: report.added, updated: report.updated }), { tone: 'ok' })
      await Promise.all([loadMemories(), loadMemoryFacts()])
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && close()}
      title={t('import.title')}
      note={fileName}
      width={640}
      footer={
        <>
          {preview.conflicts > 0 && (
            <Segmented
              label={t('import.onConflict')}
              value={onConflict}
              onValue={(value: 'keep' | 'replace') => setOnConflict(value)}
              options={[
                { value: 'keep', label: t('import.keep') },
                { value: 'replace', label: t('import.replace') },
              ]}
            />
          )}
          <span className="grow" />
          <Button tone="ghost" onClick={close}>
            {t('common:cancel')}
          </Button>
          <Button tone="primary" disabled={busy || changes === 0} onClick={() => void run()}>
            {t('import.run', { count: changes, shown: formatNumber(changes) })}
          </Button>
        </>
      }
    >
      <p className="row import-sums num">
        {OUTCOMES.map((outcome) => (
          <span key={outcome}>
            <b className="strong">{formatNumber(countOf(preview, outcome))}</b>{' '}
            <span className="mid">{t(`import.${outcome}`)}</span>
          </span>
        ))}
      </p>
      <ul className="import-rows">
        {preview.rows.slice(0, ROWS_SHOWN).map((row) => (
          <li key={row.line}>
            <span className="dim num tiny">{row.line}</span>
            <Mark tone={TONES[row.outcome]}>{t(`import.${row.outcome}`)}</Mark>
            <span className="cut" lang={langOf(row.text)}>
              {row.text.slice(0, 300)}
              {row.existing && row.existing !== row.text && (
                <span className="dim block cut">{t('import.stored', { text: row.existing.slice(0, 200) })}</span>
              )}
            </span>
          </li>
        ))}
        {preview.skipped.map((row) => (
          <li key={`s${row.line}`}>
            <span className="dim num tiny">{row.line}</span>
            <Mark tone="bad">{t('import.skipped')}</Mark>
            <span className="mid">{inWords(row.reason, row.words)}</span>
          </li>
        ))}
      </ul>
      {preview.rows.length > ROWS_SHOWN && (
        <p className="small dim">{t('import.more', { count: preview.rows.length - ROWS_SHOWN })}</p>
      )}
    </Dialog>
  )
}

const countOf = (report: MemoryImportReport, outcome: (typeof OUTCOMES)[number]): number =>
  outcome === 'conflict' ? report.conflicts : report[outcome]
