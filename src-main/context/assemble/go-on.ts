import type { RequestEntry, RequestPart } from '../request-contract'
import type { PromptLanguage } from '../templates-contract'
import type { ExpandedMessage } from './expand-history'
import { frame } from './render-block'

/** The words of the app around the last words of a cut-off answer. */
const GO_ON: Readonly<Record<PromptLanguage, readonly [before: string, after: string]>> = {
  en: [
    'The answer above was cut off. Go on with it exactly where it stops: repeat its last words, “',
    '”, and write on from there. No introduction, and repeat nothing else.',
  ],
  'zh-CN': [
    '上面的回答被截断了。请从断开的地方接着写：先重复最后几个字“',
    '”，再往下写。不要写开场白，也不要重复别的内容。',
  ],
}

/** Characters. Fewer may stand in the text by chance, more cost for nothing. */
const LEAST_WORDS = 8
const MOST_WORDS = 60
/** Scripts written without spaces are quoted by characters. */
const FEW_CHARACTERS = 12

/** The last words of a text, by which the place it stops at is found again; '' for a blank one. */
export function lastWords(text: string): string {
  const line = text.trimEnd().split('\n').at(-1)?.trimStart() ?? ''
  const words = line.split(/(?<=\s)(?=\S)/)
  let taken = ''
  for (let count = 0; words.length > 0 && (count < 3 || taken.length < LEAST_WORDS); count += 1) {
    taken = `${words.pop() ?? ''}${taken}`
  }
  const characters = [...taken]
  return characters.length > MOST_WORDS ? characters.slice(-FEW_CHARACTERS).join('').trimStart() : taken
}

/** The last text of a turn a request would end with, when that turn is the model's own. Thoughts may stand after it. */
function ownEnd(cutOff: ExpandedMessage | undefined): Extract<RequestPart, { type: 'text' }> | undefined {
  const last = cutOff?.entries.at(-1)
  return last?.role === 'assistant' ? last.parts.findLast((part) => part.type === 'text') : undefined
}

/** A line that asks to go on exactly where a cut-off answer stops, for servers that want the last word to be the user's. */
export function goOnEntries(cutOff: ExpandedMessage | undefined, language: PromptLanguage): RequestEntry[] {
  const end = ownEnd(cutOff)
  const piece = end?.pieces.at(-1)
  if (!end || !piece) return []
  const text = lastWords(end.pieces.map((one) => one.text).join(''))
  const [before, after] = GO_ON[language]
  const pieces = [frame('app', 'continue', before), { ...piece, text }, frame('app', 'continue', after)]
  return [{ kind: 'reminder', source: 'continue', role: 'system', parts: [{ type: 'text', pieces }] }]
}
