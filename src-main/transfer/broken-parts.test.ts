import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chatGptChat, claudeFile, strataFile, tavernFile, zipOf } from '../../e2e/support/import-files'
import { transferHouse } from '../testing/transfer-house'

let house: ReturnType<typeof transferHouse>
beforeEach(() => {
  house = transferHouse()
})
afterEach(() => house.room.close())

const texts = (id = '') => house.branch(id).map(([, text]) => text)

describe('lines of SillyTavern', () => {
  const H = '{"user_name":"You","character_name":"Ada","chat_metadata":{}}'
  const A = '{"name":"You","is_user":true,"mes":"a","send_date":1714111800000}'
  const B = '{"name":"Ada","is_user":false,"mes":"b","send_date":1714111801000}'
  const C = '{"name":"You","is_user":true,"mes":"c"}'
  const said = (number: number) => `Line ${number} is damaged and was left out; the lines around it were read.`

  it.each([
    ['a torn last line', [H, A, B, '{"name":"Ada","mes":"cut of'], ['a', 'b'], [said(4)]],
    ['a broken line in the middle', [H, A, '{"name":"Ada"', B], ['a', 'b'], [said(3)]],
    ['a line that is no object', [H, A, 'null', '17', B], ['a', 'b'], [said(3), said(4)]],
    ['a line of zeros, as a crash leaves', [H, A, '\0\0\0\0', B], ['a', 'b'], [said(3)]],
    ['no header', [A, B], ['a', 'b'], []],
    ['a broken header', ['{"user_name":"You","chara', A, B], ['a', 'b'], [said(1)]],
    ['a BOM, CRLF and empty lines', [`\uFEFF${H}\r`, '\r', `${A}\r`, '', `${B}\r`, '   '], ['a', 'b'], []],
    ['everything at once', [`\uFEFF${A}\r`, '{"mes', `${B}\r`, '', C, '{'], ['a', 'b', 'c'], [said(2), said(6)]],
  ])('%s', async (_what, lines, expected, warnings) => {
    const report = await house.take('Ada.jsonl', lines.join('\n'))
    expect(report).toMatchObject({
      format: 'sillytavern',
      sessions: { imported: 1 },
      messages: expected.length,
      warnings,
    })
    expect(texts(report.sessionIds[0])).toEqual(expected)
  })

  it('many broken lines are ten names and a number', async () => {
    const report = await house.take('Ada.jsonl', [H, A, ...Array.from({ length: 40 }, () => '{"x'), B].join('\n'))
    expect(report.warnings.at(-1)).toBe('30 more damaged lines were left out.')
    expect(report.warnings).toHaveLength(11)
  })

  it('two chats of one file name without a header are two', async () => {
    await house.take('chat.jsonl', [A, B].join('\n'))
    expect((await house.take('chat.jsonl', [B, A].join('\n'))).sessions.imported).toBe(1)
    expect((await house.take('chat.jsonl', [A, B].join('\n'))).sessions.existing).toBe(1)
  })
})

describe('conversations of a list', () => {
  const good = (id: string) => JSON.stringify(chatGptChat(id, [`hello ${id}`, 'yes']))
  const cases: [string, string, string[], number][] = [
    ['one that is null', `[${good('a')},null,${good('b')}]`, ['a', 'b'], 1],
    ['one of another shape', `[${good('a')},{"title":"odd","mapping":7},${good('b')}]`, ['a', 'b'], 1],
    [
      'one with a wound inside',
      `[${good('a')},${good('w').replace('"mapping":', '"mapping"')},${good('b')}]`,
      ['a', 'b'],
      1,
    ],
    ['one without its end', `[${good('a')},${good('w').slice(0, -9)},${good('b')}]`, ['a', 'b'], 1],
    ['the first one torn', `[${good('w').slice(0, 120)},${good('a')},${good('b')}]`, ['a', 'b'], 1],
    ['the file cut off', `[${good('a')},${good('b')},${good('w').slice(0, 200)}`, ['a', 'b'], 1],
    ['the end missing', `[${good('a')},${good('b')}`, ['a', 'b'], 0],
    ['a comma too many', `[${good('a')},,${good('b')},]`, ['a', 'b'], 0],
  ]
  it.each(cases)('%s', async (_what, file, ids, skipped) => {
    const report = await house.take('conversations.json', file)
    expect(report).toMatchObject({ format: 'chatgpt', sessions: { imported: ids.length } })
    expect(report.sessions.skipped).toHaveLength(skipped)
    expect(report.sessionIds.map((id) => texts(id)[0])).toEqual(ids.map((id) => `hello ${id}`))
    const zipped = await house.take('e.zip', zipOf({ 'conversations.json': file }), true)
    expect(zipped.sessions).toMatchObject({ imported: 0, existing: ids.length })
  })

  it('the title of a torn one is told', async () => {
    const torn = good('w').slice(0, -9)
    const report = await house.take('conversations.json', `[${good('a')},${torn},${good('b')}]`)
    expect(report.sessions.skipped).toEqual([{ index: 1, title: 'Chat w', reason: 'It is damaged in the file.' }])
  })

  it('of Claude', async () => {
    const [one = '', two = ''] = JSON.parse(claudeFile({ chats: 2, messages: 2, length: 5 })).map((chat: object) =>
      JSON.stringify(chat),
    )
    const report = await house.take(
      'conversations.json',
      `[${one},{"uuid":"x","name":"odd"},{"uuid":"y","chat_me,${two}]`,
    )
    expect(report.sessions).toMatchObject({ imported: 2, skipped: [{ index: 1, title: 'odd' }, { index: 2 }] })
  })

  it('topics of Cherry Studio: one of no shape, and names that are damaged', async () => {
    const topic = { id: 't', messages: [{ id: 'm', role: 'user', content: 'hello' }] }
    const backup = {
      localStorage: { 'persist:cherry-studio': '{"assistants":"[{' },
      indexedDB: { topics: [null, topic, { id: 'u', messages: 'none' }], message_blocks: [] },
    }
    const report = await house.take('data.json', JSON.stringify(backup))
    expect(report.sessions).toMatchObject({ imported: 1, skipped: [{ index: 0 }, { index: 2 }] })
    expect(report.warnings).toEqual(['The names of the topics are not in the file; their first words stand in.'])
  })
})

describe('lines of ours', () => {
  const lines = () => strataFile({ chats: 2, messages: 4, length: 5 }).trimEnd().split('\n')
  const change = (index: number, how: (line: string) => string) =>
    lines().map((line, at) => (at === index ? how(line) : line))
  const first = (report: { sessionIds: string[] }) => texts(report.sessionIds[0]).map((text = '') => text.slice(0, 1))

  it('a damaged message: what hung on it hangs on the one above', async () => {
    const report = await house.take('x.json', change(3, (line) => line.slice(0, 90)).join('\n'))
    expect(report).toMatchObject({ sessions: { imported: 2 }, messages: 7 })
    expect(report.warnings).toEqual(['Line 4 is damaged and was left out; the lines around it were read.'])
    expect(first(report)).toEqual(['0', '2', '3'])
  })

  it('a damaged message of which nothing is known', async () => {
    const report = await house.take('x.json', change(3, () => 'xxxx').join('\n'))
    expect(first(report)).toEqual(['0', '2', '3'])
  })

  it('the damaged line of a chat: its messages are kept', async () => {
    const report = await house.take('x.json', change(6, (line) => line.slice(0, -12)).join('\n'))
    expect(report).toMatchObject({ sessions: { imported: 2 }, messages: 8, sessionIds: ['s0', 's1'] })
    expect(report.warnings[0]).toContain('Line 7 began a chat')
    expect(house.store.requireSession('s1').title).toBe('Ours 1')
    expect(texts('s1')).toHaveLength(4)
  })

  it('cut off: everything before is read', async () => {
    const file = lines().slice(0, 9).join('\n')
    const report = await house.take('x.json', file.slice(0, -20))
    expect(report).toMatchObject({ sessions: { imported: 2 }, messages: 5 })
    expect(report.warnings).toEqual([
      'Line 9 is damaged and was left out; the lines around it were read.',
      'The end of the file is missing: it was cut off. What stands before was read.',
    ])
  })

  it('two lines that became one', async () => {
    const made = lines()
    made.splice(2, 2, `${made[2]}${made[3]}`)
    expect(await house.take('x.json', made.join('\n'))).toMatchObject({ messages: 8, warnings: [] })
  })

  it('the same after a formatter', async () => {
    const pretty = JSON.stringify(JSON.parse(lines().join('\n')), null, 2)
    const report = await house.take('x.json', pretty.replace('"id": "s0-1",', '"id: "s0-1",'))
    expect(report).toMatchObject({ sessions: { imported: 2 }, messages: 7 })
    expect(first(report)).toEqual(['0', '2', '3'])
  })
})

describe('what is no export', () => {
  it.each([
    ['an empty file', '', 'it is empty'],
    ['blanks', ' \n ', 'it is empty'],
    ['unknown JSON', '{"hello":[1,2]}', 'ChatGPT or Claude'],
    ['a list of unknown things', '[{"a":1},{"b":2}]', 'ChatGPT or Claude'],
    ['no JSON', 'hello', 'it is not JSON'],
    ['lines of no chat', '{"a":1}\n{"b":2}', 'it is not JSON'],
    ['bytes', new Uint8Array([0xff, 0xd8, 0xff, 0, 1, 2]), 'it is not JSON'],
  ])('%s is refused with a reason', async (_what, content, reason) => {
    await expect(house.take('x.json', content)).rejects.toMatchObject({
      code: 'import.unreadable',
      message: expect.stringContaining(reason),
    })
    expect(house.count('session')).toBe(0)
  })

  it('the name does not decide: a ZIP called .json and a chat called .txt are read', async () => {
    const zip = zipOf({ 'conversations.json': JSON.stringify([chatGptChat('a', ['Hi.'])]) })
    expect(await house.take('export.json', zip, true)).toMatchObject({ format: 'chatgpt' })
    expect(await house.take('Ada.txt', tavernFile({ messages: 3, length: 5 }), true)).toMatchObject({ messages: 3 })
  })
})
