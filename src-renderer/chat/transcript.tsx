import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useNavigation } from '../app/navigation'
import { Button } from '../ui/button'
import { MessageView } from './message-view'
import { useRunning } from './running-store'
import { useSentWindow } from './sent-window'
import { findMessage, loadOlder, type Transcript as TranscriptData, useTranscript } from './transcript-store'
import { useEndFirst } from './use-end-first'
import { WindowLine } from './window-line'

const NEAR_END_PX = 40
const NEAR_START_PX = 1200

/** The visible branch, drawn only where it is on screen; follows the end while the reader is there. */
export function Transcript({ transcript }: { transcript: TranscriptData }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { atEnd, follow, toEnd, onScroll, onResize } = useFollowEnd(scroller)
  const prepending = useTranscript((state) => state.prepending)
  const windowStart = useSentWindow((state) => (state.sessionId === transcript.sessionId ? state.start : null))
  const running = useRunning((state) => state.bySession[transcript.sessionId])
  const { hasMore } = transcript
  const { messages, growing, whole } = useEndFirst(transcript.messages)
  useJump(transcript, list, follow)

  // a message of one's own always comes into view
  const lastUser = messages.findLast((message) => message.role === 'user')?.id
  const before = useRef(lastUser)
  useLayoutEffect(() => {
    if (before.current !== lastUser) toEnd()
    before.current = lastUser
  }, [lastUser, toEnd])

  useEffect(() => {
    if (whole && hasMore && scroller.current && scroller.current.scrollHeight < scroller.current.clientHeight * 2)
      void loadOlder()
  }, [whole, hasMore])

  return (
    <div className="log-frame">
      <div
        className="log"
        role="log"
        aria-live="off"
        aria-label={t('transcript')}
        aria-busy={Boolean(running)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        ref={scroller}
      >
        <div className="log-top" />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={messages}
          shift={prepending || growing}
          bufferSize={400}
          startMargin={12}
          onScroll={(offset) => {
            onScroll()
            if (offset < NEAR_START_PX && hasMore && !follow.current) void loadOlder()
          }}
          onResize={onResize}
        >
          {(message, index) => (
            <div className="log-row" key={message.id}>
              {windowStart?.messageId === message.id && <WindowLine start={windowStart} />}
              <MessageView message={message} last={index === messages.length - 1} />
            </div>
          )}
        </Virtualizer>
        <div className="log-bottom" />
      </div>
      {!atEnd && (
        <Button small className="to-end" icon="down" onClick={toEnd}>
          {running ? t('newBelow') : t('toEnd')}
        </Button>
      )}
    </div>
  )
}

/** Where the last row begins, in pixels below the upper edge, when that edge cuts through it. */
function cutRowTop(area: HTMLElement): number | undefined {
  const row = [...area.querySelectorAll('.log-row')].at(-1)?.getBoundingClientRect()
  const edge = area.getBoundingClientRect().top
  return row && row.top < edge && row.bottom > edge ? row.top - edge : undefined
}

/** Whether the reader is at the end, and the way back there. `follow` is read in callbacks that must not re-render. */
function useFollowEnd(scroller: React.RefObject<HTMLDivElement | null>) {
  const follow = useRef(true)
  const [atEnd, setAtEnd] = useState(true)
  const lastTop = useRef(0)
  const cutTop = useRef<number | undefined>(undefined)
  const toEnd = useCallback(() => {
    follow.current = true
    setAtEnd(true)
    const area = scroller.current
    if (area) area.scrollTop = area.scrollHeight
  }, [scroller])
  const onScroll = useCallback(() => {
    const area = scroller.current
    if (!area) return
    const near = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX
    // only the reader scrolls up; growth below moves nothing
    if (near) follow.current = true
    else if (area.scrollTop < lastTop.current - 1) follow.current = false
    lastTop.current = area.scrollTop
    cutTop.current = follow.current ? undefined : cutRowTop(area)
    setAtEnd(near || follow.current)
  }, [scroller])
  // An answer grows at its lower end. The list takes a row that begins above the edge for one that grows there, and would
  // carry somebody who has just scrolled up into it along with every piece.
  const onResize = useCallback(() => {
    const area = scroller.current
    if (follow.current) return toEnd()
    const top = area && cutTop.current !== undefined ? cutRowTop(area) : undefined
    if (area && top !== undefined && cutTop.current !== undefined) area.scrollTop += top - cutTop.current
  }, [scroller, toEnd])
  useLayoutEffect(() => {
    toEnd()
    // sizes settle over the first frames
    const frame = requestAnimationFrame(() => follow.current && toEnd())
    return () => cancelAnimationFrame(frame)
  }, [toEnd])
  useEffect(() => {
    const area = scroller.current
    if (!area || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => follow.current && toEnd())
    observer.observe(area)
    return () => observer.disconnect()
  }, [scroller, toEnd])
  return { atEnd, follow, toEnd, onScroll, onResize }
}

/** Brings the message that navigation asks for into view and marks it for a moment. */
function useJump(
  transcript: TranscriptData,
  list: React.RefObject<VirtualizerHandle | null>,
  follow: React.RefObject<boolean>,
): void {
  const jumpTo = useNavigation((state) => state.jumpTo)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is another place to jump in
  useEffect(() => {
    if (!jumpTo) return
    let current = true
    void (async () => {
      follow.current = false
      const at = await findMessage(jumpTo.messageId, { selectBranch: true })
      if (!current || at < 0) return
      for (let round = 0; round < 3; round++) {
        list.current?.scrollToIndex(at, { align: 'start', offset: -24 })
        await new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
      }
      document.querySelector(`[data-message="${CSS.escape(jumpTo.messageId)}"]`)?.classList.add('found')
      setTimeout(() => document.querySelector('.msg.found')?.classList.remove('found'), 1600)
      useNavigation.setState((state) => (state.jumpTo === jumpTo ? { jumpTo: null } : {}))
    })()
    return () => {
      current = false
    }
  }, [jumpTo, list, follow, transcript.sessionId])
}
