import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Block, settledBlocks, splitBlocks } from './split-blocks'

const kinds = (text: string) => splitBlocks(text).map((block) => block.kind)
const texts = (text: string) =>
  splitBlocks(text).map((block) => (block.kind === 'code' ? `[${block.language}]${block.code}` : block.text))

describe('splitBlocks', () => {
  it('splits paragraphs at blank lines', () => {
    expect(texts('one\ntwo\n\nthree')).toEqual(['one\ntwo', 'three'])
  })

  it('keeps a loose list and its nested parts together', () => {
    expect(texts('- a\n\n- b\n\n  more of b\n\n  ```\n  code\n\n  more\n  ```\n\nafter')).toEqual([
      '- a\n\n- b\n\n  more of b\n\n  ```\n  code\n\n  more\n  ```',
      'after',
    ])
  })

  it('takes a fence apart from the text around it', () => {
    expect(texts('before\n```ts\nconst a = 1\n\nconst b = 2\n```\nafter')).toEqual([
      'before',
      '[ts]const a = 1\n\nconst b = 2',
      'after',
    ])
  })

  it('knows an open fence, a longer closing fence and a tilde fence', () => {
    expect(splitBlocks('```py\nx = 1')[0]).toMatchObject({ kind: 'code', language: 'py', code: 'x = 1', closed: false })
    expect(splitBlocks('```\na\n`````\n')[0]).toMatchObject({ code: 'a', closed: true })
    expect(splitBlocks('~~~\n```\n~~~')[0]).toMatchObject({ code: '```', closed: true })
    expect(splitBlocks('```\n```')[0]).toMatchObject({ code: '', closed: true })
  })

  it('keeps a formula with blank lines in one block', () => {
    expect(texts('$$\na\n\nb\n$$\n\nnext')).toEqual(['$$\na\n\nb\n$$', 'next'])
    expect(texts('\\[\nx\n\\]\nnext')).toEqual(['\\[\nx\n\\]', 'next'])
  })

  it('cuts long lists and tables, repeating the table head', () => {
    const list = Array.from({ length: 400 }, (_, index) => `- item number ${index} with some words`).join('\n')
    expect(splitBlocks(list).length).toBeGreaterThan(2)
    const rows = Array.from({ length: 400 }, (_, index) => `| row ${index} | words in a cell |`).join('\n')
    const tables = splitBlocks(`| a | b |\n|---|---|\n${rows}`)
    expect(tables.length).toBeGreaterThan(2)
    for (const table of tables)
      expect(table.kind === 'markdown' && table.text.startsWith('| a | b |\n|---|---|\n')).toBe(true)
    const shown = tables.flatMap((table) => (table.kind === 'markdown' ? table.text.split('\n').slice(2) : []))
    expect(shown.join('\n')).toBe(rows)
  })

  it('shows as plain text what no parser should see', () => {
    expect(kinds(`${'> '.repeat(10_000)}deep`)).toEqual(['plain'])
    expect(kinds('a'.repeat(2_000_000))).toEqual(['plain'])
  })

  const line = fc.constantFrom(
    '',
    'words',
    '- item',
    '  - nested',
    '1. first',
    '> quote',
    '# head',
    '```ts',
    '```',
    '| a | b |',
    '|---|---|',
    '$$',
    'x $y$ z',
    '    indented',
  )
  const document = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'))

  it('settles all but the last two blocks', () => {
    fc.assert(
      fc.property(document, fc.string({ maxLength: 20 }), (head, tail) => {
        const settled = splitBlocks(head).slice(0, settledBlocks(splitBlocks(head)))
        expect(splitBlocks(head + tail).slice(0, settled.length)).toEqual(settled)
      }),
      { numRuns: 400 },
    )
  })

  it('splits a long table that is still growing as it does a whole one', () => {
    let text = '| a | b |\n|---|---|\n'
    let blocks: Block[] = []
    for (let row = 0; row < 500; row++) {
      text += `| row ${row} | some words in a cell |\n`
      const settled = settledBlocks(blocks)
      blocks = [...blocks.slice(0, settled), ...splitBlocks(text, settled ? (blocks[settled]?.start ?? 0) : 0)]
    }
    expect(blocks).toEqual(splitBlocks(text))
    expect(blocks.length).toBeGreaterThan(3)
  })

  it('comes to the same blocks when only the open ones are split again', () => {
    fc.assert(
      fc.property(document, fc.array(fc.string({ maxLength: 6 }), { maxLength: 8 }), (head, pieces) => {
        let text = head
        let blocks: Block[] = splitBlocks(text)
        for (const piece of pieces) {
          text += piece
          const settled = settledBlocks(blocks)
          const from = blocks[settled]?.start ?? 0
          blocks = [...blocks.slice(0, settled), ...splitBlocks(text, settled ? from : 0)]
          expect(blocks).toEqual(splitBlocks(text))
        }
      }),
      { numRuns: 300 },
    )
  })
})
