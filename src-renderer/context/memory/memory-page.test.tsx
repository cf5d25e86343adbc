// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory, MemoryStatus, MemorySuggestion } from '../../../src-main/context/memory/contract'
import { settingsSchema } from '../../../src-main/settings/contract'
import { CallError } from '../../api/client'
import { useNavigation } from '../../app/navigation'
import '../../i18n/i18n'
import { useSettings } from '../../settings/settings-store'
import { aMessage } from '../../testing/builders'
import { fakeStrata } from '../../testing/fake-strata'
import { TipProvider } from '../../ui/tooltip'
import { MemoryFormLayer } from './memory-form-layer'
import { closeMemoryForm, openMemoryForm, useMemoryForm } from './memory-form-store'
import { MemoryPage } from './memory-page'
import { sortMemories, useMemories } from './memory-store'
import { aMemory } from './memory-test-data'
import { rememberEntry } from './remember'

const STATUS: MemoryStatus = {
  embedder: 'Built-in',
  dims: 512,
  indexed: 2,
  pending: 0,
  failed: 0,
  total: 2,
  active: 2,
  archived: 0,
  reads: { scripts: ['English'], readable: 2, unreadable: 0 },
  search: { kind: 'scan', vectors: 2 },
  threshold: { note: 'Not separable.' },
}

let stored: Memory[]
let suggestions: MemorySuggestion[]
let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  stored = [
    aMemory({ id: 'm1', text: 'Prefers metric units.', kind: 'preference', accessCount: 2 }),
    aMemory({ id: 'm2', text: '沈舟不会游泳。', accessCount: 9 }),
  ]
  suggestions = []
  useMemories.setState(useMemories.getInitialState(), true)
  useNavigation.setState({ place: 'memory', placeTarget: null, listOpen: true })
  useSettings.setState({ settings: settingsSchema.parse({}) })
  strata = fakeStrata({
    'memory.list': ({ query, status, kind }: { query?: string; status?: string; kind?: string }) => {
      const memories = stored.filter(
        (memory) =>
          memory.standing === (status ?? 'active') &&
          (!kind || memory.kind === kind) &&
          memory.text.includes(query ?? ''),
      )
      return { memories, nextCursor: null, total: memories.length }
    },
    'memory.get': ({ id }: { id: string }) => stored.find((memory) => memory.id === id),
    'memory.status': () => STATUS,
    'memory.suggestions': () => ({ suggestions }),
    'memory.usage': () => ({ uses: [] }),
    'memory.archive': ({ ids }: { ids: string[] }) => {
      stored = stored.map((memory) => (ids.includes(memory.id) ? { ...memory, standing: 'archived' } : memory))
      return { changed: ids }
    },
    'memory.remove': ({ ids }: { ids: string[] }) => ({ removed: ids }),
    'memory.settle': ({ suggestionId }: { suggestionId: string }) => {
      suggestions = []
      return { settled: suggestionId }
    },
    'memory.save': (input: { text: string; revision?: number }) => aMemory({ ...input, id: 'new', revision: 1 }),
    'recent-conversations.list': () => [],
    'user-profile.get': () => ({ overview: '', facts: [], changes: [] }),
    'turns.preview': () => ({ memory: { ceiling: { used: 120, total: 800, perMemory: 200 } } }),
    'settings.update': () => settingsSchema.parse({ memory: { topK: 0 } }),
  })
})
afterEach(() => {
  cleanup()
  closeMemoryForm()
})

const show = () =>
  render(
    <TipProvider>
      <MemoryPage />
      <MemoryFormLayer />
    </TipProvider>,
  )
const table = () => screen.findByRole('table', { name: 'Memories' })

describe('the list', () => {
  it('shows memories with their figures, and the numbers of every view', async () => {
    show()
    expect(within(await table()).getByText('Prefers metric units.')).toBeTruthy()
    expect(
      within(await table())
        .getByText('沈舟不会游泳。')
        .getAttribute('lang'),
    ).toBe('zh-CN')
    await waitFor(() => expect(screen.getByRole('button', { name: /Preferences/ }).textContent).toContain('1'))
    await waitFor(() => expect(screen.getByText(/≈ 120 tokens of at most 800/)).toBeTruthy())
  })

  it('says why it is empty, and what a search without a hit means', async () => {
    show()
    await table()
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search memories' }), { target: { value: 'zeppelin' } })
    expect(await screen.findByText('Nothing found for “zeppelin”')).toBeTruthy()
    stored = []
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search memories' }), { target: { value: '' } })
    expect(await screen.findByText('Nothing is remembered yet')).toBeTruthy()
  })

  it('archives what is checked', async () => {
    show()
    fireEvent.click(within(await table()).getByRole('checkbox', { name: 'Select “Prefers metric units.”' }))
    fireEvent.click(screen.getByRole('button', { name: 'Archive' }))
    await waitFor(() => expect(screen.queryByText('Prefers metric units.')).toBeNull())
    expect(strata.inputsOf('memory.archive')).toEqual([{ ids: ['m1'], archived: true }])
    expect(useMemories.getState().checked.size).toBe(0)
  })

  it('asks before it deletes', async () => {
    show()
    fireEvent.click(within(await table()).getByRole('checkbox', { name: 'Select all' }))
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    const ask = await screen.findByRole('alertdialog')
    expect(ask.textContent).toContain('Delete 2 memories?')
    expect(strata.inputsOf('memory.remove')).toEqual([])
    fireEvent.click(within(ask).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(strata.inputsOf('memory.remove')).toEqual([{ ids: ['m1', 'm2'] }]))
  })

  it('follows what another window changes', async () => {
    show()
    await table()
    stored = [...stored, aMemory({ id: 'm3', text: 'Cycles to work.' })]
    strata.send('memory.changed', { ids: ['m3'] })
    expect(await screen.findByText('Cycles to work.')).toBeTruthy()
  })

  it('sorts without touching the order of equals', () => {
    expect(sortMemories(stored, 'uses').map((memory) => memory.id)).toEqual(['m2', 'm1'])
    expect(sortMemories(stored, 'newest')).toBe(stored)
    expect(sortMemories(stored, 'changed').map((memory) => memory.id)).toEqual(['m1', 'm2'])
  })
})

describe('one memory', () => {
  it('opens with its source and is edited in place', async () => {
    show()
    fireEvent.click(within(await table()).getByText('Prefers metric units.'))
    const details = await screen.findByRole('region', { name: 'Selected memory' })
    expect(details.textContent).toContain('Sourcemanual')
    fireEvent.change(within(details).getByRole('textbox'), { target: { value: 'Prefers miles.' } })
    fireEvent.click(within(details).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(strata.inputsOf('memory.save')).toEqual([{ id: 'm1', text: 'Prefers miles.', revision: 1 }]),
    )
  })

  /** Answers of one call, given when the test wants them. */
  function later(name: string) {
    const answers: ((value: unknown) => void)[] = []
    const refusals: ((error: Error) => void)[] = []
    strata.answer(name, () => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      answers.push(resolve)
      refusals.push(reject)
      return promise
    })
    return { answers, refusals }
  }
  const details = () => screen.findByRole('region', { name: 'Selected memory' })

  it('keeps what is typed while a save is on its way', async () => {
    const { answers } = later('memory.save')
    show()
    fireEvent.click(within(await table()).getByText('Prefers metric units.'))
    const field = within(await details()).getByRole('textbox')
    fireEvent.change(field, { target: { value: 'Prefers miles.' } })
    fireEvent.click(within(await details()).getByRole('button', { name: 'Save' }))
    fireEvent.change(field, { target: { value: 'Prefers miles. And stones.' } })
    await waitFor(() => expect(answers).toHaveLength(1))
    answers[0]?.(aMemory({ id: 'm1', text: 'Prefers miles.', revision: 2 }))
    await new Promise((resolve) => setTimeout(resolve))
    expect((field as HTMLTextAreaElement).value).toBe('Prefers miles. And stones.')
    fireEvent.click(within(await details()).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(strata.inputsOf('memory.save')[1]).toEqual({ id: 'm1', text: 'Prefers miles. And stones.', revision: 2 }),
    )
    answers[1]?.(aMemory({ id: 'm1', revision: 3 }))
    await waitFor(async () => expect(within(await details()).queryByRole('button', { name: 'Save' })).toBeNull())
  })

  it('keeps an edit while another memory is looked at', async () => {
    show()
    fireEvent.click(within(await table()).getByText('Prefers metric units.'))
    fireEvent.change(within(await details()).getByRole('textbox'), { target: { value: 'Prefers leagues.' } })
    fireEvent.click(within(await table()).getByText('沈舟不会游泳。'))
    await within(await details()).findByDisplayValue('沈舟不会游泳。')
    fireEvent.click(within(await table()).getByText('Prefers metric units.'))
    await within(await details()).findByDisplayValue('Prefers leagues.')
    fireEvent.click(within(await details()).getByRole('button', { name: 'Discard' }))
  })

  it('is shown whatever comes of the memory that was open before', async () => {
    show()
    const rows = await table()
    const { answers, refusals } = later('memory.get')
    fireEvent.click(within(rows).getByText('Prefers metric units.'))
    fireEvent.click(within(rows).getByText('沈舟不会游泳。'))
    await waitFor(() => expect(answers).toHaveLength(2))
    answers[1]?.(stored[1])
    refusals[0]?.(new Error('It is gone.'))
    await within(await details()).findByDisplayValue('沈舟不会游泳。')
    expect(useMemories.getState().currentId).toBe('m2')
  })

  it('opens by its id, as the inspector names it', async () => {
    stored = [aMemory({ id: 'old', text: 'Drew 2.1 m.', standing: 'past' })]
    useNavigation.setState({ placeTarget: 'old' })
    show()
    await screen.findByRole('region', { name: 'Selected memory' })
    expect(useMemories.getState().view).toBe('past')
  })
})

describe('the form', () => {
  it('keeps a new memory with its kind and names', async () => {
    show()
    await table()
    fireEvent.click(screen.getAllByRole('button', { name: 'New memory' })[0] as HTMLElement)
    const form = await screen.findByRole('dialog', { name: 'New memory' })
    fireEvent.change(within(form).getByLabelText('Memory text'), { target: { value: ' Rosa lives in Porto. ' } })
    fireEvent.click(within(form).getByRole('button', { name: 'episode' }))
    fireEvent.change(within(form).getByLabelText('Names'), { target: { value: 'Rosa, Porto，' } })
    fireEvent.click(within(form).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(strata.inputsOf('memory.save')[0]).toMatchObject({
      text: 'Rosa lives in Porto.',
      kind: 'episode',
      entities: ['Rosa', 'Porto'],
      source: { kind: 'manual' },
    })
  })

  it('starts from a message with its words as the quote', () => {
    const entry = rememberEntry(aMessage({ id: 'u1', text: 'I live in Lisbon.' }))
    if (entry.kind === undefined || entry.kind === 'item') entry.onSelect()
    expect(useMemoryForm.getState().start).toEqual({
      text: 'I live in Lisbon.',
      source: { kind: 'user statement', sessionId: 's1', messageId: 'u1', quote: 'I live in Lisbon.' },
    })
  })

  it('shows a conflict with the version of the other window', async () => {
    const mine = aMemory({ id: 'm1', text: 'Prefers metric units.', revision: 1 })
    let refused = false
    strata = fakeStrata({
      'memory.save': ({ revision }: { revision: number }) => {
        if (revision === 1) {
          refused = true
          throw new CallError('conflict', 'changed elsewhere')
        }
        return aMemory({ id: 'm1', revision: 3 })
      },
      'memory.get': () => aMemory({ id: 'm1', text: 'Prefers miles.', revision: 2 }),
    })
    render(<MemoryFormLayer />)
    openMemoryForm({ memory: mine })
    const form = await screen.findByRole('dialog', { name: 'Edit memory' })
    fireEvent.click(within(form).getByRole('button', { name: 'Save' }))
    const alert = await within(form).findByRole('alert')
    expect(refused).toBe(true)
    expect(alert.textContent).toContain('Prefers miles.')
    fireEvent.click(within(alert).getByRole('button', { name: 'Save mine over it' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(strata.inputsOf('memory.save')[1]).toMatchObject({ text: 'Prefers metric units.', revision: 2 })
  })
})

it('leaves a form alone that was opened while another one was being saved', async () => {
  let answer: (memory: Memory) => void = () => undefined
  strata.answer('memory.save', () => new Promise((resolve) => (answer = resolve)))
  render(<MemoryFormLayer />)
  openMemoryForm({ text: 'The first.' })
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }))
  closeMemoryForm()
  openMemoryForm({ text: 'The second.' })
  await screen.findByDisplayValue('The second.')
  answer(aMemory())
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(screen.getByDisplayValue('The second.')).toBeTruthy()
  closeMemoryForm()
})

it('settles a suggestion only as told', async () => {
  suggestions = [
    {
      id: 's1',
      kind: 'possible duplicate',
      memory: aMemory({ id: 'm1', text: 'Prefers metric units.' }),
      other: aMemory({ id: 'm9', text: 'Likes metric units.' }),
      similarity: 0.91,
      createdAt: '2026-11-30T12:00:00+00:00',
    },
  ]
  show()
  expect(await screen.findByText('possible duplicate')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '1 suggestion' }))
  const dialog = await screen.findByRole('dialog', { name: 'Suggestions' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Keep both' }))
  expect(await within(dialog).findByText('Nothing to decide')).toBeTruthy()
  expect(strata.inputsOf('memory.settle')).toEqual([{ suggestionId: 's1', decision: 'keep both' }])
})

it('keeps Top K only when it is a number in range', async () => {
  show()
  await table()
  const field = screen.getByLabelText('Top K') as HTMLInputElement
  fireEvent.change(field, { target: { value: '900' } })
  fireEvent.blur(field)
  expect(field.value).toBe('3')
  fireEvent.change(field, { target: { value: '0' } })
  fireEvent.blur(field)
  await waitFor(() => expect(strata.inputsOf('settings.update')).toEqual([{ patch: { memory: { topK: 0 } } }]))
})
