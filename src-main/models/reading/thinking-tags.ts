/** What becomes of a piece of text. `begun-inside`: all text of this answer so far was thought, and `text` is all of it. */
export type Told =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'reasoning-end' }
  | { type: 'begun-inside'; text: string }

/** With a name space before it or other brackets around it, as templates write it. */
const NAME = '(?:\\w{1,12}:)?(?:think(?:ing)?|thought)'
const OPENING = new RegExp(`^([<[◁])(${NAME})([>\\]▷])`, 'i')
const MAYBE_OPENING = /^[<[◁](?:\w{1,12}:)?\w{0,12}$/i
const LONGEST_TAG = 24
const CLOSING = new RegExp(`[<[◁]/(${NAME})[>\\]▷]`, 'i')
const ANY_OPENING = new RegExp(`[<[◁]${NAME}[>\\]▷]`, 'i')
/** A sentence that begins with the bare tag ends within this many characters, without closing it. */
const SENTENCE = 400

const isBlank = (text: string): boolean => text.trim() === ''
const count = (text: string, piece: string): number => text.split(piece).length - 1

/** Whether the end of a text lies in code, where a tag is only written about. */
function endsInCode(text: string): boolean {
  if (count(text, '```') % 2 === 1) return true
  const line = text.slice(text.lastIndexOf('\n') + 1).replaceAll('```', '')
  return count(line, '`') % 2 === 1
}

/** Whether a closing tag without an opening one ends thoughts: alone on its line, or grown together with their end. */
function closesThoughts(before: string, after: string): boolean {
  if (endsInCode(before)) return false
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const next = /^[^\n]*/.exec(after)?.[0] ?? ''
  if (isBlank(line)) return isBlank(next)
  return /[\p{L}\p{N}.!?…。！？)*]$/u.test(line) && (isBlank(next) || /^[\p{L}\p{N}*#]/u.test(next))
}

/**
 * Takes thinking that a model wrote into its text out of it. Only a tag at the head of an answer opens thinking, also
 * after white space and in pieces; several blocks in a row count. `before`: the text this answer goes on with.
 */
export function createThinkingReader(before = '') {
  const tellsOfTags = endsInCode(before)
  let state: 'head' | 'sentence' | 'thinking' | 'text' = tellsOfTags ? 'text' : 'head'
  let held = ''
  let opened = ''
  let closing = ''
  /** Thinking ended before what comes now. */
  let thought = false
  /** Nothing of this block of thinking was told yet. */
  let fresh = true
  /** All text of this answer, as long as a closing tag may still turn it into thoughts. */
  let said: string | undefined = tellsOfTags ? undefined : ''

  const sayText = (text: string, out: Told[]): void => {
    if (text === '') return
    if (said === undefined) {
      out.push({ type: 'text', text })
      return
    }
    const from = Math.max(0, said.length - LONGEST_TAG)
    said += text
    const found = CLOSING.exec(said.slice(from))
    if (!found) {
      out.push({ type: 'text', text })
      return
    }
    const at = from + found.index
    const after = said.slice(at + found[0].length)
    // what follows decides; it may still be on its way
    if (/^[ \t]*$/.test(after)) {
      held = text
      said = said.slice(0, said.length - text.length)
      return
    }
    decide(at, found[0].length, text, out)
  }
  const decide = (at: number, length: number, text: string, out: Told[]): void => {
    const all = said ?? ''
    said = undefined
    const thoughts = all.slice(0, at)
    const after = all.slice(at + length)
    const opened = ANY_OPENING.test(thoughts)
    if (opened || !closesThoughts(thoughts, after)) {
      out.push({ type: 'text', text })
      return
    }
    out.push({ type: 'begun-inside', text: thoughts.trim() })
    thought = true
    state = 'head'
    take(after, out)
  }

  const takeHead = (text: string, out: Told[]): void => {
    const all = held + text
    held = ''
    const start = all.trimStart()
    const tag = OPENING.exec(start)
    if (tag) {
      closing = `${tag[1]}/${tag[2]}${tag[3]}`.toLowerCase()
      said = undefined
      held = start.slice(tag[0].length)
      state = 'sentence'
      opened = start.slice(0, tag[0].length)
      take('', out)
      return
    }
    if (start === '' || (start.length < LONGEST_TAG && MAYBE_OPENING.test(start))) {
      held = all
      return
    }
    state = 'text'
    // after thoughts, the empty lines before the answer are nobody's
    sayText(thought ? start : all, out)
  }
  const takeThinking = (text: string, out: Told[]): void => {
    const all = held + text
    held = ''
    const at = all.toLowerCase().indexOf(closing)
    if (at >= 0) {
      think(all.slice(0, at).trimEnd(), out)
      out.push({ type: 'reasoning-end' })
      thought = true
      state = 'head'
      take(all.slice(at + closing.length), out)
      return
    }
    // white space at the end, and what may be the beginning of the tag, wait for the next piece
    const kept = /\s*(?:[<[◁][^>\]▷]{0,20})?$/.exec(all)?.index ?? all.length
    think(all.slice(0, kept), out)
    held = all.slice(kept)
  }
  const think = (text: string, out: Told[]): void => {
    const words = fresh ? text.trimStart() : text
    if (words === '') return
    fresh = false
    out.push({ type: 'reasoning', text: words })
  }

  const take = (text: string, out: Told[]): void => {
    if (state === 'head') takeHead(text, out)
    else if (state === 'text') {
      const all = held + text
      held = ''
      sayText(all, out)
    } else {
      held += text
      // `<think> is a tag`: a space after it, and no end of line yet, may be a sentence about it
      const unsure = state === 'sentence' && (held === '' || /^[ \t,.;:]/.test(held))
      if (unsure && held.length < SENTENCE && !held.includes('\n') && !held.toLowerCase().includes(closing)) return
      if (state === 'sentence') fresh = true
      state = 'thinking'
      takeThinking('', out)
    }
  }

  return {
    push(text: string): Told[] {
      const out: Told[] = []
      take(text, out)
      return out
    },
    /** `properly`: the server said that the answer is complete. */
    end(properly: boolean): Told[] {
      const out: Told[] = []
      const rest = held
      held = ''
      if (state === 'head') {
        if (thought ? !isBlank(rest) : rest !== '') out.push({ type: 'text', text: rest })
      } else if (state === 'text') {
        const all = (said ?? '') + rest
        const found = said === undefined || rest === '' ? null : CLOSING.exec(all)
        said = all
        if (found) decide(found.index, found[0].length, rest, out)
        else if (rest !== '') out.push({ type: 'text', text: rest })
      } else if (state === 'sentence') {
        // one line, never closed, and a proper end: a sentence about the tag
        if (properly && !isBlank(rest)) out.push({ type: 'text', text: opened + rest })
        else if (!isBlank(rest)) out.push({ type: 'reasoning', text: rest.trim() }, { type: 'reasoning-end' })
      } else {
        think(rest.trimEnd(), out)
        out.push({ type: 'reasoning-end' })
      }
      return out
    },
  }
}
