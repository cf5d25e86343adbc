import { useTranslation } from 'react-i18next'
import type { EntryRef, Fired, FiredWhy, NotFired } from '../../../../src-main/context/worldbook/trace-contract'
import { formatTokens, langOf } from '../../../i18n/format'
import { inWords } from '../../../i18n/said'
import { LinkButton } from '../../../ui/button'
import { Icon } from '../../../ui/icon'
import { snippetAround } from '../marked-text'
import { openBookPage } from '../open-book-page'
import { placeWords } from '../place-words'
import { firedWords, keyPlaceWords, notFiredWords, refName } from '../verdict-words'

interface TextsProps {
  texts: readonly string[]
  draft: boolean
}

function EntryName({ entry }: { entry: EntryRef }) {
  const name = refName(entry)
  return (
    <b className="cut">
      <button
        type="button"
        className="entry-link cut"
        lang={langOf(name)}
        onClick={() => openBookPage(entry.worldbookId, entry.entryId)}
      >
        {name}
      </button>
    </b>
  )
}

export function FiredRow({
  fired,
  texts,
  draft,
  contents,
}: TextsProps & { fired: Fired; contents: ReadonlyMap<string, string> }) {
  const { t } = useTranslation('worldbook')
  const role = fired.position === 'at-depth' && fired.role ? `, ${t(`form.roles.${fired.role}`)}` : ''
  return (
    <div className="tr">
      <span className="ok-t">
        <Icon name="check" size={14} />
        <span className="vh">{t('trace.fired')}</span>
      </span>
      <EntryName entry={fired} />
      <span className="num">
        <span className="ap">≈</span>
        {formatTokens(fired.tokens)}
      </span>
      <p>
        <Reason why={fired.why} texts={texts} draft={draft} contents={contents} />
      </p>
      <p className="meta">
        {placeWords(t, fired)}
        {role} · {t('trace.order', { order: fired.order })} · {t('trace.sweep', { sweep: fired.sweep })}
      </p>
    </div>
  )
}

type ReasonProps = TextsProps & { why: FiredWhy; contents: ReadonlyMap<string, string> }

/** The reason with the matched words underlined, in their surroundings where those are known. */
function Reason({ why, texts, draft, contents }: ReasonProps) {
  const { t } = useTranslation('worldbook')
  if (why.kind !== 'key' && why.kind !== 'recursion') return <>{firedWords(t, why)}</>
  const matched = why.matched || why.key
  const text =
    why.place.in === 'message'
      ? texts.at(why.place.message)
      : why.place.in === 'entry'
        ? contents.get(`${why.place.entry.worldbookId}/${why.place.entry.entryId}`)
        : undefined
  return (
    <>
      {why.kind === 'recursion' ? (
        <>
          {t('fired.recursionFrom')} <Chain chain={why.chain} />
        </>
      ) : (
        <>
          {t('fired.keyWord')} <mark lang={langOf(matched)}>{matched}</mark> {keyPlaceWords(t, why.place, { draft })}
        </>
      )}
      <Around text={text} span={why.place.span} matched={matched} always={why.kind === 'recursion'} />
      {why.secondary.length > 0 && (
        <> · {t('fired.with', { keys: why.secondary.map((key) => t('quoted', { text: key })).join(t('comma')) })}</>
      )}
    </>
  )
}

function Chain({ chain }: { chain: readonly EntryRef[] }) {
  return (
    <>
      {chain.map((entry, index) => (
        <span key={`${entry.worldbookId}/${entry.entryId}`}>
          {index > 0 && ' → '}
          <LinkButton className="reset in-text" onClick={() => openBookPage(entry.worldbookId, entry.entryId)}>
            {refName(entry)}
          </LinkButton>
        </span>
      ))}
    </>
  )
}

interface AroundProps {
  text: string | undefined
  span: readonly [number, number]
  matched: string
  /** Name the match even where its surroundings are unknown. */
  always: boolean
}

function Around({ text, span, matched, always }: AroundProps) {
  const { t } = useTranslation('worldbook')
  // the transcript may have moved on since the turn was recorded: show only what still stands there
  const known = text !== undefined && text.slice(span[0], span[1]).toLowerCase() === matched.toLowerCase()
  if (!known) {
    return always ? (
      <>
        {t('lint.colon')}
        <mark>{matched}</mark>
      </>
    ) : null
  }
  const { before, match, after } = snippetAround(text, span)
  return (
    <>
      {t('lint.colon')}
      <span lang={langOf(`${before}${match}${after}`)}>
        {t('quote.open')}
        {before}
        <mark>{match}</mark>
        {after}
        {t('quote.close')}
      </span>
    </>
  )
}

export function NotFiredRow({ notFired }: { notFired: NotFired }) {
  const { t } = useTranslation('worldbook')
  return (
    <div className="tr no">
      <span className="dim">
        <Icon name="x" size={14} />
        <span className="vh">{t('trace.notFired')}</span>
      </span>
      <EntryName entry={notFired} />
      <span />
      <p title={inWords(notFired.detail, notFired.words)}>
        <NotReason notFired={notFired} />
      </p>
    </div>
  )
}

/** Outside the scan depth the key is underlined like a match, because it is one. */
function NotReason({ notFired }: { notFired: NotFired }) {
  const { t } = useTranslation('worldbook')
  const words = notFiredWords(t, notFired)
  const key = notFired.reason === 'outside_scan_depth' ? String(notFired.facts?.key ?? '') : ''
  const at = key ? words.indexOf(key) : -1
  if (at < 0) return <>{words}</>
  return (
    <>
      {words.slice(0, at)}
      <mark>{key}</mark>
      {words.slice(at + key.length)}
    </>
  )
}
