import { create } from 'zustand'
import type { FromDraft } from '../../src-main/sessions/composer-contract'
import { joinTexts, madeSave, mergeFiles, mergeTexts, textWithoutSent } from '../../src-main/sessions/draft-contract'
import { CallError, call, on } from '../api/client'
import { showError } from '../ui/toast'
import { isUnanswered, newDeliveryId } from './delivery'
import { type Draft, type Fields, type Link, linkOf, links } from './draft-link'
import { movePlaces } from './draft-places'

const NOTHING: Draft = { text: '', attachments: [] }
const SAVE_AFTER_MS = 400
/** What could not be kept is tried again, whether somebody types or not: a full disk gets room, an app comes back. */
const AGAIN_AFTER_MS = 3000
/** Two windows that change one draft at once agree after a few steps; the rest is tried later. */
const MOST_STEPS = 6
const MOST_TRIED = 19
const key = (sessionId: string | null) => sessionId ?? ''

/** What is being typed, by session id ('' = the chat that does not exist yet). */
export const useDrafts = create<{ drafts: Readonly<Record<string, Draft>> }>(() => ({ drafts: {} }))

export const draftOf = (sessionId: string | null): Draft => useDrafts.getState().drafts[key(sessionId)] ?? NOTHING
export const useDraft = (sessionId: string | null): Draft =>
  useDrafts((state) => state.drafts[key(sessionId)] ?? NOTHING)

/** Whether it was said that drafts cannot be kept; said again after they could. */
let told = false

function put(id: string, draft: Draft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: draft } }))
}
const fieldOf = (id: string): Draft => useDrafts.getState().drafts[id] ?? NOTHING

/** What main should keep: what is on its way, then what stands in the field. */
function keptOf(id: string, except?: Fields): Fields {
  const parts = [...linkOf(id).leaving, fieldOf(id)].filter((part) => part !== except)
  return {
    text: parts.reduce((text, part) => joinTexts(text, part.text), ''),
    attachments: parts.flatMap((part) => part.attachments),
  }
}

const sameFields = (a: Fields, b: Fields) =>
  a.text === b.text && a.attachments.map((each) => each.id).join() === b.attachments.map((each) => each.id).join()

/** Reads or saves until this window and main agree; one step at a time, each on what is true when it begins. */
async function settle(id: string): Promise<void> {
  const link = linkOf(id)
  if (link.timer) clearTimeout(link.timer)
  link.timer = null
  if (link.busy) return
  link.busy = true
  try {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if (link.handed > 0) break
      if (!link.base) await read(id, link)
      else if (link.stale || link.told > link.base.revision) {
        // whether a message that is on its way still stands there is known once its sending is answered
        if (link.leaving.length > 0) break
        await read(id, link)
      } else if (link.changed) await save(id, link)
      else break
    }
    told = false
  } catch (error) {
    // a broken line is worth no message while the text still stands in the field; a full disk is, before it is lost
    const isStorage = error instanceof CallError && error.code.startsWith('storage.')
    if (isStorage && !told) showError(error)
    told ||= isStorage
  } finally {
    link.busy = false
    // what is on its way comes back here by itself
    const isLeft = link.base && link.leaving.length === 0 && (link.changed || link.stale)
    if (isLeft) link.timer ??= setTimeout(() => void settle(id), AGAIN_AFTER_MS)
  }
}

async function read(id: string, link: Link): Promise<void> {
  link.stale = false
  const kept = await call('drafts.get', { sessionId: id || null }).catch((error: unknown) => {
    link.stale = true
    if (!link.base) put(id, { ...fieldOf(id), unread: error instanceof Error ? error.message : String(error) })
    throw error
  })
  // a message left meanwhile: whether what was read still holds it is known once its sending is answered
  if (link.base && link.leaving.length > 0) link.stale = true
  else adopt(id, link, kept)
}

/** Takes over what main keeps. What was typed here since the last agreement stays, behind it. */
function adopt(id: string, link: Link, kept: Fields & { revision: number; saves: readonly string[] }): void {
  const mine = fieldOf(id)
  // what this window saved without hearing of it is its own
  const made = madeSave(link.tried, kept.saves)
  const base = link.base && made ? { ...link.base, text: made.text, isOwn: true } : link.base
  // before the first reading a message may have left that stands in main's draft, too
  const theirs = link.leaving.reduce<Fields>(withoutSent, kept)
  link.told = Math.max(link.told, kept.revision)
  const merged = base
    ? {
        text: mergeTexts(base.text, mine.text, theirs.text, base.isOwn ? 'mine' : 'theirs'),
        attachments: mergeFiles(base.attachments, mine.attachments, theirs.attachments),
      }
    : { text: joinTexts(theirs.text, mine.text), attachments: mergeFiles([], mine.attachments, theirs.attachments) }
  link.base = { text: kept.text, attachments: kept.attachments, revision: kept.revision, isOwn: false }
  link.tried = []
  if (!sameFields(merged, mine) || mine.unread !== undefined) put(id, merged)
  else if (!useDrafts.getState().drafts[id]) put(id, mine)
  link.changed = !sameFields(keptOf(id), link.base)
}

function withoutSent(draft: Fields, sent: Fields): Fields {
  const gone = new Set(sent.attachments.map((each) => each.id))
  return {
    text: textWithoutSent(draft.text, sent.text),
    attachments: draft.attachments.filter((each) => !gone.has(each.id)),
  }
}

async function save(id: string, link: Link): Promise<void> {
  const { text, attachments } = keptOf(id)
  const revision = link.base?.revision ?? 0
  link.changed = false
  const saveId = newDeliveryId()
  // the oldest stays: of many that reached no app it is the one that may have been made
  link.tried = [...link.tried.slice(0, MOST_TRIED - 1), { id: saveId, text }]
  try {
    const saved = await call('drafts.save', {
      sessionId: id || null,
      text,
      attachments: attachments.map((each) => each.id),
      revision,
      saveId,
    })
    link.base = { text, attachments, revision: saved.revision, isOwn: true }
    link.tried = []
    link.changed = !sameFields(keptOf(id), link.base)
  } catch (error) {
    link.changed = true
    if (!isUnanswered(error)) link.tried = link.tried.filter((tried) => tried.id !== saveId)
    if (!(error instanceof CallError && error.code === 'conflict')) throw error
    // another window was first, or the message went: what stands there now is read before anything is saved over it
    link.stale = true
  }
}

function saveSoon(id: string): void {
  const link = linkOf(id)
  link.changed = true
  if (link.timer) clearTimeout(link.timer)
  link.timer = setTimeout(() => void settle(id), SAVE_AFTER_MS)
}

/** Changes a draft and keeps it, a moment later, where a restart and other windows find it. */
export function changeDraft(sessionId: string | null, change: Partial<Fields>): void {
  put(key(sessionId), { ...draftOf(sessionId), ...change })
  saveSoon(key(sessionId))
}

/** Reads a draft, once a window or after a failed try. What was typed meanwhile stays, behind it. */
export async function loadDraft(sessionId: string | null): Promise<void> {
  if (!linkOf(key(sessionId)).base) await settle(key(sessionId))
}

/** A message on its way: it left the field and either goes or comes back. */
export interface Leaving extends Fields {
  /** What it is to be taken off, for the call that hands it over. */
  from(): FromDraft
  /** It went: it is no draft any more. */
  gone(): void
  /** It was refused: it stands in the field again, before what was typed since. */
  back(): void
}

/** Takes the message out of the field. */
export function takeDraft(sessionId: string | null): Leaving {
  const { text, attachments, ...rest } = draftOf(sessionId)
  const fields: Fields = { text, attachments }
  linkOf(key(sessionId)).leaving.push(fields)
  put(key(sessionId), { ...rest, text: '', attachments: [] })
  let from: FromDraft = true
  const leave = (then: (id: string, link: Link, at: number) => void) => {
    // the chat may have come to be meanwhile: the message moved there with the draft
    for (const [id, link] of links) {
      const at = link.leaving.indexOf(fields)
      if (at < 0) continue
      then(id, link, at)
      if (typeof from === 'object') link.handed -= 1
      link.changed = !link.base || !sameFields(keptOf(id), link.base)
      void settle(id)
    }
  }
  return {
    ...fields,
    from: () => {
      const [id, link] = [...links].find(([, each]) => each.leaving.includes(fields)) ?? []
      if (id === undefined || !link?.base) return true
      if (typeof from !== 'object') link.handed += 1
      from = { base: link.base.text, tried: link.tried, rest: keptOf(id, fields).text }
      return from
    },
    gone: () =>
      leave((_id, link, at) => {
        link.leaving.splice(at, 1)
        if (!link.base) return
        // main takes it off what it keeps in the moment it stores the message; what others added is read then
        const left = withoutSent(link.base, fields)
        link.base = { ...link.base, ...left, text: typeof from === 'object' ? from.rest : left.text, isOwn: true }
        link.stale ||= typeof from === 'object'
        link.tried = []
      }),
    back: () =>
      leave((id, link, at) => {
        // why it came back may be something this window has not heard of
        link.stale = true
        // what was to follow this message comes back behind it
        const now = fieldOf(id)
        const back = [...link.leaving.splice(at), now]
        put(id, {
          ...now,
          text: back.reduce((all, part) => joinTexts(all, part.text), ''),
          attachments: back.reduce<Fields['attachments']>((all, part) => mergeFiles([], part.attachments, all), []),
        })
      }),
  }
}

/** Puts words at the end of a draft, on a line of their own. */
export function addToDraft(sessionId: string | null, text: string): void {
  changeDraft(sessionId, { text: joinTexts(draftOf(sessionId).text, text) })
}

/** The draft of the unborn chat becomes that of the chat made for it, with what is on its way. */
export function moveDraft(from: string | null, to: string): void {
  movePlaces(from, to)
  const [source, target] = [linkOf(key(from)), linkOf(to)]
  const { unread: _unread, ...moved } = draftOf(from)
  target.base ??= { text: '', attachments: [], revision: 0, isOwn: true }
  target.leaving.push(...source.leaving.splice(0))
  put(to, moved)
  put(key(from), { ...NOTHING, ...(draftOf(from).unread === undefined ? {} : { unread: draftOf(from).unread }) })
  for (const id of [to, key(from)]) {
    linkOf(id).changed = true
    void settle(id)
  }
}

/** Before the window closes or loses the focus: writes what still waits. */
export function flushDrafts(): void {
  for (const [id, link] of links) if (link.timer || link.changed) void settle(id)
}

/** Another window's words are shown here too; a lost line is made good. */
export function wireDrafts(): void {
  on('drafts.changed', ({ ids, revision }) => {
    for (const id of ids) {
      const link = links.get(id)
      if (!link) continue
      link.told = Math.max(link.told, revision)
      if (link.base) void settle(id) // else somebody who opens the chat reads it
    }
  })
  on('resync', () => {
    for (const [id, link] of links) {
      link.stale = true
      void settle(id)
    }
  })
}

/** For tests: a window that has read nothing yet. */
export function forgetDrafts(): void {
  for (const { timer } of links.values()) if (timer) clearTimeout(timer)
  links.clear()
  useDrafts.setState({ drafts: {} })
}
