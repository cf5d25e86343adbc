import type { BlockItem, Segment } from '../contract'
import type { Piece } from '../request-contract'

/** What the macros of one turn stand for. Worked out once per turn. */
export interface MacroValues {
  date: string
  time: string
  weekday: string
  timezone: string
  model: string
  session: string
  /** Entries by outlet name, in order, already defused. */
  outlets: ReadonlyMap<string, readonly BlockItem[]>
}

const macro = /\{\{\s*(?:outlet::([^{}]*)|(date|time|weekday|timezone|model|session)\s*)\}\}/gi

type Word = 'date' | 'time' | 'weekday' | 'timezone' | 'model' | 'session'
const VOLATILE: ReadonlySet<string> = new Set(['date', 'time', 'weekday', 'timezone', 'model'])

/** Time words belong to `time`, wherever they stand; the model's and session's names to the text that asked. */
function segmentOf(word: Word, host: Segment): Segment {
  return word === 'model' || word === 'session' ? host : 'time'
}

/** Outlet names a text asks for. */
export function outletsNamedIn(text: string): string[] {
  return text.includes('{{') ? [...text.matchAll(macro)].flatMap((match) => match[1]?.trim() || []) : []
}

function outletPieces(name: string, values: MacroValues): Piece[] {
  return (values.outlets.get(name) ?? []).flatMap((item, index): Piece[] => [
    ...(index > 0
      ? [{ segment: 'worldbook' as const, sourceId: 'frame:worldbook_outlet', label: name, text: '\n' }]
      : []),
    { segment: 'worldbook', sourceId: item.id, label: item.label, text: item.text, why: item.why },
  ])
}

/**
 * One pass over a user's own text. What a macro brings in is booked to where it came from and not expanded again;
 * an unknown outlet leaves nothing, any other unknown macro stays as it is.
 * `dynamic` tells that some of it may change from turn to turn.
 */
export function expandMacros(host: Piece, values: MacroValues): { pieces: Piece[]; dynamic: boolean } {
  if (!host.text.includes('{{')) return { pieces: [host], dynamic: false }
  const pieces: Piece[] = []
  let dynamic = false
  let from = 0
  const keep = (end: number) => {
    if (end > from) pieces.push({ ...host, text: host.text.slice(from, end) })
  }
  for (const match of host.text.matchAll(macro)) {
    keep(match.index)
    from = match.index + match[0].length
    const word = match[2]?.toLowerCase() as Word | undefined
    if (word) {
      pieces.push({
        segment: segmentOf(word, host.segment),
        sourceId: `macro:${word}`,
        label: match[0],
        text: values[word],
      })
      dynamic ||= VOLATILE.has(word)
    } else {
      const name = match[1]?.trim() ?? ''
      pieces.push(...outletPieces(name, values))
      dynamic ||= values.outlets.get(name)?.some((item) => item.cacheHint === 'dynamic') ?? false
    }
  }
  keep(host.text.length)
  return { pieces: pieces.filter((piece) => piece.text !== ''), dynamic }
}
