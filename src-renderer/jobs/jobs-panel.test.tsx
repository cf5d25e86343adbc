// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Job } from '../../src-main/jobs/contract'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { TipProvider } from '../ui/tooltip'
import { loadJobs, useJobs, wireJobs } from './job-store'
import { JobsPanel } from './jobs-panel'

const aJob = (fields: Partial<Job>): Job => ({
  id: 'j1',
  kind: 'summary',
  label: 'Third act',
  state: 'running',
  attempts: 1,
  done: 0,
  total: 0,
  createdAt: '2026-11-30T10:00:00+00:00',
  updatedAt: '2026-11-30T10:00:00+00:00',
  ...fields,
})

let jobs: Job[]
let strata: ReturnType<typeof fakeStrata>
beforeEach(() => {
  useJobs.setState(useJobs.getInitialState(), true)
  jobs = []
  strata = fakeStrata({
    'jobs.list': () => jobs,
    'jobs.retry': () => aJob({}),
    'jobs.cancel': () => aJob({}),
  })
})
afterEach(cleanup)

async function show() {
  await loadJobs()
  render(
    <TipProvider>
      <JobsPanel />
    </TipProvider>,
  )
}

it('shows why a job failed and tries it again', async () => {
  jobs = [aJob({ state: 'failed', attempts: 5, lastError: 'The model is down.' })]
  await show()
  const row = screen.getByRole('listitem')
  expect(row.textContent).toContain('The model is down.')
  expect(row.textContent).toContain('5 tries')
  fireEvent.click(within(row).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(strata.inputsOf('jobs.retry')).toEqual([{ jobId: 'j1' }]))
})

it('follows the progress of a running one, and cancels it', async () => {
  jobs = [aJob({ kind: 'memory-index', label: 'Memory index', total: 40 })]
  await show()
  wireJobs()
  act(() => strata.send('job.progress', { jobId: 'j1', done: 30, total: 40, state: 'running' }))
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('30')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(strata.inputsOf('jobs.cancel')).toEqual([{ jobId: 'j1' }]))
})

it('counts only what is not over', async () => {
  jobs = [aJob({ state: 'done' }), aJob({ id: 'j2', state: 'waiting', nextRunAt: '2026-11-30T10:05:00+00:00' })]
  await show()
  expect(screen.getByText('1 open')).toBeTruthy()
  expect(screen.getByText(/Tried again/)).toBeTruthy()
})

it('says what will appear when there is nothing', async () => {
  await show()
  expect(screen.getByText('Nothing is running')).toBeTruthy()
})
