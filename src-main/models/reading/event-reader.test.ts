import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventReader, type WireEvent } from './event-reader'

function read(...pieces: string[]): WireEvent[] {
  const reader = createEventReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

const values = (events: readonly WireEvent[]) =>
  events.map((event) => (event.kind === 'json' ? event.value : event.kind === 'done' ? 'DONE' : `? ${event.text}`))

describe('framings', () => {
  it.each([
    ['events', 'data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n', [{ a: 1 }, { a: 2 }, 'DONE']],
    ['no space, other line ends', 'data:{"a":1}\r\n\r\ndata:{"a":2}\r\rdata: [DONE]', [{ a: 1 }, { a: 2 }, 'DONE']],
    ['no blank lines between', 'data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n', [{ a: 1 }, { a: 2 }, 'DONE']],
    ['one event over several lines', 'data: {"a":\ndata: 1}\n\n', [{ a: 1 }]],
    ['the prefix twice', 'data: data: {"a":1}\n\n', [{ a: 1 }]],
    ['comments and other fields', ': hi\nid: 7\nretry: 10\nevent: x\ndata: {"a":1}\n\n: hi\n\n', [{ a: 1 }]],
    ['a byte order mark', '\uFEFFdata: {"a":1}\n\n', [{ a: 1 }]],
    ['no end of the last line', 'data: {"a":1}', [{ a: 1 }]],
    ['JSON lines', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['one value over many lines', '{\n  "a": {\n    "b": 1\n  }\n}\n', [{ a: { b: 1 } }]],
    ['a list over many lines', '[\n{"a":1},\n{"a":2}\n]', [[{ a: 1 }, { a: 2 }]]],
    ['JSON among events', 'data: {"a":1}\n\n{"error":"x"}\n', [{ a: 1 }, { error: 'x' }]],
    ['two values in one line', 'data: {"a":1}{"a":2}\n\n', [{ a: 1 }, { a: 2 }]],
    ['almost JSON', 'data: {"a":NaN,"b":True,}\n\n', [{ a: null, b: true }]],
    ['a line end inside a string', 'data: {"a":"x\ty"}\n\n', [{ a: 'x\ty' }]],
    ['plain words', 'upstream is down\n', ['? upstream is down']],
    [
      'a broken piece among whole ones',
      'data: {"a":1}\n\ndata: {"a":\n\ndata: {"a":3}\n\n',
      [{ a: 1 }, '? {"a":', { a: 3 }],
    ],
    ['nothing', '\n\n', []],
  ])('%s', (_name, text, expected) => {
    expect(values(read(text))).toEqual(expected)
    expect(values(read(...text))).toEqual(expected)
  })

  it('hands an event over as soon as its line has ended', () => {
    expect(values(createEventReader().push('data: {"a":1}\n'))).toEqual([{ a: 1 }])
  })

  it('tells the name an event was given', () => {
    expect(read('event: error\ndata: {"a":1}\n\n')).toEqual([{ kind: 'json', value: { a: 1 }, name: 'error' }])
    expect(read('event: error\ndata: no room\n\n')).toEqual([{ kind: 'unreadable', text: 'no room', name: 'error' }])
  })

  it('reads any JSON back, whatever the pieces', () => {
    const bodies = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 6 })
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 40 }), (all, size) => {
        const text = all.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        expect(values(read(...pieces))).toEqual(JSON.parse(JSON.stringify(all)))
      }),
    )
  })
})
