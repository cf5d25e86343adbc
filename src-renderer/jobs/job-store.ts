import { create } from 'zustand'
import type { Job } from '../../src-main/jobs/contract'
import { call, on } from '../api/client'
import { showError } from '../ui/toast'

interface JobStore {
  /** Newest first. */
  jobs: readonly Job[]
  /** How many are not over yet, or failed. */
  unfinished: number
  loaded: boolean
  error: string
}

export const useJobs = create<JobStore>(() => ({ jobs: [], unfinished: 0, loaded: false, error: '' }))

const MOST = 200
const OVER: ReadonlySet<Job['state']> = new Set(['done', 'cancelled'])

export const isOver = (job: Job): boolean => OVER.has(job.state)

let readings = 0
export async function loadJobs(): Promise<void> {
  const mine = ++readings
  try {
    const jobs = await call('jobs.list', { state: 'all', limit: MOST })
    if (mine === readings) keep(jobs)
  } catch (error) {
    if (mine === readings) useJobs.setState({ error: error instanceof Error ? error.message : String(error) })
  }
}

function keep(jobs: readonly Job[]): void {
  const sorted = [...jobs].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  useJobs.setState({ jobs: sorted, unfinished: sorted.filter((job) => !isOver(job)).length, loaded: true, error: '' })
}

export async function retryJob(jobId: string): Promise<void> {
  await call('jobs.retry', { jobId }).catch(showError)
  await loadJobs()
}

export async function cancelJob(jobId: string): Promise<void> {
  await call('jobs.cancel', { jobId }).catch(showError)
  await loadJobs()
}

let planned: ReturnType<typeof setTimeout> | undefined
function loadSoon(): void {
  clearTimeout(planned)
  planned = setTimeout(() => void loadJobs(), 80)
}

export function wireJobs(): void {
  on('jobs.changed', loadSoon)
  on('resync', loadSoon)
  on('job.progress', ({ jobId, done, total, state }) =>
    useJobs.setState(({ jobs }) => ({
      jobs: jobs.map((job) => (job.id === jobId ? { ...job, done, total, state } : job)),
    })),
  )
  void loadJobs()
}
