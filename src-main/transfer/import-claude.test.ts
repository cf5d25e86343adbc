import { afterEach, beforeEach, expect, it } from 'vitest'
import { onePixel, zipOf } from '../../e2e/support/import-files'
import { transferHouse } from '../testing/transfer-house'

let house: ReturnType<typeof transferHouse>
beforeEach(() => {
  house = transferHouse()
})
afterEach(() => house.room.close())

const ROOT = '00000000-0000-4000-8000-000000000000'
const AT = '2025-03-01T08:00:00.123456Z'

const message = (uuid: string, sender: string, text: string, more: object = {}) => ({
  uuid,
  sender,
  text,
  content: [{ type: 'text', text }],
  created_at: AT,
  attachments: [],
  files: [],
  ...more,
})

const chat = (messages: object[], more: object = {}) => ({
  uuid: 'chat-1',
  name: 'Tides 潮汐',
  created_at: '2025-03-01T07:59:00Z',
  updated_at: '2025-03-02T08:00:00Z',
  account: { uuid: 'me' },
  chat_messages: messages,
  ...more,
})

const ANSWER = {
  text: 'ignored where blocks stand',
  content: [
    { type: 'thinking', thinking: 'The moon moves on.', summaries: [{ summary: 'Moon' }] },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', name: 'web_search', input: { query: 'tides' } },
    {
      type: 'tool_result',
      name: 'web_search',
      content: [{ type: 'knowledge', title: 'Table', url: 'https://tides.example', text: 'Noon.' }],
      is_error: false,
    },
    { type: 'token_budget' },
    { type: 'text', text: 'At noon.' },
  ],
}

it('reads blocks in their order: thinking, text, calls of tools with their results', async () => {
  const messages = [message('u', 'human', 'When is high water?'), message('a', 'assistant', '', ANSWER)]
  const report = await house.take('conversations.json', JSON.stringify([chat(messages)]))
  expect(report).toMatchObject({ format: 'claude', sessions: { imported: 1, skipped: [] }, messages: 2, warnings: [] })
  const [id = ''] = report.sessionIds
  expect(house.store.requireSession(id)).toMatchObject({
    title: 'Tides 潮汐',
    createdAt: '2025-03-01T07:59:00.000Z',
    updatedAt: '2025-03-02T08:00:00.000Z',
  })
  const [question, answer] = house.store.branchOf(id)
  expect(question).toMatchObject({ role: 'user', text: 'When is high water?', createdAt: '2025-03-01T08:00:00.123Z' })
  expect(answer?.text).toBe('Let me look.\n\nAt noon.')
  expect(answer?.parts).toEqual([
    { type: 'reasoning', text: 'The moon moves on.' },
    { type: 'text', text: 'Let me look.' },
    {
      type: 'tool',
      callId: expect.any(String),
      toolId: 'web_search',
      name: 'web_search',
      arguments: { query: 'tides' },
      state: 'completed',
      result: 'Table\nhttps://tides.example\nNoon.',
    },
    { type: 'text', text: 'At noon.' },
  ])
  expect((await house.take('again.json', JSON.stringify([chat(messages)]))).sessions.existing).toBe(1)
})

it('attaches the texts of attachments and the files the ZIP holds, and counts those it only names', async () => {
  const note = 'High water at noon.'
  const messages = [
    message('u', 'human', '', {
      content: [],
      attachments: [
        { file_name: 'notes.md', file_size: note.length, file_type: 'md', extracted_content: note },
        { file_name: 'table.pdf', file_size: 90_000, file_type: 'pdf', extracted_content: 'Noon 3.1 m' },
        { file_name: 'empty.pdf', file_size: 10, file_type: 'pdf', extracted_content: '' },
        { file_name: '', file_size: 0, file_type: '', extracted_content: 'pasted words' },
      ],
      files: [{ file_name: 'pier.png', file_uuid: 'aaaa-bbbb' }, { file_name: 'gone.png' }],
    }),
    message('a', 'assistant', 'I see.'),
  ]
  const zip = zipOf({
    'data/conversations.json': JSON.stringify([chat(messages)]),
    'data/users.json': '[{"uuid":"me"}]',
    'data/projects.json': '[{"uuid":"p","name":"Harbour","docs":[]}]',
    'data/files/pier.png': onePixel(),
  })
  const report = await house.take('data-2025-03-02.zip', zip)
  expect(report).toMatchObject({ format: 'claude', messages: 2, files: { attached: 4, missing: 2 } })
  expect(report.warnings).toEqual(['"Tides 潮汐": 2 images and files are not part of the file and were left out.'])
  const [first] = house.store.branchOf(report.sessionIds[0] ?? '')
  expect(first?.attachments.map(({ name, extractedText }) => [name, extractedText])).toEqual([
    ['notes.md', note],
    ['table.pdf.txt', 'Noon 3.1 m'],
    ['pasted.txt', 'pasted words'],
    ['pier.png', undefined],
  ])
})

it('keeps branches: the newest is shown, or the one looked at last', async () => {
  const messages = [
    message('u1', 'human', 'First try', { parent_message_uuid: ROOT }),
    message('a1', 'assistant', 'One', { parent_message_uuid: 'u1' }),
    message('u2', 'human', 'Second try', { parent_message_uuid: ROOT }),
    message('a2', 'assistant', 'Two', { parent_message_uuid: 'u2' }),
    message('a3', 'assistant', 'Three', { parent_message_uuid: 'u2' }),
  ]
  const newest = await house.take('c.json', JSON.stringify([chat(messages)]))
  expect(house.branch(newest.sessionIds[0])).toEqual([
    ['user', 'Second try'],
    ['assistant', 'Three'],
  ])
  expect(house.store.branchOf(newest.sessionIds[0] ?? '')[1]?.siblings).toHaveLength(2)
  const looked = chat(messages, { uuid: 'chat-2', current_leaf_message_uuid: 'a1' })
  const report = await house.take('c.json', JSON.stringify([looked]))
  expect(house.branch(report.sessionIds[0])[1]).toEqual(['assistant', 'One'])
})

it('shows a document written through a tool as the text it is, and joins what hangs on nothing said', async () => {
  const artifact = {
    type: 'tool_use',
    name: 'artifacts',
    input: { title: 'Crew note', type: 'text/markdown', content: '# Note' },
  }
  const messages = [
    message('u', 'human', 'Write.', { parent_message_uuid: ROOT }),
    message('x', 'assistant', '', { content: [], parent_message_uuid: 'u' }),
    message('a', 'assistant', '', { content: [artifact], parent_message_uuid: 'x' }),
    message('old', 'human', 'An export of before the blocks', { content: undefined, parent_message_uuid: 'a' }),
  ]
  const report = await house.take('c.json', JSON.stringify(chat(messages)))
  expect(house.branch(report.sessionIds[0])).toEqual([
    ['user', 'Write.'],
    ['assistant', '**Crew note**\n\n# Note'],
    ['user', 'An export of before the blocks'],
  ])
})
