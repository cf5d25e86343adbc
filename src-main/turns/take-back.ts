import type { MessagePart } from '../sessions/contract'

/** Where an answer stood when a model call began. */
export interface CallStart {
  parts: number
  /** Characters of the last part, which the call may have gone on with. */
  characters: number
}

export function startOf(parts: readonly MessagePart[]): CallStart {
  const last = parts.at(-1)
  return { parts: parts.length, characters: last?.type === 'text' ? last.text.length : 0 }
}

/** The parts with the text that came since then taken out, and thinking in its place. What came before stays. */
export function withThinking(parts: readonly MessagePart[], start: CallStart, thinking: string): MessagePart[] {
  const kept = parts.slice(0, start.parts).map((part, at) => {
    const wentOn = at === start.parts - 1 && part.type === 'text'
    return wentOn ? { ...part, text: part.text.slice(0, start.characters) } : part
  })
  const since = parts.slice(start.parts).filter((part) => part.type !== 'text')
  return [...kept, ...since, ...(thinking === '' ? [] : [{ type: 'reasoning' as const, text: thinking }])]
}
