import { useTranslation } from 'react-i18next'
import type { Span } from '../../../src-main/context/contract'
import { copyText } from '../../chat/chat-actions'
import { useTranscript } from '../../chat/transcript-store'
import { formatTokens } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { Button, IconButton } from '../../ui/button'
import { Swatch } from '../context-bar/usage-bar'
import { contributorName } from '../context-bar/usage-words'
import { openEditor, openMessage } from '../segments'

interface SpanDetailProps {
  span: Span
  sessionId: string | null
  exact: boolean
  onClose(): void
}

const WHY_CODES = [
  'session',
  'selected',
  'always',
  'landmark',
  'retrieved',
  'recent',
  'constant',
  'key',
  'recursion',
  'sticky',
  'forced',
  'similarity',
  'inherited',
  'all',
] as const
const isKnown = (code: string): code is (typeof WHY_CODES)[number] => (WHY_CODES as readonly string[]).includes(code)

/** One span: which block, which source, why it is here, what it costs, and the way to where it is written. */
export function SpanDetail({ span, sessionId, exact, onClose }: SpanDetailProps) {
  const { t } = useTranslation(['context', 'common'])
  const session = useTranscript((state) => state.current?.session ?? null)
  const { segment, sourceId, label, tokens, role, message, text } = span
  const messageId = sourceId.replace(/^landmark:/, '').split('#')[0] ?? ''
  const open = () => {
    if (segment === 'history' && sessionId) openMessage(sessionId, messageId)
    else openEditor(segment, session, sourceId)
  }
  return (
    <section
      className="spd"
      aria-label={t(`common:block.${segment}`)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div className="row">
        <Swatch segment={segment} />
        <b className="strong">{t(`common:block.${segment}`)}</b>
        <span className="dim small cut grow">{contributorName(sourceId, label)}</span>
        <span className="num small">
          {!exact && <span className="ap">≈</span>}
          {t('span.tokens', { tokens: formatTokens(tokens) })}
        </span>
        <IconButton icon="x" small label={t('span.close')} onClick={onClose} />
      </div>
      <p className="small mid">
        <WhyWords span={span} />
      </p>
      <div className="row">
        <Button small icon={segment === 'history' ? 'right' : 'edit'} onClick={open}>
          {t(`span.open.${segment}`)}
        </Button>
        <Button small tone="ghost" onClick={() => void copyText(text)}>
          {t('span.copy')}
        </Button>
        <span className="grow" />
        <span className="tiny dim">{message < 0 ? 'tools' : `${role} · ${message + 1}`}</span>
      </div>
    </section>
  )
}

function WhyWords({ span }: { span: Span }) {
  const { t } = useTranslation('context')
  const { why, segment, sourceId } = span
  if (sourceId.startsWith('frame:')) return <>{t('span.frame')}</>
  const own = ['history', 'draft', 'tools', 'app'].find((each) => each === segment)
  const words = why && isKnown(why.code) ? t(`why.${why.code}`) : own ? t(`why.${own as 'history'}`) : (why?.code ?? '')
  return (
    <>
      {words}
      {why?.detail && ` ${inWords(why.detail, why.words)}`}
      {why?.score !== undefined && ` · ${t('span.score', { score: why.score.toFixed(2) })}`}
    </>
  )
}
