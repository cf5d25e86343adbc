import { useCallback, useEffect, useRef, useState } from 'react'
import { showError } from '../../ui/toast'

const SAVE_AFTER_MS = 350
/** Edits closer together than this are one step of undo. */
const STEP_MS = 900
const STEPS_KEPT = 100

/** Earlier texts by editor id: they outlive a change of page, not the window. */
const steps = new Map<string, string[]>()

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

interface SavedTextOptions {
  /** What is edited; another id is another text. */
  id: string
  stored: string
  save(text: string): Promise<unknown>
}

/**
 * A text that saves itself while it is typed. What is typed wins over what arrives from elsewhere until it is saved;
 * a failed save keeps the words on screen and is tried again with the next key.
 */
export function useSavedText({ id, stored, save }: SavedTextOptions): SavedText {
  const [typed, setTyped] = useState<string | null>(null)
  const [savedAt, setSavedAt] = useState<string | null>(null)
  const [, redraw] = useState(0)
  const pending = useRef<{ text: string; save: SavedTextOptions['save'] } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const lastStep = useRef(0)
  const value = typed ?? stored

  const flush = useCallback(() => {
    if (timer.current) clearTimeout(timer.current)
    timer.current = null
    const waiting = pending.current
    pending.current = null
    if (!waiting) return
    waiting.save(waiting.text).then(
      () => setSavedAt(new Date().toISOString()),
      (error) => {
        pending.current ??= waiting
        showError(error)
      },
    )
  }, [])

  const put = (text: string) => {
    setTyped(text)
    pending.current = { text, save }
    if (timer.current) clearTimeout(timer.current)
    timer.current = setTimeout(flush, SAVE_AFTER_MS)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored now is either what was typed, or newer
  useEffect(() => {
    if (!pending.current) setTyped(null)
  }, [stored])
  useEffect(() => {
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts with a clean slate
  useEffect(() => {
    return () => {
      flush()
      setTyped(null)
      setSavedAt(null)
      lastStep.current = 0
    }
  }, [id])

  return {
    value,
    savedAt,
    flush,
    canUndo: (steps.get(id)?.length ?? 0) > 0,
    change(text) {
      const now = Date.now()
      if (now - lastStep.current > STEP_MS) steps.set(id, [...(steps.get(id) ?? []), value].slice(-STEPS_KEPT))
      lastStep.current = now
      put(text)
    },
    undo() {
      const before = steps.get(id)?.pop()
      lastStep.current = 0
      if (before !== undefined) put(before)
      redraw((count) => count + 1)
    },
  }
}
