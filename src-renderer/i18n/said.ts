import chinese from '../../resources/locales/zh-CN/said.json'
import type { Words } from '../../src-main/ipc/said-contract'
import { i18n } from './i18n'

/** By language, by English sentence. English needs none: the main process says it. */
const SENTENCES = new Map([['zh-CN', new Map<string, string>(Object.entries(chinese))]])

function fill({ key, values }: Words, sentences: ReadonlyMap<string, string>): string {
  const shown = (value: string | number | Words | undefined) =>
    typeof value === 'object' ? fill(value, sentences) : String(value ?? '')
  return (sentences.get(key) ?? key).replace(/\{(\d+)\}/g, (_place, index) => shown(values?.[Number(index)]))
}

/** What the main process says, in the language on screen. A sentence nobody has put into the catalogue stays English. */
export function inWords(text: string, words: Words = { key: text }): string {
  const sentences = SENTENCES.get(i18n.language)
  return sentences ? fill(words, sentences) : text
}
