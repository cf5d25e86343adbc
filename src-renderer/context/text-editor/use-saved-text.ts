import { useEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import { mergeTexts } from '../../../src-main/sessions/draft-contract'
import { dropUnsaved, retryLater, showUnsaved } from '../../app/unsaved'

const SAVE_AFTER_MS = 350
/** Edits closer together than this are one step of undo. */
const STEP_MS = 900
const STEPS_KEPT = 100

/** Earlier texts by editor id: they outlive a change of page, not the window. */
const steps = new Map<string, string[]>()
const keepStep = (id: string, text: string) => steps.set(id, [...(steps.get(id) ?? []), text].slice(-STEPS_KEPT))

export interface SavedText {
  value: string
  change(text: string): void
  /** One step back; saved like any other edit. */
  undo(): void
  canUndo: boolean
  /** ISO 8601; null = nothing saved since this editor opened. */
  savedAt: string | null
  /** Writes at once what still waits. */
  flush(): void
}

export interface SavedTextOptions {
  /** What is edited; another id is another text. */
  id: string
  /** What it belongs to, for the notice when it cannot be saved. */
  name: string
  stored: string
  /** Rejects when it was refused. */
  save(text: string): Promise<unknown>
}

/** Words typed into one text that are not stored yet. They belong to that text, whether its editor is open or not. */
interface Waiting {
  name: string
  text: string
  /** What was stored when the typing began, or what came from elsewhere since. */
  base: string
  save: SavedTextOptions['save']
  timer: ReturnType<typeof setTimeout> | null
  retry: ReturnType<typeof retryLater>
  saving: boolean
  /** The last try was refused. */
  refused: boolean
  /** What this window has sent: it comes back as the stored text, and is nobody else's change. */
  sent: Set<string>
  /** Its field has been left: once stored, the stored text is shown. */
  left: boolean
}

const waiting = new Map<string, Waiting>()
/** What was stored last from here, until the stored text is another one: it may not have come back yet. */
const lastSaved = new Map<string, string>()
/** What stands in an editor beside the stored text, and when it was saved last. */
const useTyped = create<{ typed: Readonly<Record<string, string>>; savedAt: Readonly<Record<string, string>> }>(() => ({
  typed: {},
  savedAt: {},
}))

function setTyped(id: string, text: string | null): void {
  useTyped.setState(({ typed: { [id]: _before, ...others } }) => ({
    typed: text === null ? others : { ...others, [id]: text },
  }))
}

function forgetSavedAt(id: string): void {
  useTyped.setState(({ savedAt: { [id]: _at, ...others } }) => ({ savedAt: others }))
}

/** `leaving`: the window goes, nobody could send later what is newer than a save on its way. */
function flushText(id: string, { leaving = false } = {}): void {
  const words = waiting.get(id)
  if (!words) return
  if (words.timer) clearTimeout(words.timer)
  words.timer = null
  if (words.saving && !(leaving && !words.sent.has(words.text))) return
  const { text } = words
  words.saving = true
  words.sent.add(text)
  words.save(text).then(
    () => {
      words.saving = false
      words.refused = false
      words.retry.stop()
      dropUnsaved(`text:${id}`)
      if (waiting.get(id) !== words) return
      useTyped.setState(({ savedAt }) => ({ savedAt: { ...savedAt, [id]: new Date().toISOString() } }))
      if (words.text !== text) {
        lastSaved.set(id, text)
        if (!words.timer) flushText(id)
        return
      }
      waiting.delete(id)
      if (words.left) setTyped(id, null)
      else lastSaved.set(id, text)
    },
    (error: unknown) => {
      words.saving = false
      if (waiting.get(id) !== words) return
      words.refused = true
      words.retry.again()
      showUnsaved({
        id: `text:${id}`,
        name: words.name,
        why: error instanceof Error ? error.message : String(error),
        retry: () => flushText(id),
        discard: () => {
          words.retry.stop()
          if (words.timer) clearTimeout(words.timer)
          waiting.delete(id)
          dropUnsaved(`text:${id}`)
          setTyped(id, null)
        },
      })
    },
  )
}

function putText({ id, name, save }: SavedTextOptions, stored: string, text: string): void {
  const words: Waiting = waiting.get(id) ?? {
    name,
    text,
    base: lastSaved.get(id) ?? stored,
    save,
    timer: null,
    retry: retryLater(() => flushText(id)),
    saving: false,
    refused: false,
    sent: new Set(lastSaved.has(id) ? [lastSaved.get(id) ?? ''] : []),
    left: false,
  }
  waiting.set(id, words)
  Object.assign(words, { text, save, name })
  setTyped(id, text)
  if (words.timer) clearTimeout(words.timer)
  words.timer = setTimeout(() => flushText(id), SAVE_AFTER_MS)
}

/** Stores the text of a field that was left, at once. Refused, it is kept, shown as unsaved and tried again. */
export function storeLeftText(options: SavedTextOptions, text: string): void {
  putText(options, options.stored, text)
  Object.assign(waiting.get(options.id) ?? {}, { left: true })
  flushText(options.id)
}

/** What was typed into a text and is not stored yet; null = nothing. */
export const useWaitingText = (id: string): string | null => useTyped((state) => state.typed[id] ?? null)

/** The stored text changed while words of this window wait: both are kept where they fit together. */
function meetStored(id: string, words: Waiting, stored: string): void {
  if (words.sent.has(stored) || stored === words.base) {
    words.base = stored
    return
  }
  const merged = mergeTexts(words.base, words.text, stored)
  // where they do not fit, what is typed here stays, and the other text is one step of undo away
  if (merged === words.text) keepStep(id, stored)
  words.base = stored
  words.text = merged
  setTyped(id, merged)
}

const LEFT_KEY = 'strata.text.unsaved'
type Left = Record<string, { text: string; base: string }>

function readLeft(): Left {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(LEFT_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Left) : {}
  } catch {
    return {} // nothing that could be read was left
  }
}

function keepLeft(left: Left): void {
  try {
    if (Object.keys(left).length > 0) localStorage.setItem(LEFT_KEY, JSON.stringify(left))
    else localStorage.removeItem(LEFT_KEY)
  } catch {
    // a browser that keeps nothing for this page: the words stand in the notice of unsaved edits until it goes
  }
}

/** Before the window goes: everything is sent, and what was refused until now is left for the next one. */
function leaveTexts(): void {
  const left = readLeft()
  for (const [id, { text, base, refused }] of waiting) {
    if (refused) left[id] = { text, base }
    flushText(id, { leaving: true })
  }
  keepLeft(left)
}
window.addEventListener('pagehide', leaveTexts)

/** What the last window could not save of a text, once. */
export function takeLeft(id: string): Left[string] | undefined {
  const { [id]: mine, ...others } = readLeft()
  if (mine === undefined) return undefined
  keepLeft(others)
  const isWhole = typeof mine?.text === 'string' && typeof mine.base === 'string'
  return isWhole && !waiting.has(id) ? mine : undefined
}

/** What the last window could not save is typed again. */
function typeLeft(options: SavedTextOptions): void {
  const mine = takeLeft(options.id)
  if (!mine || mine.text === options.stored) return
  putText(options, mine.base, mine.text)
  const words = waiting.get(options.id)
  if (words) meetStored(options.id, words, options.stored)
}

/**
 * A text that saves itself while it is typed. What another window stores meanwhile is taken in where the two fit
 * together. A failed save keeps the words, also when the editor is closed, shows them as unsaved, and is tried again.
 */
export function useSavedText(options: SavedTextOptions): SavedText {
  const { id, stored } = options
  const typed = useTyped((state) => state.typed[id] ?? null)
  const savedAt = useTyped((state) => state.savedAt[id] ?? null)
  const [, redraw] = useState(0)
  const lastStep = useRef(0)
  const value = typed ?? stored

  useEffect(() => {
    const words = waiting.get(id)
    if (words) meetStored(id, words, stored)
    else setTyped(id, null)
    lastSaved.delete(id)
  }, [id, stored])
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    typeLeft({ ...latest.current, id })
    return () => {
      flushText(id)
      // what is stored by now is shown by whoever opens it next
      if (!waiting.has(id)) setTyped(id, null)
      forgetSavedAt(id)
      lastStep.current = 0
    }
  }, [id])

  return {
    value,
    savedAt,
    flush: () => flushText(id),
    canUndo: (steps.get(id)?.length ?? 0) > 0,
    change(text) {
      const now = Date.now()
      if (now - lastStep.current > STEP_MS) keepStep(id, value)
      lastStep.current = now
      putText(options, stored, text)
    },
    undo() {
      const before = steps.get(id)?.pop()
      lastStep.current = 0
      if (before !== undefined) putText(options, stored, before)
      redraw((count) => count + 1)
    },
  }
}
