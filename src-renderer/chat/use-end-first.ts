import { useEffect, useState } from 'react'
import type { Message } from '../../src-main/sessions/contract'
import { useNavigation } from '../app/navigation'

/** Guesses, rather too low than too high: of a line's height, of what stands around a text, of a line's length. */
const LINE_PX = 20
const FRAME_PX = 70
const LINE_CHARS = 110
const LINES_COUNTED = 200

function leastHeight({ text }: Message): number {
  let lines = text.length / LINE_CHARS
  if (lines < LINES_COUNTED) lines = Math.max(lines, text.split('\n', LINES_COUNTED).length / 2)
  return FRAME_PX + lines * LINE_PX
}

/** How many of the newest messages surely fill a height. */
export function fillingEnd(messages: readonly Message[], heightPx: number): number {
  let height = 0
  let count = 0
  while (count < messages.length && height < heightPx) {
    const message = messages[messages.length - 1 - count]
    if (message) height += leastHeight(message)
    count += 1
  }
  return count
}

/**
 * The newest messages alone until they are painted, then all of them: whoever opens a chat sees its end, while a list
 * of unknown heights would draw its beginning first. `growing` is true for the render that adds the rest.
 */
export function useEndFirst(all: readonly Message[]): {
  messages: readonly Message[]
  growing: boolean
  whole: boolean
} {
  // who goes to a message needs all of them at once
  const jumping = useNavigation((state) => state.jumpTo !== null)
  const [first] = useState(() => (jumping ? all.length : fillingEnd(all, window.innerHeight)))
  const [reached, setStage] = useState<'end' | 'growing' | 'whole'>(first >= all.length ? 'whole' : 'end')
  const stage = reached === 'end' && jumping ? 'growing' : reached
  useEffect(() => {
    if (stage === 'whole') return
    if (stage === 'growing') return setStage('whole')
    // by the second frame the first has been painted
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setStage('growing'))
    })
    return () => cancelAnimationFrame(frame)
  }, [stage])
  return { messages: stage === 'end' ? all.slice(-first) : all, growing: stage === 'growing', whole: stage === 'whole' }
}
