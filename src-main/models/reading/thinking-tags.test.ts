import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createThinkingReader } from './thinking-tags'

/** Text and thoughts of an answer that comes in these pieces. */
function read(pieces: readonly string[], options: { properly?: boolean; before?: string } = {}) {
  const reader = createThinkingReader(options.before)
  let text = ''
  let reasoning = ''
  for (const told of [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end(options.properly ?? true)]) {
    if (told.type === 'text') text += told.text
    if (told.type === 'reasoning') reasoning += told.text
    if (told.type === 'begun-inside') {
      reasoning = told.text
      text = ''
    }
  }
  return { text, reasoning }
}

const letters = (text: string): string[] => [...text]

describe('thinking at the head of an answer', () => {
  it.each([
    ['<think>\nHm.\n</think>\n\nYes.', 'Hm.', 'Yes.'],
    ['<think>Hm.</think>Yes.', 'Hm.', 'Yes.'],
    ['<think> Hm. </think> Yes.', 'Hm.', 'Yes.'],
    ['\n\n  <think>\nHm.\n</think>\nYes.', 'Hm.', 'Yes.'],
    ['<thinking>Hm.</thinking>\nYes.', 'Hm.', 'Yes.'],
    ['<THINK>Hm.</Think>Yes.', 'Hm.', 'Yes.'],
    ['<seed:think>Hm.</seed:think>Yes.', 'Hm.', 'Yes.'],
    ['[THINK]Hm.[/THINK]Yes.', 'Hm.', 'Yes.'],
    ['◁think▷Hm.◁/think▷Yes.', 'Hm.', 'Yes.'],
    ['<think>\n\n</think>\n\nYes.', '', 'Yes.'],
    ['<think></think>Yes.', '', 'Yes.'],
    ['<think>One.</think>\n<think>Two.</think>\nYes.', 'One.Two.', 'Yes.'],
    ['<think>a < b and </thin is no end</think>Yes.', 'a < b and </thin is no end', 'Yes.'],
    ['<think>Hm.</think>\nUse <think> and </think>.', 'Hm.', 'Use <think> and </think>.'],
  ])('%j', (answer, reasoning, text) => {
    expect(read([answer])).toEqual({ text, reasoning })
    expect(read(letters(answer))).toEqual({ text, reasoning })
  })

  it('reads the same however the answer is cut into pieces', () => {
    const answer = ' \n<think>\nFirst < second.\n\n</think>\n\n# Yes\n\n`<think>` it is.'
    fc.assert(
      fc.property(fc.array(fc.nat(answer.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), answer.length]
        const pieces = places.slice(1).map((place, at) => answer.slice(places[at], place))
        expect(read(pieces)).toEqual({ text: '# Yes\n\n`<think>` it is.', reasoning: 'First < second.' })
      }),
    )
  })

  it.each([
    'Use `<think>` and `</think>` as tags.',
    '`<think>` opens it.\n</think> closes it.',
    '```xml\n<think>\n</think>\n```\nThat is all.',
    '```\n</think>\n```\nends a thought.',
    'The parser looks for </think> and stops there.',
    'Write "</think>" at the end.',
    'Close it with </think>\n\nThen go on.',
    'An opening <think>\nand then\n</think>\nis one block.',
    '<thinker> is a class.',
    '<th>Head</th>',
    '<',
    '[x] done',
    '  indented',
    '<think> is a tag of reasoning models.',
    '',
  ])('a text about the tag stays whole: %j', (answer) => {
    expect(read([answer])).toEqual({ text: answer, reasoning: '' })
    expect(read(letters(answer))).toEqual({ text: answer, reasoning: '' })
  })

  it('an answer cut inside its thinking is thinking only', () => {
    for (const answer of ['<think>Hm', '<think>\nHm, so', '<think> Hm', '<think>\nHm\n</thi'])
      expect(read(letters(answer), { properly: false })).toMatchObject({ text: '' })
    expect(read(['<think>\nHm, so'], { properly: false }).reasoning).toBe('Hm, so')
  })

  it('thinking that is never closed stays thinking, though the server calls the answer complete', () => {
    expect(read(letters('<think>\nHm, so.\nAnd so.'))).toEqual({ text: '', reasoning: 'Hm, so.\nAnd so.' })
  })
})

describe('an answer that begins inside its thinking', () => {
  it.each([
    ['First, hm.\n\nSo.\n</think>\n\nYes.', 'First, hm.\n\nSo.', 'Yes.'],
    ['Hm.</think>Yes.', 'Hm.', 'Yes.'],
    ['Hm.</think>\n\nYes.', 'Hm.', 'Yes.'],
    ['想一想。</think>是的。', '想一想。', '是的。'],
    ['\n</think>\n\nYes.', '', 'Yes.'],
    ['Hm.\n</think>', 'Hm.', ''],
  ])('%j', (answer, reasoning, text) => {
    expect(read([answer])).toEqual({ text, reasoning })
    expect(read(letters(answer))).toEqual({ text, reasoning })
  })
})

it('what goes on with an open code span does not begin a thought', () => {
  expect(read(['<think>` is the tag.'], { before: 'The answer is `' }).text).toBe('<think>` is the tag.')
  expect(read(['<think>\nHm.\n</think>\nrest.'], { before: 'The answer is the ' })).toEqual({
    text: 'rest.',
    reasoning: 'Hm.',
  })
})
