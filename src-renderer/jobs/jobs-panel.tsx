import { useTranslation } from 'react-i18next'
import type { Job, JobState } from '../../src-main/jobs/contract'
import { formatNumber, formatStamp, langOf } from '../i18n/format'
import { inWords } from '../i18n/said'
import { Mark, type MarkTone } from '../ui/badge'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { cancelJob, isOver, loadJobs, retryJob, useJobs } from './job-store'

/** The background work as a page: what runs, what waits and why, what failed. */
export function JobsPanel() {
  const { t } = useTranslation('app')
  const unfinished = useJobs((state) => state.unfinished)
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t('jobs.title')}</h1>
          <span className="small dim num">{t('jobs.open', { count: unfinished })}</span>
        </div>
      </header>
      <div className="sheet">
        <div className="sheet-in">
          <JobList />
        </div>
      </div>
    </>
  )
}

/** The list alone, for a section of another page. */
export function JobList() {
  const { t } = useTranslation(['app', 'common'])
  const { jobs, loaded, error } = useJobs()
  if (error) {
    return (
      <EmptyState
        icon="warn"
        title={t('jobs.failed')}
        action={<Button onClick={() => void loadJobs()}>{t('common:retry')}</Button>}
      >
        {error}
      </EmptyState>
    )
  }
  if (loaded && jobs.length === 0) {
    return (
      <EmptyState icon="bolt" title={t('jobs.none')}>
        {t('jobs.noneHelp')}
      </EmptyState>
    )
  }
  return (
    <ul className="jobs" aria-label={t('jobs.title')}>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </ul>
  )
}

const TONES: Record<JobState, MarkTone> = {
  queued: 'plain',
  running: 'set',
  waiting: 'warn',
  done: 'ok',
  failed: 'bad',
  cancelled: 'plain',
}

/** Their label is the title of the chat. */
const ABOUT_A_CHAT: ReadonlySet<string> = new Set(['title', 'summary', 'memory-extract'])

function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation(['app', 'common'])
  const name = t(`jobs.kind.${job.kind as 'summary'}`, { defaultValue: job.label })
  return (
    <li>
      <div className="row">
        <b>{name}</b>
        {ABOUT_A_CHAT.has(job.kind) && (
          <span className="cut mid" lang={langOf(job.label)}>
            {job.label}
          </span>
        )}
        <Mark tone={TONES[job.state]}>{t(`jobs.state.${job.state}`)}</Mark>
        <span className="grow" />
        {job.attempts > 1 && <span className="tiny dim num">{t('jobs.attempts', { count: job.attempts })}</span>}
        <time className="tiny dim num">{formatStamp(job.updatedAt)}</time>
        {(job.state === 'failed' || job.state === 'waiting') && (
          <Button small tone="ghost" icon="redo" onClick={() => void retryJob(job.id)}>
            {t('common:retry')}
          </Button>
        )}
        {!isOver(job) && job.state !== 'failed' && (
          <Button small tone="ghost" onClick={() => void cancelJob(job.id)}>
            {t('common:cancel')}
          </Button>
        )}
      </div>
      {job.state === 'running' && job.total > 0 && (
        <div className="row">
          <progress max={job.total} value={job.done} aria-label={name} />
          <span className="tiny dim num">
            {formatNumber(job.done)} / {formatNumber(job.total)}
          </span>
        </div>
      )}
      {job.state === 'waiting' && job.nextRunAt && (
        <p className="small dim">{t('jobs.next', { time: formatStamp(job.nextRunAt) })}</p>
      )}
      {job.lastError && !isOver(job) && <p className="small danger-t">{inWords(job.lastError, job.lastErrorWords)}</p>}
    </li>
  )
}
