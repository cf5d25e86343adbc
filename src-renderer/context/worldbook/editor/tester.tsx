import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Book } from '../../../../src-main/context/worldbook/book-contract'
import type { EvaluateResult, NotFiredReason } from '../../../../src-main/context/worldbook/trace-contract'
import { call } from '../../../api/client'
import { langOf } from '../../../i18n/format'
import { Icon } from '../../../ui/icon'
import { markSpans } from '../marked-text'
import { firedWords, notFiredWords, refName } from '../verdict-words'
import { useBookEdits } from './book-edits'
import { pickOnly, useTableView } from './table-view'
import { matchedSpans, type TestMessage, testMessages } from './test-messages'

const TEST_AFTER_MS = 120
const TEXT_KEY = 'strata.worldbook-test'
/** Nothing in the text asked for these; they are counted instead of listed. */
const NOT_ASKED: ReadonlySet<NotFiredReason> = new Set(['disabled', 'no_keys', 'no_key_matched'])
const SHOWN = 200

interface Tested {
  result: EvaluateResult
  messages: TestMessage[]
  text: string
}

/** Evaluates the stored book against the text a moment after either changed. */
function useTest(book: Book, text: string): { tested: Tested | null; error: string } {
  const [state, setState] = useState<{ tested: Tested | null; error: string }>({ tested: null, error: '' })
  const unsaved = useBookEdits((state) => state.unsaved.has(book.id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version gives another answer
  useEffect(() => {
    if (text.trim() === '') {
      setState({ tested: null, error: '' })
      return
    }
    if (unsaved) return
    let current = true
    const timer = setTimeout(() => {
      const messages = testMessages(text)
      call('worldbook.evaluate', {
        books: [book.id],
        messages: messages.map((message) => ({ role: 'user' as const, text: message.text })),
        seed: 'tester',
      })
        .then((result) => current && setState({ tested: { result, messages, text }, error: '' }))
        .catch((error) => current && setState({ tested: null, error: error instanceof Error ? error.message : '' }))
    }, TEST_AFTER_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [book.id, book.version, text, unsaved])
  return state
}

/** Type or paste text: what fires, why, and where the keys stand, live. Nothing is stored. */
export function Tester({ book }: { book: Book }) {
  const { t } = useTranslation('worldbook')
  const [text, setText] = useState(() => sessionStorage.getItem(TEXT_KEY) ?? '')
  const { tested, error } = useTest(book, text)
  const change = (next: string) => {
    setText(next)
    // survives a look at another page, not the end of the window
    if (next.length < 200_000) sessionStorage.setItem(TEXT_KEY, next)
  }
  return (
    <div className="tester">
      <div className="row dock-head">
        <h2 className="strong">{t('tester.title')}</h2>
        <span className="small dim cut">{t('tester.note')}</span>
        <span className="grow" />
        {tested && (
          <span className="tiny dim num" role="status">
            {t('tester.took', { fired: tested.result.fired.length, time: tested.result.elapsedMs.toFixed(1) })}
          </span>
        )}
      </div>
      <MarkedArea text={text} tested={tested?.text === text ? tested : null} onText={change} />
      {error && <p className="small danger-t">{error}</p>}
      {tested && text.trim() !== '' && <Verdicts result={tested.result} single={tested.messages.length === 1} />}
    </div>
  )
}

interface MarkedAreaProps {
  text: string
  tested: Tested | null
  onText(text: string): void
}

/** A field with the same text behind it, in which the matches are underlined. */
function MarkedArea({ text, tested, onText }: MarkedAreaProps) {
  const { t } = useTranslation('worldbook')
  const behind = useRef<HTMLDivElement>(null)
  const stretches = tested ? markSpans(text, matchedSpans(tested.result.fired, tested.messages)) : []
  return (
    <div className="marked-area" lang={langOf(text)}>
      <div className="field behind" aria-hidden="true" ref={behind}>
        {stretches.map((part) =>
          part.marked ? (
            <mark key={part.start} className="hit">
              {part.text}
            </mark>
          ) : (
            <span key={part.start}>{part.text}</span>
          ),
        )}
        {'\n'}
      </div>
      <textarea
        className="field"
        rows={3}
        aria-label={t('tester.text')}
        placeholder={t('tester.hint')}
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onScroll={(event) => {
          if (behind.current) behind.current.scrollTop = event.currentTarget.scrollTop
        }}
      />
    </div>
  )
}

function Verdicts({ result, single }: { result: EvaluateResult; single: boolean }) {
  const { t } = useTranslation('worldbook')
  const asked = result.notFired.filter(({ reason }) => !NOT_ASKED.has(reason))
  const silent = result.notFired.length - asked.length
  return (
    <>
      <ul className="verdicts" aria-label={t('tester.verdicts')}>
        {result.fired.slice(0, SHOWN).map((entry) => (
          <Verdict
            key={entry.entryId}
            id={entry.entryId}
            fired
            name={refName(entry)}
            words={firedWords(t, entry.why, { single })}
          />
        ))}
        {asked.slice(0, SHOWN).map((entry) => (
          <Verdict
            key={entry.entryId}
            id={entry.entryId}
            fired={false}
            name={refName(entry)}
            words={notFiredWords(t, entry)}
            detail={entry.detail}
          />
        ))}
      </ul>
      {silent > 0 && <p className="tiny dim num silent">{t('tester.silent', { count: silent })}</p>}
      {result.warnings.slice(0, 5).map((warning) => (
        <p key={`${warning.code}${warning.entryId}`} className="tiny warn-t">
          {warning.message}
        </p>
      ))}
    </>
  )
}

interface VerdictProps {
  id: string
  fired: boolean
  name: string
  words: string
  detail?: string
}

function Verdict({ id, fired, name, words, detail }: VerdictProps) {
  const { t } = useTranslation('worldbook')
  const open = () => {
    useTableView.setState({ query: '', onlyFlagged: false })
    pickOnly(id)
  }
  return (
    <li className={fired ? undefined : 'dim'}>
      <span className={fired ? 'ok-t' : undefined}>
        <Icon name={fired ? 'check' : 'x'} size={14} />
        <span className="vh">{fired ? t('trace.fired') : t('trace.notFired')}</span>
      </span>
      <button type="button" className="verdict-name cut" onClick={open} lang={langOf(name)}>
        {name}
      </button>
      <span className="cut" title={detail ?? words}>
        {words}
      </span>
    </li>
  )
}
