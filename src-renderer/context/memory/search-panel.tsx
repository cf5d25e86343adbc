import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemoryStatus } from '../../../src-main/context/memory/contract'
import { RETRIEVAL_MODES } from '../../../src-main/context/memory/retrieval-contract'
import { call } from '../../api/client'
import { formatNumber } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { useJobs } from '../../jobs/job-store'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { Mark } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { showError } from '../../ui/toast'
import { Segmented } from '../../ui/toggle'
import { EmbedderSettings } from './embedder-settings'
import { Fact } from './memory-detail'
import { loadMemoryFacts, useMemories } from './memory-store'
import { problemOf } from './memory-words'
import { SelfTest } from './self-test'
import { TrySearch } from './try-search'

/** How memories are found: the embedder, the index, and what they do on the user's own texts. */
export function SearchPanel() {
  const { t } = useTranslation('memory')
  const status = useMemories((state) => state.status)
  const error = useMemories((state) => state.error)
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t('view.search')}</h1>
          {status && <span className="small dim cut">{inWords(status.embedder)}</span>}
        </div>
      </header>
      <div className="sheet">
        <div className="sheet-in">
          {error && !status && <p className="warn-t">{error}</p>}
          <section className="sheet-part">
            <h2>{t('index.title')}</h2>
            {status && <IndexFacts status={status} />}
          </section>
          <section className="sheet-part">
            <h2>{t('embedder.title')}</h2>
            <EmbedderSettings />
          </section>
          <section className="sheet-part">
            <h2>{t('mode.title')}</h2>
            <ModeSettings />
          </section>
          <section className="sheet-part">
            <h2>{t('extraction.title')}</h2>
            <ExtractionSettings />
          </section>
          <section className="sheet-part">
            <h2>{t('test.title')}</h2>
            <SelfTest />
          </section>
          <section className="sheet-part">
            <h2>{t('try.title')}</h2>
            <TrySearch />
          </section>
        </div>
      </div>
    </>
  )
}

function IndexFacts({ status }: { status: MemoryStatus }) {
  const { t } = useTranslation('memory')
  const { reads, building, search, threshold } = status
  const problem = problemOf(status)
  return (
    <>
      <dl>
        <Fact name={t('index.memories')}>
          <span className="num">
            {t('index.counts', {
              active: formatNumber(status.active),
              archived: formatNumber(status.archived),
              total: formatNumber(status.total),
            })}
          </span>
        </Fact>
        <Fact name={t('index.vectors')}>
          <span className="num">
            {t('index.indexed', { indexed: formatNumber(status.indexed), dims: formatNumber(status.dims) })}
          </span>
          {status.pending > 0 && <Mark tone="warn">{t('status.pending', { count: status.pending })}</Mark>}
          {status.failed > 0 && <Mark tone="bad">{t('index.failed', { count: status.failed })}</Mark>}
        </Fact>
        <Fact name={t('index.reads')}>
          <span className="num">
            {t('index.readable', {
              readable: formatNumber(reads.readable),
              unreadable: formatNumber(reads.unreadable),
            })}
          </span>
        </Fact>
        <Fact name={t('index.kind')}>{t(`index.${search.kind}`)}</Fact>
        <Fact name={t('index.threshold')}>
          {threshold.value === undefined ? t('index.off') : threshold.value.toFixed(2)}{' '}
          <span className="dim">{inWords(threshold.note, threshold.noteWords)}</span>
        </Fact>
      </dl>
      {problem && (
        <p className="warn-t row">
          <Icon name="warn" size={14} />
          <span>{problem}</span>
        </p>
      )}
      <Reindex building={building} />
    </>
  )
}

function Reindex({ building }: { building: MemoryStatus['building'] }) {
  const { t } = useTranslation('memory')
  const [jobId, setJobId] = useState('')
  const job = useJobs((state) => state.jobs.find((each) => each.id === jobId || each.kind === 'memory-index'))
  const running = job && (job.state === 'running' || job.state === 'queued' || job.state === 'waiting')
  const done = building?.done ?? job?.done ?? 0
  const total = building?.total ?? job?.total ?? 0
  const start = async () => {
    try {
      setJobId((await call('memory.reindex', {})).jobId)
      await loadMemoryFacts()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <div className="row reindex" role="status">
      <Button small icon="redo" disabled={Boolean(running)} onClick={() => void start()}>
        {t('index.rebuild')}
      </Button>
      {(running || building) && (
        <>
          <progress max={Math.max(1, total)} value={done} aria-label={t('index.progress')} />
          <span className="small dim num">
            {t('status.building', { done: formatNumber(done), total: formatNumber(total) })}
          </span>
        </>
      )}
      {!running && job?.state === 'done' && <span className="small ok-t">{t('index.rebuilt')}</span>}
      {!running && job?.state === 'failed' && (
        <span className="small danger-t">{inWords(job.lastError ?? '', job.lastErrorWords)}</span>
      )}
      {!job && !building && <span className="small dim">{t('index.rebuildHelp')}</span>}
    </div>
  )
}

function ModeSettings() {
  const { t } = useTranslation('memory')
  const memory = useSettings((state) => state.settings?.memory)
  if (!memory) return null
  return (
    <div className="col mode-set">
      <div>
        <Segmented
          label={t('mode.title')}
          value={memory.mode}
          onValue={(mode) => void updateSettings({ memory: { mode } }).catch(showError)}
          options={RETRIEVAL_MODES.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
        />
      </div>
      <p className="small dim">{t(`mode.${memory.mode}Help`)}</p>
    </div>
  )
}

function ExtractionSettings() {
  const { t } = useTranslation('memory')
  const memory = useSettings((state) => state.settings?.memory)
  if (!memory) return null
  return (
    <div className="col mode-set">
      <div>
        <Segmented
          label={t('extraction.title')}
          value={memory.extraction}
          onValue={(extraction) => void updateSettings({ memory: { extraction } }).catch(showError)}
          options={(['off', 'ask', 'automatic'] as const).map((value) => ({ value, label: t(`extraction.${value}`) }))}
        />
      </div>
      <p className="small dim">{t('extraction.help')}</p>
    </div>
  )
}
