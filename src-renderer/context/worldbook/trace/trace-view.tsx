import type { TFunction } from 'i18next'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer } from 'virtua'
import type { Fired, NotFired, Trace, WorldbookWarning } from '../../../../src-main/context/worldbook/trace-contract'
import { formatTokens } from '../../../i18n/format'
import { inWords } from '../../../i18n/said'
import { PickButton } from '../../../ui/button'
import { Icon } from '../../../ui/icon'
import { Menu } from '../../../ui/menu'
import { Segmented } from '../../../ui/toggle'
import { bookName } from '../book-store'
import { notFiredWords, refName } from '../verdict-words'
import { PlacementList } from './placement-list'
import { FiredRow, NotFiredRow } from './trace-rows'

export interface TraceViewProps {
  trace: Trace
  /** Oldest first: what the scan saw, as far as it is known here. */
  texts: readonly string[]
  /** The last of them is what is being typed. */
  draft: boolean
}

type Show = 'all' | 'fired' | 'not'
type Row =
  | { kind: 'fired'; fired: Fired }
  | { kind: 'placements'; fired: readonly Fired[] }
  | { kind: 'not'; notFired: NotFired }
  /** Nothing in the text asked for them: listed only where those that did not fire are what is looked at. */
  | { kind: 'silent'; count: number }
  | { kind: 'omitted'; count: number }

const QUIET = new Set(['no_key_matched', 'no_keys', 'disabled'])

/** Fired first in the order they came and where their texts go, then those with something to tell, then the silent ones. */
function rowsOf(trace: Trace, show: Show, bookId: string | null): Row[] {
  const here = (entry: { worldbookId: string }) => bookId === null || entry.worldbookId === bookId
  const hits = trace.fired.filter(here)
  const fired = hits.map((each): Row => ({ kind: 'fired', fired: each }))
  if (hits.length > 0) fired.push({ kind: 'placements', fired: hits })
  if (show === 'fired') return fired
  const others = trace.notFired.filter(here)
  const line = (each: NotFired): Row => ({ kind: 'not', notFired: each })
  const asked = others.filter(({ reason }) => !QUIET.has(reason)).map(line)
  const silent = others.filter(({ reason }) => QUIET.has(reason))
  const omitted = bookId === null ? omittedIn(trace) : 0
  if (show === 'all') {
    const count = silent.length + omitted
    return [...fired, ...asked, ...(count > 0 ? [{ kind: 'silent' as const, count }] : [])]
  }
  return [...asked, ...silent.map(line), ...(omitted > 0 ? [{ kind: 'omitted' as const, count: omitted }] : [])]
}

const omittedIn = ({ omitted = {} }: Trace): number =>
  Object.values(omitted).reduce((sum, count) => sum + (count ?? 0), 0)

export function TraceView({ trace, texts, draft }: TraceViewProps) {
  const { t } = useTranslation('worldbook')
  const [show, setShow] = useState<Show>('all')
  const [bookId, setBookId] = useState<string | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(trace, show, bookId), [trace, show, bookId])
  const contents = useMemo(
    () => new Map(trace.fired.map((each) => [`${each.worldbookId}/${each.entryId}`, each.content])),
    [trace],
  )
  return (
    <div className="insp-body trace" ref={scroller}>
      <div ref={head}>
        <TraceHead trace={trace} show={show} onShow={setShow} bookId={bookId} onBook={setBookId} />
        {trace.warnings.length > 0 && <Warnings trace={trace} />}
      </div>
      <Virtualizer scrollRef={scroller} data={rows} startMargin={head.current?.offsetHeight ?? 90} bufferSize={300}>
        {(row) => {
          if (row.kind === 'fired') {
            const { fired } = row
            return (
              <FiredRow
                key={`${fired.worldbookId}/${fired.entryId}`}
                fired={fired}
                texts={texts}
                draft={draft}
                contents={contents}
              />
            )
          }
          if (row.kind === 'not') {
            const { notFired } = row
            return <NotFiredRow key={`${notFired.worldbookId}/${notFired.entryId}`} notFired={notFired} />
          }
          if (row.kind === 'placements') return <PlacementList key="placements" fired={row.fired} />
          if (row.kind === 'silent') {
            return (
              <button key="silent" type="button" className="fold trace-silent" onClick={() => setShow('not')}>
                <Icon name="right" size={14} />
                {t('trace.silent', { count: row.count })}
              </button>
            )
          }
          return (
            <p key="omitted" className="small dim list-note">
              {t('trace.omitted', { count: row.count })}
            </p>
          )
        }}
      </Virtualizer>
    </div>
  )
}

interface TraceHeadProps {
  trace: Trace
  show: Show
  onShow(show: Show): void
  bookId: string | null
  onBook(bookId: string | null): void
}

function TraceHead({ trace, show, onShow, bookId, onBook }: TraceHeadProps) {
  const { t } = useTranslation('worldbook')
  const [fired, not] = [trace.fired.length, trace.notFired.length + omittedIn(trace)]
  const books = [...new Set([...trace.fired, ...trace.notFired].map((each) => each.worldbookId))]
  const { limit, used } = trace.budget
  return (
    <div className="sum">
      <div className="row pop-line">
        <span className="n num">{t('trace.count', { fired, total: fired + not })}</span>
        <span className="grow" />
        <span className="small dim num">
          {limit === null
            ? t('trace.noBudget', { used: formatTokens(used) })
            : t('trace.budget', { used: formatTokens(used), limit: formatTokens(limit) })}
        </span>
      </div>
      {limit !== null && limit > 0 && (
        <div className="meter" aria-hidden="true">
          <i style={{ width: `${Math.min(100, (used / limit) * 100)}%` }} />
        </div>
      )}
      <div className="row trace-tools">
        <Segmented
          label={t('trace.show')}
          value={show}
          options={[
            { value: 'all', label: t('trace.all') },
            { value: 'fired', label: t('trace.firedCount', { shown: fired }) },
            { value: 'not', label: t('trace.notCount', { shown: not }) },
          ]}
          onValue={onShow}
        />
        <span className="grow" />
        {books.length > 1 && (
          <Menu
            label={t('trace.books')}
            align="end"
            trigger={
              <PickButton>
                {bookId === null ? t('trace.bookCount', { count: books.length }) : (bookName(bookId) ?? bookId)}
              </PickButton>
            }
            entries={[
              { id: 'all', label: t('trace.allBooks'), checked: bookId === null, onSelect: () => onBook(null) },
              ...books.map((id) => ({
                id,
                label: bookName(id) ?? id,
                checked: id === bookId,
                onSelect: () => onBook(id),
              })),
            ]}
          />
        )}
      </div>
    </div>
  )
}

function Warnings({ trace }: { trace: Trace }) {
  const { t } = useTranslation('worldbook')
  return (
    <ul className="warn-list">
      {trace.warnings.slice(0, 50).map((warning) => (
        <li key={`${warning.code}${warning.worldbookId}${warning.entryId}${warning.message}`}>
          <Icon name="warn" size={14} />
          {warningWords(t, warning, trace)}
        </li>
      ))}
    </ul>
  )
}

/** The warnings a person acts on have words of their own; the engine's serve for the rest. */
function warningWords(t: TFunction<'worldbook'>, warning: WorldbookWarning, { notFired }: Trace): string {
  if (warning.code !== 'constant_over_budget') return inWords(warning.message, warning.words)
  const entry = notFired.find(
    ({ worldbookId, entryId }) => worldbookId === warning.worldbookId && entryId === warning.entryId,
  )
  return entry
    ? t('trace.constantDropped', { name: refName(entry), reason: notFiredWords(t, entry) })
    : inWords(warning.message, warning.words)
}
