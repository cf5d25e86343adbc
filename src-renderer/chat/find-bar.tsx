import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SearchHit } from '../../src-main/sessions/contract'
import { call } from '../api/client'
import { useNavigation } from '../app/navigation'
import { IconButton } from '../ui/button'
import { SearchField } from '../ui/field'
import { markMatches } from './mark-matches'
import { useTranscript } from './transcript-store'

/** Messages of the chat that hold the words, oldest first, every version included. */
async function findIn(sessionId: string, query: string): Promise<string[]> {
  const hits: SearchHit[] = []
  let cursor: string | null = null
  do {
    const page: { hits: SearchHit[]; nextCursor: string | null } = await call('sessions.search', {
      sessionId,
      query,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    hits.push(...page.hits)
    cursor = page.nextCursor
  } while (cursor && hits.length < 1000)
  const inTime = hits.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  return [...new Set(inTime.flatMap((hit) => hit.messageId ?? []))]
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
  const [found, setFound] = useState<string[] | null>(null)
  const [at, setAt] = useState(-1)
  const field = useRef<HTMLDivElement>(null)
  const messages = useTranscript((state) => state.current?.messages)

  useEffect(() => field.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    const words = query.trim()
    if (!words) return setFound(null)
    let current = true
    const timer = setTimeout(async () => {
      const ids = await findIn(sessionId, words).catch(() => [])
      if (!current) return
      setFound(ids)
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
    if (!found?.length) return
    const next = at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length
    setAt(next)
    const messageId = found[next]
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
        {found && (found.length === 0 ? t('find.nothing') : t('find.count', { at: at + 1, count: found.length }))}
      </span>
      <IconButton icon="up" small label={t('find.previous')} disabled={!found?.length} onClick={() => go(-1)} />
      <IconButton icon="down" small label={t('find.next')} disabled={!found?.length} onClick={() => go(1)} />
      <IconButton icon="x" small label={t('common:close')} onClick={close} />
    </search>
  )
}
