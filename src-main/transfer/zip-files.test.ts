import { afterEach, beforeEach, expect, it } from 'vitest'
import { chatGptChat, onePixel, textBytes, zipOf } from '../../e2e/support/import-files'
import { sha256Of } from '../sessions/attachments/blob-store'
import { transferHouse } from '../testing/transfer-house'

let house: ReturnType<typeof transferHouse>
beforeEach(() => {
  house = transferHouse()
})
afterEach(() => house.room.close())

const text = (content: string) => textBytes(content)
const attachedTo = (id = '', index = 0) =>
  house.store.branchOf(id)[index]?.attachments.map(({ name, mediaType, sha256 }) => [name, mediaType, sha256])

it.each([
  ['file-service://file-AbCdEf123456', 'file-AbCdEf123456-the harbour.png', 'the harbour.png'],
  ['file-service://file-AbCdEf123456', 'export/file-AbCdEf123456-IMG_1-2.png', 'IMG_1-2.png'],
  ['sediment://file_00000000a1b2', 'user-9Xy/file_00000000a1b2-0f3c-44de.png', '0f3c-44de.png'],
  ['sediment://file_00000000a1b2', 'file_00000000a1b2.dat', 'file_00000000a1b2.dat'],
  ['sediment://aa11bb22cc#file_00000000a1b2#p_0.png', 'x/audio/file_00000000a1b2-sanitized.png', 'sanitized.png'],
  ['file-service://file-Zz9Zz9Zz9Zz9', 'dalle-generations/file-Zz9Zz9Zz9Zz9-5d2e.webp', '5d2e.webp'],
])('attaches the picture %s that lies as %s', async (address, entry, name) => {
  const picture = onePixel(entry)
  const chats = [chatGptChat('a', ['Look at this.', 'A harbour.'], [{ address }])]
  const zip = zipOf({
    'sub folder/conversations.json': JSON.stringify(chats),
    [entry]: picture,
    'file-other-thing.png': onePixel('another'),
    'chat.html': '<html></html>',
  })
  const dry = await house.take('export.zip', zip, true)
  expect(dry).toMatchObject({ files: { attached: 1, missing: 0 }, warnings: [] })
  expect(house.count('attachment')).toBe(0)
  const report = await house.take('export.zip', zip)
  expect(report).toMatchObject({ files: { attached: 1, missing: 0 }, warnings: [], messages: 2 })
  expect(attachedTo(report.sessionIds[0])).toEqual([[name, 'image/png', sha256Of(picture)]])
  expect(Buffer.from(await house.store.readAttachment(sha256Of(picture)))).toEqual(Buffer.from(picture))
})

it('keeps a picture without words, other files under their own names, and says how many are missing', async () => {
  const picture = (id: string, name: string) => ({ address: `file-service://${id}`, attached: { id, name } })
  const chat = chatGptChat(
    'a',
    ['', 'Nice.'],
    [picture('file-aaaaaaaa', 'pier.png'), picture('file-bbbbbbbb', 'gone.png'), picture('file-cccccccc', 'log.txt')],
  )
  const zip = zipOf({
    'conversations.json': JSON.stringify([chat]),
    'file-aaaaaaaa-pier.png': onePixel(),
    'file-cccccccc-log.txt': text('at noon'),
  })
  const report = await house.take('export.zip', zip)
  expect(report.files).toEqual({ attached: 2, missing: 1 })
  expect(report.warnings).toEqual(['"Chat a": 1 images and files are not part of the file and were left out.'])
  expect(attachedTo(report.sessionIds[0])?.map(([name]) => name)).toEqual(['pier.png', 'log.txt'])
  expect(house.store.branchOf(report.sessionIds[0] ?? '')[0]?.attachments[1]?.extractedText).toBe('at noon')
})

const node = (id: string, parent: string, message: object) => [id, { id, parent, message }]
const pointer = (address: string, more = {}) => ({
  content_type: 'image_asset_pointer',
  asset_pointer: address,
  ...more,
})

it('gives a drawn picture to the words that follow it, or a message of its own', async () => {
  const drawn = (address: string, more = {}) => ({
    author: { role: 'tool', name: 'dalle.text2im' },
    content: { content_type: 'multimodal_text', parts: [pointer(address, more)] },
  })
  const says = (role: string, words: string) => ({
    author: { role },
    content: { content_type: 'text', parts: [words] },
  })
  const nameless = onePixel('a picture whose name the chats do not know')
  const chat = {
    title: 'Drawn',
    conversation_id: 'd',
    current_node: 't2',
    mapping: Object.fromEntries([
      node('u1', '', says('user', 'Draw a pier.')),
      node('t1', 'u1', drawn('sediment://file_00000000aaaa')),
      node('a1', 't1', says('assistant', 'Here it is.')),
      node('u2', 'a1', says('user', 'And a boat.')),
      node('t2', 'u2', drawn('file-service://file-unknown01', { size_bytes: nameless.length })),
    ]),
  }
  const zip = zipOf({
    'conversations-000.json': JSON.stringify([chat]),
    'file_00000000aaaa-1.png': onePixel(),
    'dalle-generations/EAB219rp.png': nameless,
  })
  const report = await house.take('export.zip', zip)
  const [id = ''] = report.sessionIds
  expect(house.branch(id)).toEqual([
    ['user', 'Draw a pier.'],
    ['assistant', 'Here it is.'],
    ['user', 'And a boat.'],
    ['assistant', ''],
  ])
  expect([1, 3].map((index) => attachedTo(id, index)?.length)).toEqual([1, 1])
  expect(report.files).toEqual({ attached: 2, missing: 0 })
})

it('calls files as the export says they were called', async () => {
  const chats = [chatGptChat('a', ['See.', 'Yes.'], [{ address: 'sediment://file_0000abcd' }])]
  const zip = zipOf({
    'conversations.json': JSON.stringify(chats),
    'conversation_asset_file_names.json': JSON.stringify({ 'file_0000abcd.dat': 'harbour.png' }),
    'file_0000abcd.dat': onePixel(),
  })
  const report = await house.take('export.zip', zip)
  expect(attachedTo(report.sessionIds[0])?.map(([name]) => name)).toEqual(['harbour.png'])
})

it('leaves out what cannot be attached, and says why', async () => {
  const chats = [chatGptChat('a', ['See.', 'Yes.'], [{ address: 'sediment://file_0000abcd' }])]
  const zip = zipOf({ 'conversations.json': JSON.stringify(chats), 'file_0000abcd.xlsx': zipOf({ a: 'b' }) })
  const report = await house.take('export.zip', zip)
  expect(report).toMatchObject({ messages: 2, files: { attached: 0, missing: 1 } })
  expect(report.warnings[0]).toContain('a ZIP archive or Office document')
})

it('reads a ZIP of SillyTavern chats, and one of single conversations under other names', async () => {
  const lines = (name: string) => `{"user_name":"You","character_name":"${name}"}\n{"name":"${name}","mes":"Hello."}\n`
  const tavern = await house.take('chats.zip', zipOf({ 'Ada/one.jsonl': lines('Ada'), 'Bob/one.jsonl': lines('Bob') }))
  expect(tavern).toMatchObject({ format: 'sillytavern', sessions: { imported: 2 }, messages: 2 })
  const zip = zipOf({
    'a.json': JSON.stringify(chatGptChat('a', ['Hi.'])),
    'b.json': JSON.stringify(chatGptChat('b', ['Ho.'])),
  })
  expect(await house.take('some.zip', zip)).toMatchObject({ format: 'chatgpt', sessions: { imported: 2 } })
})

it.each([
  ['cut off', (zip: Uint8Array) => zip.subarray(0, zip.length - 40), 'import.unreadable', 'cut off'],
  ['without its beginning', () => zipOf({ 'notes.txt': 'nothing' }), 'import.unreadable', 'neither conversations.json'],
  ['of a ZIP’s two letters alone', () => text('PK'), 'import.unreadable', 'damaged'],
  ['that unpacks to more than fits', bomb, 'import.too_large', 'MB'],
])('refuses a ZIP %s, and keeps nothing', async (_what, make, code, words) => {
  const zip = zipOf({ 'conversations.json': JSON.stringify([chatGptChat('a', ['Hi.'])]) })
  await expect(house.take('export.zip', make(zip))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  })
  expect([house.count('session'), house.count('message'), house.count('attachment')]).toEqual([0, 0, 0])
})

/** Its directory says two gigabytes. */
function bomb(zip: Uint8Array): Uint8Array {
  const made = zip.slice()
  const view = new DataView(made.buffer)
  for (let at = 0; at < made.length - 46; at += 1) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 2_000_000_000, true)
  }
  return made
}

it('a size that lies makes nothing grow', async () => {
  const zip = zipOf({ 'conversations.json': JSON.stringify([chatGptChat('a', ['tide '.repeat(10_000)])]) }).slice()
  const view = new DataView(zip.buffer)
  for (let at = 0; at < zip.length - 46; at += 1) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 100, true)
  }
  await expect(house.take('export.zip', zip)).rejects.toMatchObject({ code: 'import.unreadable' })
})
