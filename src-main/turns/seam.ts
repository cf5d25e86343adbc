import { lastWords } from '../context/assemble/go-on'

/** Where a continued answer goes on: takes the new text as it comes, and gives it on so that it joins the old one. */
export interface Seam {
  /** What may be shown of it by now. */
  push(text: string): string
  /** What was held back when nothing more comes. */
  end(): string
}

/** White space that stands at the end of one text and at the beginning of the other stands once. */
function withoutRepeatedSpace(before: string, text: string): string {
  const space = before.slice(before.trimEnd().length)
  const lead = text.slice(0, text.length - text.trimStart().length)
  if (space.endsWith('\n') && lead === ' ') return text.slice(1)
  let shared = Math.min(space.length, lead.length)
  while (shared > 0 && !space.endsWith(lead.slice(0, shared))) shared -= 1
  return text.slice(shared)
}

/** What a model may repeat before it goes on, longest first. */
function repeatable(before: string): string[] {
  const whole = before.trim()
  const line = whole.split('\n').at(-1)?.trimStart() ?? ''
  return [...new Set([whole, line, lastWords(before)])].filter(Boolean).sort((a, b) => b.length - a.length)
}

/**
 * `before` is the answer so far. With `asked` the model was told to repeat its last words: what it repeats is taken off,
 * whether they end in a whole word or in half of one.
 */
export function createSeam(before: string, asked: boolean): Seam {
  const candidates = asked ? repeatable(before) : []
  let held: string | undefined = ''
  const joined = (text: string) => withoutRepeatedSpace(before, text)
  const settle = (text: string, isEnd: boolean): string | undefined => {
    const spoken = text.trimStart()
    if (!isEnd && (spoken === '' || candidates.some((one) => one.length > spoken.length && one.startsWith(spoken)))) {
      return undefined
    }
    const repeated = candidates.find((one) => spoken.startsWith(one))
    if (repeated === undefined) return joined(text)
    const rest = spoken.slice(repeated.length)
    return rest.trim() === '' && !isEnd ? undefined : joined(rest)
  }
  return {
    push(text) {
      if (held === undefined) return text
      const settled = settle(held + text, false)
      held = settled === undefined ? held + text : undefined
      return settled ?? ''
    },
    end() {
      const text = held ?? ''
      held = undefined
      return text.trim() === '' ? '' : (settle(text, true) ?? '')
    },
  }
}
