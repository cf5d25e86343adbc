// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Connection } from '../../../src-main/models/contract'
import '../../i18n/i18n'
import { useModels } from '../../models/model-store'
import { fakeStrata } from '../../testing/fake-strata'
import { LearnedList } from './learned-list'

const connection: Connection = {
  id: 'c1',
  name: 'Router',
  kind: 'openai-compatible',
  headers: {},
  hasKey: false,
  profile: {
    leadingSystems: 'one',
    midSystem: 'none',
    alternate: true,
    userFirst: true,
    marks: 'none',
    usageShape: 'openai',
  },
  learned: [
    {
      id: 'l2',
      at: '2026-11-28T18:02:00.000Z',
      what: 'top_k is not sent',
      model: 'r1',
      status: 400,
      said: 'Unknown field: top_k',
    },
    { id: 'l1', at: '2026-11-12T20:15:00.000Z', what: 'This server takes only one system message.', said: '' },
  ],
  keyStore: 'os',
  createdAt: '2026-01-01T00:00:00.000Z',
}
let strata: ReturnType<typeof fakeStrata>
let refuse = false

const without = (ids: readonly string[]): Connection => ({
  ...connection,
  learned: connection.learned.filter((lesson) => !ids.includes(lesson.id)),
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  refuse = false
  strata = fakeStrata({
    'connections.forget': ({ lessonIds }: { lessonIds: string[] }) => {
      if (refuse) throw new Error('The disk is full.')
      useModels.setState({ connections: [without(lessonIds)] })
      return without(lessonIds)
    },
    'connections.recall': () => {
      useModels.setState({ connections: [connection] })
      return connection
    },
  })
  useModels.setState({ connections: [connection], models: [], loaded: true })
  render(<LearnedList connection={connection} />)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('shows what, for which model, and the server’s words', () => {
  expect(screen.getByText('400 · Unknown field: top_k')).toBeTruthy()
  expect(screen.getByText(/^r1 · /)).toBeTruthy()
  expect(screen.getByText(/^all models here · /)).toBeTruthy()
})

it('forgets one at once, and takes it back for eight seconds', async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Forget: top_k is not sent' }))
  await pass(7000)
  fireEvent.click(screen.getByRole('button', { name: 'Undo forgetting: top_k is not sent' }))
  await pass(2000)
  expect(strata.inputsOf('connections.recall')).toEqual([{ id: 'c1', lessonIds: ['l2'] }])
  fireEvent.click(screen.getByRole('button', { name: 'Forget: top_k is not sent' }))
  await pass(8001)
  expect(screen.queryByText('top_k is not sent')).toBeNull()
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})

it('forgets all together, and keeps what could not be forgotten', async () => {
  refuse = true
  fireEvent.click(screen.getByRole('button', { name: 'Forget all' }))
  await pass(1)
  expect(screen.getByRole('button', { name: 'Forget: top_k is not sent' })).toBeTruthy()
  refuse = false
  fireEvent.click(screen.getByRole('button', { name: 'Forget all' }))
  await pass(8001)
  expect(strata.inputsOf('connections.forget').at(-1)).toEqual({ id: 'c1', lessonIds: ['l2', 'l1'] })
  expect(screen.queryByRole('listitem')).toBeNull()
})
