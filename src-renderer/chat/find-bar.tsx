import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client'
import { useNavigation } from '../app/navigation'
import { IconButton } from '../ui/button'
import { SearchField } from '../ui/field'
import { markMatches } from './mark-matches'
import { useTranscript } from './transcript-store'

interface Found {
  /** Of the visible branch, in its order, then of other versions. */
  ids: readonly string[]
  visible: number
}

async function findIn(sessionId: string, query: string): Promise<Found> {
  const { visible, hidden } = await call('sessions.find', { sessionId, query })
  return { ids: [...visible, ...hidden], visible: visible.length }
}

/** Find in chat: words are marked where they are on screen, arrows go from message to message. */
export function FindBar({ sessionId }: { sessionId: string | null }) {
  const open = useNavigation((state) => state.findOpen)
  if (!open || !sessionId) return null
  return <OpenFindBar key={sessionId} sessionId={sessionId} />
}

function OpenFindBar({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [at, setAt] = useState(-1)
  const field = useRef<HTMLDivElement>(null)
  const messages = useTranscript((state) => state.current?.messages)

  useEffect(() => field.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    const words = query.trim()
    if (!words) return setFound(null)
    let current = true
    const timer = setTimeout(async () => {
      const next = await findIn(sessionId, words).catch(() => ({ ids: [], visible: 0 }))
      if (!current) return
      setFound(next)
      setAt(-1)
    }, 150)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [query, sessionId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is on screen changes with messages and place
  useEffect(() => markMatches(query.trim()), [query, messages, at])

  const close = () => useNavigation.setState({ findOpen: false })
  const go = (step: 1 | -1) => {
    if (!found?.ids.length) return
    const { length } = found.ids
    const next = at < 0 ? (step > 0 ? 0 : (found.visible || length) - 1) : (at + step + length) % length
    setAt(next)
    const messageId = found.ids[next]
    if (messageId) useNavigation.setState({ jumpTo: { messageId, at: Date.now() } })
  }
  return (
    <search className="find-bar">
      <div ref={field} className="row grow">
        <SearchField
          label={t('find.open')}
          value={query}
          onValue={setQuery}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') close()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </div>
      <span className="small dim num" role="status">
        {found && <Count found={found} at={at} />}
      </span>
      <IconButton icon="up" small label={t('find.previous')} disabled={!found?.ids.length} onClick={() => go(-1)} />
      <IconButton icon="down" small label={t('find.next')} disabled={!found?.ids.length} onClick={() => go(1)} />
      <IconButton icon="x" small label={t('common:close')} onClick={close} />
    </search>
  )
}

function Count({ found: { ids, visible }, at }: { found: Found; at: number }) {
  const { t } = useTranslation('chat')
  if (ids.length === 0) return t('find.nothing')
  const hidden = ids.length - visible
  if (at >= visible) return t('find.inVersions', { at: at - visible + 1, count: hidden })
  const here = t('find.count', { at: at + 1, count: visible })
  return hidden > 0 ? `${here} · ${t('find.versions', { count: hidden })}` : here
}
