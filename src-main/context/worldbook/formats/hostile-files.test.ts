import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../ipc/app-error'
import { chunk, iTextChunk, json, png, textChunk, zTextChunk } from './card-fixture'
import { readWorldbookFile } from './read-worldbook-file'

const latin = (text: string) => Buffer.from(text, 'latin1')

function refusal(bytes: Uint8Array): { code: string; message: string } {
  try {
    readWorldbookFile('file', bytes)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('The file was accepted.')
}

const card = (name: string, content = 'x') => ({
  ...{ spec: 'chara_card_v2', spec_version: '2.0' },
  data: { name, first_mes: 'Hi', character_book: { entries: [{ keys: ['a'], content, insertion_order: 1 }] } },
})
const nameIn = (bytes: Uint8Array) => readWorldbookFile('card.png', bytes).report.card?.name

describe('pictures', () => {
  it('prefers ccv3, compares keywords without case and reads every kind of text chunk', () => {
    expect(nameIn(png(textChunk('chara', card('two')), textChunk('CCV3', card('three'))))).toBe('three')
    expect(nameIn(png(textChunk('Chara', card('two'))))).toBe('two')
    expect(nameIn(png(zTextChunk('ccv3', latin(json(card('z')).toString('base64')))))).toBe('z')
    expect(nameIn(png(iTextChunk('ccv3', card('港务长'), true)))).toBe('港务长')
    expect(nameIn(png(iTextChunk('chara', card('plain'), false)))).toBe('plain')
    expect(nameIn(png(zTextChunk('chara', json(card('raw json')))))).toBe('raw json')
  })

  it('reads a NovelAI lorebook in a picture', () => {
    const lorebook = { lorebookVersion: 4, entries: [{ text: 't', keys: ['k'], displayName: 'D' }] }
    expect(readWorldbookFile('n.png', png(textChunk('naidata', lorebook))).books[0]?.entries[0]?.content).toBe('t')
  })

  it('refuses a picture cut short anywhere, or with a lying length', () => {
    const whole = png(textChunk('chara', card('two')))
    for (let length = 8; length < whole.length; length += 7)
      expect(refusal(whole.subarray(0, length)).code).toBe('import.unreadable')
    const lying = [0xffffffff, 0x7fffffff, 5_000].map((length) => png(chunk('tEXt', latin('chara\0e30='), { length })))
    for (const bytes of lying) expect(refusal(bytes).message).toContain('cut short')
  })

  it('uses a damaged copy only when there is no sound one, and says so', () => {
    const damaged = textChunk('ccv3', card('damaged'), { checksum: 1 })
    expect(nameIn(png(damaged, textChunk('chara', card('sound'))))).toBe('sound')
    const alone = readWorldbookFile('c.png', png(damaged))
    expect(alone.report.card?.name).toBe('damaged')
    expect(alone.report.warnings.map((warning) => warning.code)).toContain('png_checksum')
    const broken = chunk('tEXt', latin('ccv3\0bm8ganNvbg=='))
    const fallback = readWorldbookFile('c.png', png(broken, textChunk('chara', card('two'))))
    expect(fallback.report.card?.name).toBe('two')
    expect(fallback.report.warnings.map((warning) => warning.code)).toContain('png_fallback')
    expect(refusal(png(broken)).message).toContain('not valid JSON')
  })

  it('stops inflating a bomb', () => {
    const bomb = png(zTextChunk('chara', Buffer.alloc(120 * 1024 * 1024, 0x41)))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(refusal(bomb)).toMatchObject({ code: 'import.too_large', message: expect.stringContaining('64 MB') })
  })

  it('tells a picture without a card from other pictures', () => {
    expect(refusal(png()).message).toContain('no character card')
    expect(refusal(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])).message).toContain('Only PNG')
  })
})

describe('archives', () => {
  it('reads card.json out of a CHARX', () => {
    const archive = zipSync({
      'card.json': json(card('zipped')),
      'assets/a.bin': new Uint8Array(9),
      'm.risum': new Uint8Array(1),
    })
    const result = readWorldbookFile('c.charx', archive)
    expect(result.report.card?.name).toBe('zipped')
    expect(result.report.warnings.map((warning) => warning.code)).toContain('risu_module')
  })

  it('refuses bombs, crowds, wrecks and strangers', () => {
    expect(refusal(zipSync({ 'card.json': new Uint8Array(65 * 1024 * 1024) })).code).toBe('import.too_large')
    const crowd = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`f${index}`, new Uint8Array(0)]))
    expect(refusal(zipSync(crowd, { level: 0 })).code).toBe('import.too_large')
    const whole = zipSync({ 'card.json': json(card('zipped')) })
    expect(refusal(whole.subarray(0, whole.length - 30)).code).toBe('import.unreadable')
    expect(refusal(zipSync({ 'readme.txt': strToU8('x') })).message).toContain('no card.json')
    expect(refusal(zipSync({ __proto__x: strToU8('x') })).code).toBe('import.unreadable')
  })

  it('does not trust the declared size', () => {
    const archive = zipSync({ 'card.json': json(card('zipped', 'x'.repeat(5000))) })
    const view = new DataView(archive.buffer, archive.byteOffset)
    const central = Buffer.from(archive).lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    view.setUint32(central + 24, 16, true)
    expect(refusal(archive).code).toBe('import.unreadable')
  })
})

describe('texts', () => {
  it('refuses a file of 100 MB without looking into it', () => {
    expect(refusal(Buffer.alloc(100 * 1024 * 1024, 0x20))).toStrictEqual({
      code: 'import.too_large',
      message: 'The file has 100 MB; 64 MB is the most. Split the book and import the parts.',
    })
  })

  it('refuses bottomless nesting, in a value and in an entry', () => {
    const deep = `{"entries":{"0":{"key":["a"],"content":"x","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`
    expect(refusal(Buffer.from(deep))).toMatchObject({
      code: 'import.unreadable',
      message: expect.stringContaining('levels deep'),
    })
    expect(refusal(Buffer.from('{"a":'.repeat(500_000))).message).toContain('levels deep')
  })

  it('refuses millions of tiny values', () => {
    expect(refusal(Buffer.from(`{"entries":[${'null,'.repeat(9_000_000)}null]}`)).code).toBe('import.too_large')
    expect(refusal(Buffer.from(`{"entries":[${'0,'.repeat(200_001)}0]}`)).message).toContain('200000 is the most')
  })

  it('warns of duplicate keys and reads the last', () => {
    const text = '{"entries":{"0":{"key":["a"],"content":"first","content":"last"}},"name":"x","na\\u006de":"y"}'
    const result = readWorldbookFile('b.json', Buffer.from(text))
    expect(result.books[0]?.entries[0]?.content).toBe('last')
    expect(result.report.warnings).toMatchObject([
      { code: 'duplicate_key', message: expect.stringContaining('"content"') },
    ])
  })

  it('takes __proto__ and constructor for names like others', () => {
    const text = `{"__proto__":{"polluted":1},"entries":{"__proto__":{"key":["a"],"content":"x","__proto__":{"polluted":1},
      "constructor":{"prototype":{"polluted":1}},"group":"constructor","toString":5},"constructor":{"key":["b"],"content":"y"}}}`
    const result = readWorldbookFile('b.json', Buffer.from(text))
    expect(result.books[0]?.entries.map((entry) => entry.keys)).toStrictEqual([['a'], ['b']])
    expect(Object.hasOwn(result.books[0]?.entries[0]?.extra ?? {}, '__proto__')).toBe(true)
    expect(result.books[0]?.entries[0]).toMatchObject({ group: 'constructor' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it('reads byte order marks, UTF-16 and GB18030', () => {
    const text = JSON.stringify({ name: '雾港志', entries: [{ key: ['潮'], content: '潮汐' }] })
    const utf16be = Buffer.from(text, 'utf16le').swap16()
    const files = [
      Buffer.from(`\ufeff${text}`, 'utf8'),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(text, 'utf16le'),
      Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be]),
      utf16be,
    ]
    for (const file of files) expect(readWorldbookFile('b.json', file).books[0]?.name).toBe('雾港志')
    const head = latin('{"name":"')
    const gb = Buffer.concat([head, Buffer.from([0xb3, 0xb1]), latin('","entries":[{"key":["a"],"content":"x"}]}')])
    const legacy = readWorldbookFile('b.json', gb)
    expect(legacy.books[0]?.name).toBe('潮')
    expect(legacy.report.warnings.map((warning) => warning.code)).toStrictEqual(['encoding'])
  })

  it('says what is wrong with a file that is something else', () => {
    expect(refusal(Buffer.from('')).message).toContain('empty')
    expect(refusal(Buffer.from('{"entries":{"0":{"key"')).message).toContain('not valid JSON')
    for (const other of [5, 'x', null, {}, { messages: [] }, { entries: 7 }, { entries: null }, { entries: 'x' }]) {
      expect(refusal(json(other)).code).toBe('import.unreadable')
    }
    expect(refusal(json({ entries: [null, 5, { key: ['a'], content: 7 }] })).message).toContain('None of the 3 entries')
    expect(refusal(json({ spec: 'lorebook_v3', data: { name: 'x' } })).code).toBe('import.unreadable')
  })

  it('lists warnings of one kind up to a limit and counts the rest', () => {
    const entries = Array.from({ length: 300 }, (_, uid) => ({ uid, key: ['a'], content: 'x', position: 99 }))
    const { warnings } = readWorldbookFile('b.json', json({ entries })).report
    expect(warnings).toHaveLength(51)
    expect(warnings.at(-1)?.message).toBe('… and 250 more of this kind.')
  })
})
