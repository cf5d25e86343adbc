import { createRequire } from 'node:module'
import type { pinyin } from 'pinyin-pro'

type Pinyin = typeof pinyin

let loaded: Pinyin | undefined

/** Its dictionary takes a tenth of a second to unfold, so it is read when the first Chinese name comes. */
function pinyinOf(text: string): string[] {
  loaded ??= (createRequire(import.meta.url)('pinyin-pro') as { pinyin: Pinyin }).pinyin
  return loaded(text, { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true })
}

const known = new Map<string, string>()
const MOST_KNOWN = 5000

/** A name in Latin letters as far as it can be written so: 查询天气 is `cha_xun_tian_qi`, météo is `meteo`. */
export function spelled(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const syllables = /\p{Script=Han}/u.test(name)
    ? pinyinOf(name).map((one) => one.trim().replace(/^_+|_+$/g, ''))
    : [name]
  const text = syllables.filter(Boolean).join('_').normalize('NFKD').replaceAll(/\p{M}/gu, '')
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, text)
  return text
}
