import type { Attachment } from '../../src-main/sessions/composer-contract'

export interface Draft {
  text: string
  attachments: readonly Attachment[]
  /** Why the kept draft could not be read; nothing is saved over it until it was. Absent = read, or being read. */
  unread?: string
}

export type Fields = Pick<Draft, 'text' | 'attachments'>

/** How a draft stands to the one the main process keeps. */
export interface Link {
  /** What main keeps, as far as this window knows, and whether it wrote that itself; null = not read, so nothing is saved. */
  base: (Fields & { revision: number; isOwn: boolean }) | null
  /** Texts this window tried to save since, without an answer: one of them may be what main keeps. */
  tried: { id: string; text: string }[]
  /** Messages handed over and not answered: main may be taking them off what it keeps. */
  handed: number
  /** The newest revision main has told of. */
  told: number
  /** Something happened to what main keeps that this window has not seen: it is read before anything is saved. */
  stale: boolean
  /** Messages that left the field and are on their way: part of what is kept, until they have gone. */
  leaving: Fields[]
  /** What is kept differs from `base`, or may. */
  changed: boolean
  /** The one reading or saving under way; the next waits for it. */
  busy: boolean
  timer: ReturnType<typeof setTimeout> | null
}

export const links = new Map<string, Link>()

export function linkOf(id: string): Link {
  const known = links.get(id)
  if (known) return known
  const made: Link = {
    base: null,
    tried: [],
    handed: 0,
    told: 0,
    stale: false,
    leaving: [],
    changed: false,
    busy: false,
    timer: null,
  }
  links.set(id, made)
  return made
}
