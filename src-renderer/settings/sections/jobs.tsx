import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '../../../src-main/jobs/contract'
import { call, on } from '../../api/client'
import { formatWhen } from '../../i18n/format'
import { Mark, type MarkTone } from '../../ui/badge'
import { Button } from '../../ui/button'
import { showError } from '../../ui/toast'
import { Segmented } from '../../ui/toggle'

type View = 'unfinished' | 'failed' | 'all'
const TONES: Partial<Record<Job['state'], MarkTone>> = { failed: 'bad', done: 'ok', waiting: 'warn', running: 'set' }

/** What works in the background: state, tries, the last error, and what can be done about it. */
export function Jobs() {
  const { t } = useTranslation('settings')
  const [view, setView] = useState<View>('unfinished')
  const jobs = useJobs(view)
  return (
    <>
      <p className="set-foot">
        <Segmented
          label={t('section.jobs')}
          value={view}
          onValue={setView}
          options={(['unfinished', 'failed', 'all'] as const).map((value) => ({ value, label: t(`jobs.${value}`) }))}
        />
      </p>
      {jobs?.length === 0 && <p className="mid">{view === 'failed' ? t('jobs.emptyFailed') : t('jobs.empty')}</p>}
      <ul className="job-list">
        {jobs?.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
    </>
  )
}

function useJobs(view: View): Job[] | null {
  const [jobs, setJobs] = useState<Job[] | null>(null)
  useEffect(() => {
    let current = true
    const load = () =>
      void call('jobs.list', { state: view, limit: 200 }).then((list) => current && setJobs(list), showError)
    load()
    const stops = [on('jobs.changed', load), on('job.progress', load), on('resync', load)]
    return () => {
      current = false
      for (const stop of stops) stop()
    }
  }, [view])
  return jobs
}

function JobRow({ job }: { job: Job }) {
  const { t, i18n } = useTranslation('settings')
  const kindKey = `jobs.kind.${job.kind}` as 'jobs.kind.title'
  const kind = i18n.exists(`settings:${kindKey}`) ? t(kindKey) : job.kind
  const over = job.state === 'failed' || job.state === 'cancelled'
  const run = (name: 'jobs.retry' | 'jobs.cancel') => () => void call(name, { jobId: job.id }).catch(showError)
  return (
    <li>
      <div className="row">
        <span className="strong">{kind}</span>
        <span className="cut grow">{job.label}</span>
        <Mark tone={TONES[job.state] ?? 'plain'}>{t(`jobs.state.${job.state}`)}</Mark>
        {(over || job.state === 'waiting') && (
          <Button small onClick={run('jobs.retry')}>
            {t('jobs.retry')}
          </Button>
        )}
        {!over && job.state !== 'done' && (
          <Button small tone="ghost" onClick={run('jobs.cancel')}>
            {t('jobs.cancel')}
          </Button>
        )}
      </div>
      <p className="tiny dim num">
        {formatWhen(job.updatedAt)}
        {job.attempts > 0 && ` · ${t('jobs.attempts', { count: job.attempts })}`}
        {job.total > 0 && ` · ${job.done} / ${job.total}`}
        {job.nextRunAt && job.state === 'waiting' && ` · ${t('jobs.next', { when: formatWhen(job.nextRunAt) })}`}
      </p>
      {job.lastError && <p className="small danger-t job-error">{job.lastError}</p>}
    </li>
  )
}
