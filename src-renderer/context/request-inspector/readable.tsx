import type { KeyboardEvent } from 'react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Ledger, Span } from '../../../src-main/context/contract'
import { formatNumber, formatTokens } from '../../i18n/format'
import { LinkButton } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { isPatterned } from '../segments'
import { groupSpans, type SpanMessage, type SpanRun } from './group-spans'

interface ReadableProps {
  ledger: Ledger
  selectedId: string | null
  onSelect(span: Span): void
}

/** The request as it leaves, message by message, each span in the colour of where it came from. */
export function Readable({ ledger, selectedId, onSelect }: ReadableProps) {
  const messages = groupSpans(ledger)
  const entryId = selectedId ?? messages[0]?.runs[0]?.spans[0]?.id ?? null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the spans inside
    <div onKeyDown={moveBetweenSpans}>
      {messages.map((message) => (
        <MessageView
          key={message.index}
          message={message}
          last={message.index === messages.at(-1)?.index}
          entryId={message.runs.some((run) => run.spans.some((span) => span.id === entryId)) ? entryId : null}
          selectedId={message.runs.some((run) => run.spans.some((span) => span.id === selectedId)) ? selectedId : null}
          onSelect={onSelect}
        />
      ))}
    </div>
  )
}

function moveBetweenSpans(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !(event.target instanceof HTMLElement) || !event.target.dataset.span) return
  const spans = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-span]')]
  const next = spans[spans.indexOf(event.target) + step]
  event.preventDefault()
  next?.focus()
}

interface MessageViewProps {
  message: SpanMessage
  last: boolean
  /** The span that takes the Tab key. */
  entryId: string | null
  selectedId: string | null
  onSelect(span: Span): void
}

const MessageView = memo(function MessageView({ message, last, entryId, selectedId, onSelect }: MessageViewProps) {
  const { t } = useTranslation('context')
  const { index, role, runs, tokens } = message
  const enhanced = runs.every((run) => run.segment === 'enhanced_prompt')
  const note =
    index < 0 ? t('sent.toolsHead') : enhanced && last ? t('sent.always') : t('sent.blocks', { count: blocksIn(runs) })
  return (
    <section className="reqm">
      <header>
        <b>{index < 0 ? 'tools' : role}</b>
        <span>{note}</span>
        <span className="grow" />
        <span className="num">{formatTokens(tokens)}</span>
      </header>
      {runs.map((run) => (
        <div key={run.id} className={cx('spr', `b-${run.segment}`, isPatterned(run.segment) && 'p')}>
          {run.spans.map((span, at) => (
            <SpanView
              key={span.id}
              span={span}
              first={at === 0}
              last={at === run.spans.length - 1}
              entry={span.id === entryId}
              selected={span.id === selectedId}
              onSelect={onSelect}
            />
          ))}
        </div>
      ))}
    </section>
  )
})

const blocksIn = (runs: readonly SpanRun[]) => new Set(runs.map((run) => run.segment)).size

interface SpanViewProps {
  span: Span
  first: boolean
  last: boolean
  entry: boolean
  selected: boolean
  onSelect(span: Span): void
}

const SHOWN_CHARACTERS = 8000

function SpanView({ span, first, last, entry, selected, onSelect }: SpanViewProps) {
  const { t } = useTranslation('context')
  const [whole, setWhole] = useState(false)
  const words = wordsOf(span, { first, last })
  const hidden = whole ? 0 : Math.max(0, words.length - SHOWN_CHARACTERS)
  const head = headOf(span)
  // a border that is nothing but blank lines: shown as such, nothing to press
  if (words.trim() === '' && span.kind === 'text') return words
  const frame = span.sourceId.startsWith('frame:')
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a button would be a box; the words must flow as they are sent */}
      <span
        role="button"
        tabIndex={entry ? 0 : -1}
        data-span={span.id}
        aria-pressed={selected}
        className={cx('spi', frame && 'frame', span.kind === 'tool-definition' && 'own-line')}
        onClick={() => onSelect(span)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          onSelect(span)
        }}
      >
        {head && <span className="sp-kind">{t(head.key, head)}</span>}
        {span.kind === 'image' || span.kind === 'file'
          ? t('sent.image', { label: span.label, tokens: formatTokens(span.tokens) })
          : hidden
            ? words.slice(0, SHOWN_CHARACTERS)
            : words}
      </span>
      {hidden > 0 && (
        <LinkButton onClick={() => setWhole(true)}>
          {t('sent.moreText', { count: hidden, shown: formatNumber(hidden) })}
        </LinkButton>
      )}
    </>
  )
}

/** Blank lines between blocks belong to the wire, not to reading; the raw body keeps them. */
function wordsOf({ text }: Span, { first, last }: { first: boolean; last: boolean }): string {
  const begun = first ? text.replace(/^\n+/, '') : text
  return last ? begun.replace(/\n+$/, '') : begun
}

function headOf({ kind, label }: Span) {
  if (kind === 'reasoning') return { key: 'sent.reasoning' as const, name: label }
  if (kind === 'tool-call') return { key: 'sent.toolCall' as const, name: label }
  if (kind === 'tool-result') return { key: 'sent.toolResult' as const, name: label }
  return null
}
