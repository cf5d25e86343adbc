import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import chinese from '../resources/locales/zh-CN/said.json'

const files = globSync('src-main/**/*.ts', { exclude: ['**/*.test.ts', '**/testing/**'] })
const source = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

/** The template literal that begins at `from`, its places numbered: ``a ${x} b`` is `a {0} b`. */
function templateAt(text: string, from: number): string {
  let key = ''
  let places = 0
  for (let at = from + 1; text[at] !== '`'; at += 1) {
    if (text[at] === '\\') key += text[++at] ?? ''
    else if (text.startsWith('${', at)) {
      key += `{${places++}}`
      at = endOfPlace(text, at + 2)
    } else key += text[at] ?? ''
  }
  return key
}

/** Where the place that begins before `from` ends; places hold braces and templates of their own. */
function endOfPlace(text: string, from: number): number {
  let depth = 1
  let at = from
  for (; depth > 0; at += 1) {
    if (text[at] === '`') at = endOfTemplate(text, at)
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
  }
  return at - 1
}

function endOfTemplate(text: string, from: number): number {
  let at = from + 1
  for (; text[at] !== '`'; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text.startsWith('${', at)) at = endOfPlace(text, at + 2)
  }
  return at
}

function sentencesOf(text: string): string[] {
  const tagged = [...text.matchAll(/\bsaid`/g)].map((match) => templateAt(text, match.index + match[0].length - 1))
  const plain = [...text.matchAll(/new AppError\(\s*'[\w.]+',\s*'((?:[^'\\]|\\.)*)'/g)].map((match) => match[1] ?? '')
  const reasons = [...text.matchAll(/\bunreadable\w*\(\s*'((?:[^'\\]|\\.)*)'/g)].map((match) => match[1] ?? '')
  return [...tagged, ...[...plain, ...reasons].map((sentence) => sentence.replaceAll(/\\(.)/g, '$1'))]
}

const places = (text: string) => [...text.matchAll(/\{\d+\}/g)].map(([place]) => place).toSorted()
const catalogue = new Map(Object.entries(chinese))

describe('the catalogue of what the main process says', () => {
  it.each([...source].filter(([, text]) => sentencesOf(text).length > 0))('has every sentence of %s', (_file, text) => {
    expect(sentencesOf(text).filter((sentence) => /\p{L}/u.test(sentence) && !catalogue.has(sentence))).toEqual([])
  })

  it('names the same places in both languages', () => {
    for (const [sentence, translated] of catalogue) expect(places(translated), sentence).toEqual(places(sentence))
  })

  it('holds nothing that is no longer said', () => {
    const said = new Set([...source.values()].flatMap(sentencesOf))
    const texts = [...source.values()].join('\n').replaceAll("\\'", "'")
    const glue = /^[{}\d\s;]+$/
    const stale = [...catalogue.keys()].filter((key) => !said.has(key) && !texts.includes(key) && !glue.test(key))
    expect(stale).toEqual([])
  })
})
