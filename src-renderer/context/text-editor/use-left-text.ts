import { useEffect, useRef, useState } from 'react'
import { type SavedTextOptions, storeLeftText, takeLeft, useWaitingText } from './use-saved-text'

interface LeftTextOptions extends SavedTextOptions {
  /** Whether this can be stored; what cannot goes back to what is stored. */
  fits?(text: string): boolean
}

interface LeftText {
  value: string
  change(text: string): void
  /** Stores what was typed. A field that was only looked at writes nothing: somebody else may have changed it. */
  leave(): void
  /** Gives up what was typed. */
  drop(): void
}

/** With what they were typed into: a field may show something else by the time it is left. */
interface Typed {
  options: LeftTextOptions
  text: string
}

function store(typed: Typed | null): void {
  if (!typed) return
  const { options, text } = typed
  if (text.trim() === options.stored || options.fits?.(text) === false) return
  storeLeftText(options, text.trim())
}

/** A short text that is stored when its field is left, also when the field or the window goes away. */
export function useLeftText(options: LeftTextOptions): LeftText {
  const waiting = useWaitingText(options.id)
  const typed = useRef<Typed | null>(null)
  const [, redraw] = useState(0)
  const take = (next: Typed | null): Typed | null => {
    const before = typed.current
    typed.current = next
    redraw((count) => count + 1)
    return before
  }
  const { id } = options
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    // what the last window could not save, unless somebody else changed it since
    const mine = takeLeft(id)
    if (mine && mine.base === latest.current.stored) storeLeftText({ ...latest.current, id }, mine.text)
  }, [id])
  useEffect(() => {
    const leave = () => {
      store(typed.current)
      typed.current = null
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  const here = typed.current?.options.id === options.id ? typed.current.text : null
  return {
    value: here ?? waiting ?? options.stored,
    change: (text) => void take({ options, text }),
    leave: () => store(take(null)),
    drop: () => void take(null),
  }
}
