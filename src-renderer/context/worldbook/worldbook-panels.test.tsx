// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOOK_SETTINGS_DEFAULTS, type Book } from '../../../src-main/context/worldbook/book-contract'
import type { ImportReport, LintFinding } from '../../../src-main/context/worldbook/contract'
import { ENTRY_DEFAULTS, type Entry } from '../../../src-main/context/worldbook/entry-contract'
import type { EvaluateResult } from '../../../src-main/context/worldbook/trace-contract'
import { useNavigation } from '../../app/navigation'
import { i18n, setLanguage } from '../../i18n/i18n'
import { aSession } from '../../testing/builders'
import { fakeStrata } from '../../testing/fake-strata'
import { TipProvider } from '../../ui/tooltip'
import { useBooks } from './book-store'
import { forgetEdits } from './editor/book-edits'
import { EntryTable } from './editor/entry-table'
import { Linter } from './editor/linter'
import { useOpenBook } from './editor/open-book'
import { pickOnly, resetView, useTableView } from './editor/table-view'
import { Tester } from './editor/tester'
import { EntryForm } from './form/entry-form'
import { chatFrom } from './import/card-offer'
import { ImportDialog } from './import/import-dialog'
import { closeImport, startImport, textFile, useImport } from './import/import-store'
import { FiredRow, NotFiredRow } from './trace/trace-rows'

const AT = '2026-11-30T12:00:00+00:00'
const entry = (id: string, fields: Partial<Entry> = {}): Entry => ({ ...ENTRY_DEFAULTS, id, ...fields })
const book: Book = {
  id: 'b1',
  name: 'Fogharbour',
  description: '',
  settings: { ...BOOK_SETTINGS_DEFAULTS, scanDepth: 5 },
  entries: [
    entry('0', { comment: 'Tides', keys: ['tide'], extra: { displayIndex: 4, mood: { wet: true } } }),
    entry('1', { comment: 'Neap', keys: ['neap'] }),
  ],
  extra: {},
  origin: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
}
const placements = {
  before: '',
  after: '',
  anTop: '',
  anBottom: '',
  examplesTop: '',
  examplesBottom: '',
  outlets: {},
  depth: [],
  chat: [],
}
const tides = { worldbookId: 'b1', entryId: '0', comment: 'Tides' }
const result: EvaluateResult = {
  fired: [
    {
      ...tides,
      content: 'The water turns.',
      why: {
        kind: 'key',
        text: '',
        key: 'tide',
        matched: 'Tide',
        place: { in: 'message', message: -1, span: [4, 8] },
        secondary: [],
      },
      sweep: 1,
      position: 'at-depth',
      depth: 4,
      role: 'system',
      order: 50,
      tokens: 770,
    },
  ],
  notFired: [{ worldbookId: 'b1', entryId: '1', comment: 'Neap', reason: 'no_key_matched', detail: 'no key matched' }],
  placements,
  timers: { version: 1, effects: [] },
  warnings: [],
  seed: 's',
  sweeps: 1,
  budget: { limit: 1000, used: 770 },
  elapsedMs: 2.1,
}

const show = (node: React.ReactNode) => render(<TipProvider>{node}</TipProvider>)

beforeEach(() => {
  setLanguage('en')
  forgetEdits('b1')
  sessionStorage.clear()
  localStorage.clear()
  resetView()
  useOpenBook.setState({
    wantedId: book.id,
    book,
    state: 'ready',
    tokens: { '0': 46 },
    findings: [],
    shownVersion: null,
  })
  useBooks.setState({ books: [], loaded: true })
})
afterEach(() => {
  cleanup()
  closeImport()
})

it('the table takes edits back and does them again by key, and the form gives the focus back', async () => {
  const strata = fakeStrata({
    'worldbook.undo': ({ version }: { version: number }) => ({ ...book, version: 4, name: `as of ${version}` }),
    'worldbook.entry-tokens': () => ({}),
    'worldbook.lint': () => [],
    'worldbook.list': () => [],
    'models.count-tokens': () => ({ tokens: 12, quality: 'estimated' }),
  })
  useOpenBook.setState({ book: { ...book, version: 3 }, shownVersion: null })
  pickOnly('0')
  show(
    <>
      <EntryTable book={book} />
      <EntryForm />
    </>,
  )
  const table = screen.getByRole('grid', { name: 'Entries' })
  fireEvent.keyDown(screen.getByLabelText('Text'), { key: 'Escape' })
  expect(document.activeElement).toBe(table)
  fireEvent.keyDown(table, { key: 'z', ctrlKey: true })
  await waitFor(() => expect(useOpenBook.getState().shownVersion).toEqual({ at: 2, newest: 3 }))
  fireEvent.keyDown(table, { key: 'Z', ctrlKey: true, shiftKey: true })
  await waitFor(() => expect(useOpenBook.getState().shownVersion).toEqual({ at: 3, newest: 3 }))
  expect(strata.inputsOf('worldbook.undo')).toMatchObject([{ version: 2 }, { version: 3 }])
})

describe('the entry form', () => {
  const edited = () => useOpenBook.getState().book?.entries[0]
  beforeEach(() => {
    fakeStrata({ 'models.count-tokens': () => ({ tokens: 12, quality: 'estimated' }) })
    pickOnly('0')
    show(<EntryForm />)
  })

  it('changes the entry as it is typed', () => {
    fireEvent.change(screen.getByLabelText('Text'), { target: { value: 'New words' } })
    fireEvent.change(screen.getByLabelText('Order'), { target: { value: '70' } })
    fireEvent.click(screen.getByRole('switch', { name: 'Enabled' }))
    expect(edited()).toMatchObject({ content: 'New words', order: 70, enabled: false })
  })

  it('shows the depth and role only at depth, and says where each place is', () => {
    expect(screen.queryByLabelText('Depth')).toBeNull()
    fireEvent.change(screen.getByLabelText('Place'), { target: { value: 'at-depth' } })
    expect(screen.getByLabelText<HTMLInputElement>('Depth').value).toBe('4')
    fireEvent.change(screen.getByLabelText('Role'), { target: { value: 'assistant' } })
    expect(edited()).toMatchObject({ position: 'at-depth', role: 'assistant' })
  })

  it('inherits the scan depth of the book until one is set, and again after Reset', () => {
    const field = screen.getByLabelText<HTMLInputElement>('Scan depth')
    expect(field.placeholder).toBe('5')
    fireEvent.change(field, { target: { value: '0' } })
    expect(edited()?.scanDepth).toBe(0)
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(edited()?.scanDepth).toBeNull()
  })

  it('keeps a chance within 0 and 100', () => {
    const field = screen.getByLabelText<HTMLInputElement>('Chance')
    fireEvent.change(field, { target: { value: '140' } })
    expect(edited()?.probability).toBe(100)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    fireEvent.change(field, { target: { value: '25' } })
    expect(edited()?.probability).toBe(25)
  })

  it('folds the rest away and shows unknown fields as they are', () => {
    expect(screen.queryByText('mood')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /Advanced.*2 kept fields/ }))
    expect(screen.getByText('mood').nextSibling?.textContent).toBe('{"wet":true}')
    fireEvent.click(screen.getByLabelText('Continue'))
    fireEvent.click(screen.getByLabelText('It sets off no other entries'))
    expect(edited()).toMatchObject({ triggers: ['continue'], preventRecursion: true })
  })
})

describe('the tester', () => {
  it('asks for what is typed, marks the match and says why', async () => {
    const strata = fakeStrata({ 'worldbook.evaluate': () => result })
    const { container } = show(<Tester book={book} />)
    fireEvent.change(screen.getByLabelText('Test text'), { target: { value: 'The Tide rises' } })
    const row = (await screen.findByRole('button', { name: 'Tides' })).closest('li')
    expect(row?.textContent).toContain('key Tide')
    expect(container.querySelector('mark')?.textContent).toBe('Tide')
    expect(screen.getByText('1 more entry was not asked for')).toBeTruthy()
    expect(strata.inputsOf('worldbook.evaluate')[0]).toMatchObject({
      books: ['b1'],
      messages: [{ role: 'user', text: 'The Tide rises' }],
    })
    fireEvent.click(screen.getByRole('button', { name: 'Tides' }))
    expect(useTableView.getState().currentId).toBe('0')
  })

  it('says what went wrong, and nothing while there is no text', async () => {
    const strata = fakeStrata({})
    show(<Tester book={book} />)
    fireEvent.change(screen.getByLabelText('Test text'), { target: { value: 'x' } })
    expect(await screen.findByText('No answer for worldbook.evaluate.')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Test text'), { target: { value: ' ' } })
    expect(screen.queryByText('No answer for worldbook.evaluate.')).toBeNull()
    expect(strata.calls).toHaveLength(1)
  })
})

it('the linter puts errors first and leads to the entry', () => {
  const findings: LintFinding[] = [
    { code: 'duplicate_key', severity: 'note', entryIds: ['0', '1'], message: '', key: 'tide' },
    {
      code: 'never_fires',
      severity: 'error',
      entryIds: ['1'],
      message: '“Neap” can never fire: its probability is 0.',
      because: 'its probability is 0',
    },
  ]
  useOpenBook.setState({ findings })
  const { container } = show(<Linter book={book} end={null} />)
  const lines = [...container.querySelectorAll('li')].map((line) => line.textContent)
  expect(lines).toEqual(['ErrorNeap can never fire: its probability is 0.', 'NoteTides, Neap share the key “tide”.'])
  fireEvent.click(screen.getAllByRole('button', { name: 'Neap' })[0] as HTMLElement)
  expect(useTableView.getState().currentId).toBe('1')
})

describe('the trace', () => {
  it('underlines the match in its surroundings, and drops them once the chat has moved on', () => {
    const fired = result.fired[0]
    if (!fired) throw new Error('The result has lost its entry.')
    const props = { fired, draft: true, contents: new Map<string, string>() }
    const { container, rerender } = render(<FiredRow {...props} texts={['The Tide rises at noon']} />)
    expect(container.querySelector('p')?.textContent).toBe('Key Tide in the draft: “The Tide rises at noon”')
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Tide', 'Tide'])
    expect(container.querySelector('.meta')?.textContent).toBe('depth 4, System · order 50 · sweep 1')
    rerender(<FiredRow {...props} texts={['Something else']} />)
    expect(container.querySelector('p')?.textContent).toBe('Key Tide in the draft')
  })

  it('leads from a row to the entry in the editor', () => {
    const notFired = result.notFired[0]
    if (!notFired) throw new Error('The result has lost its entry.')
    show(<NotFiredRow notFired={notFired} />)
    expect(screen.getByText('No key matched')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Neap' }))
    expect(useNavigation.getState()).toMatchObject({ place: 'worldbooks', placeTarget: 'b1/1' })
  })
})

describe('an import', () => {
  const report: ImportReport = {
    worldbookIds: [],
    format: 'character_card_v3',
    books: [{ name: 'Ledger', entries: 6 }],
    entries: { imported: 6, skipped: [{ index: 2, reason: 'it is a number' }] },
    keptNotExecuted: ['priority'],
    collisions: [{ name: 'Ledger', worldbookId: 'old' }],
    warnings: [{ code: 'x', message: 'Left out: notes.' }],
    card: {
      name: 'Wen',
      description: '',
      personality: '',
      scenario: '',
      firstMessage: '',
      alternateGreetings: [],
      systemPrompt: '',
      postHistoryInstructions: '',
    },
    sessionPrompts: {
      title: 'Wen',
      topicPrompt: 'Runs the harbour.',
      enhancedPrompt: 'Stay brief.',
      firstMessage: '“水呢？”',
      alternateGreetings: ['“盐呢？”'],
    },
    dryRun: true,
  }
  const file = (name: string) => new File(['{}'], name)

  it('shows the report of every file before anything is stored, then does as chosen', async () => {
    const strata = fakeStrata({
      'worldbook.import': ({ fileName, dryRun }: { fileName: string; dryRun?: boolean }) => {
        if (fileName === 'notes.txt') throw new Error('This is no worldbook.')
        return dryRun ? report : { ...report, worldbookIds: ['new'], dryRun: false }
      },
      'worldbook.list': () => [],
    })
    show(<ImportDialog />)
    await startImport([file('card.png'), file('notes.txt')])
    expect(strata.inputsOf('worldbook.import').every((input) => (input as { dryRun?: boolean }).dryRun)).toBe(true)
    const dialog = await screen.findByRole('dialog')
    for (const words of [
      'Character card V3',
      'Entry 3: it is a number',
      'priority',
      'Left out: notes.',
      'This is no worldbook.',
    ]) {
      expect(dialog.textContent).toContain(words)
    }
    fireEvent.click(within(dialog).getByRole('button', { name: 'Update' }))
    fireEvent.click(within(dialog).getByRole('button', { name: 'Import 1 book' }))
    await within(dialog).findByText('1 book imported')
    expect(strata.inputsOf('worldbook.import').at(-1)).toMatchObject({ fileName: 'card.png', onCollision: 'update' })
  })

  it('leaves out what is unticked, and a file that is far too large is not even sent', async () => {
    const strata = fakeStrata({ 'worldbook.import': () => report, 'worldbook.list': () => [] })
    show(<ImportDialog />)
    await startImport([
      file('a.json'),
      { name: 'huge.json', size: 65 * 1024 * 1024, arrayBuffer: async () => new ArrayBuffer(0) },
    ])
    await screen.findByText(/larger than 64 MB/)
    expect(strata.inputsOf('worldbook.import')).toHaveLength(1)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Import a.json' }))
    expect(screen.getByRole('button', { name: 'Nothing to import' })).toHaveProperty('disabled', true)
  })

  it('makes a chat from a card with its book bound', async () => {
    const strata = fakeStrata({
      'worldbook.import': ({ dryRun }: { dryRun?: boolean }) =>
        dryRun ? report : { ...report, worldbookIds: ['new'] },
      'worldbook.list': () => [],
      'sessions.create': () => aSession({ id: 's9' }),
    })
    show(<ImportDialog />)
    await startImport([file('card.png')])
    fireEvent.click(await screen.findByRole('button', { name: 'Make a chat from this card' }))
    await waitFor(() => expect(useNavigation.getState().sessionId).toBe('s9'))
    expect(strata.inputsOf('sessions.create')).toEqual([
      {
        title: 'Wen',
        topicPrompt: 'Runs the harbour.',
        enhancedPrompt: 'Stay brief.',
        worldbookIds: ['new'],
        greetings: ['“水呢？”', '“盐呢？”'],
      },
    ])
    expect(useImport.getState().open).toBe(false)
  })

  it('tells the first message as a scene instead, or leaves it out', () => {
    const prompts = {
      title: 'Wen',
      topicPrompt: 'Runs it.',
      enhancedPrompt: '',
      firstMessage: '“水呢？”',
      alternateGreetings: [],
    }
    expect(chatFrom(prompts, [], { place: 'topic', heading: 'Opening scene' })).toEqual({
      title: 'Wen',
      topicPrompt: 'Runs it.\n\n## Opening scene\n“水呢？”',
      worldbookIds: [],
    })
    expect(chatFrom(prompts, [], { place: 'none', heading: 'Opening scene' })).toEqual({
      title: 'Wen',
      topicPrompt: 'Runs it.',
      worldbookIds: [],
    })
  })

  it('takes pasted JSON for a book and other text for text', () => {
    expect(textFile('\uFEFF  {"entries":{}}')?.name).toBe('pasted.json')
    expect(textFile('[1]')).not.toBeNull()
    expect(textFile('tide')).toBeNull()
  })
})

it('speaks Chinese where the engine speaks English', () => {
  setLanguage('zh-CN')
  expect(i18n.t('worldbook:lint.code.duplicate_key', { count: 2, key: '灯' })).toBe('共用关键词“灯”。')
})
