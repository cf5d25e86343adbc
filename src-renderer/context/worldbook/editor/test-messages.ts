import type { Fired } from '../../../../src-main/context/worldbook/trace-contract'

/** A line of three or more dashes begins the next message. */
const BORDER = /^[ \t]*-{3,}[ \t]*$/gm

export interface TestMessage {
  text: string
  /** Where it begins in the whole text. */
  start: number
}

/** Splits what was pasted into messages, oldest first. */
export function testMessages(text: string): TestMessage[] {
  const messages: TestMessage[] = []
  let start = 0
  for (const match of text.matchAll(BORDER)) {
    messages.push({ text: text.slice(start, match.index), start })
    start = match.index + match[0].length
  }
  messages.push({ text: text.slice(start), start })
  return messages.filter(
    (message, index, all) => message.text.trim() !== '' || all.length === 1 || index === all.length - 1,
  )
}

/** Where keys were found, as spans of the whole text. */
export function matchedSpans(fired: readonly Fired[], messages: readonly TestMessage[]): [number, number][] {
  return fired.flatMap(({ why }): [number, number][] => {
    if ((why.kind !== 'key' && why.kind !== 'recursion') || why.place.in !== 'message') return []
    const message = messages.at(why.place.message)
    if (!message) return []
    const [start, end] = why.place.span
    return [[message.start + start, message.start + end]]
  })
}
