import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message, MessagePart } from '../../src-main/sessions/contract'
import { openSessionSettings, openSettings } from '../app/navigation'
import { loadRecord, useRecords } from '../context/request-inspector/record-store'
import { formatTokens } from '../i18n/format'
import { inWords } from '../i18n/said'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { continueAnswer, regenerate } from './chat-actions'

interface MessageStateProps {
  message: Message
  streaming: boolean
  last: boolean
  parts: readonly MessagePart[]
}

/** How an answer ended when it did not end well, and what can be done about it. */
export function MessageState({ message, streaming, last, parts }: MessageStateProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const { state, error, finishReason } = message
  if (streaming || state === 'streaming') {
    return parts.length === 0 ? (
      <p className="waiting">
        <span className="pulse">{t('waiting')}</span>
      </p>
    ) : null
  }
  if (state !== 'failed' && error) return <GoOnFailed message={message} last={last} />
  if (state === 'complete' && message.role === 'assistant' && wasCut(finishReason)) {
    return <CutAnswer message={message} finishReason={finishReason} last={last} silent={isEmpty(parts)} />
  }
  if (state === 'complete' && message.role === 'assistant' && last && message.text.trim() === '' && isEmpty(parts)) {
    return (
      <StateLine tone="warn" text={t('state.empty')}>
        <Button small icon="redo" onClick={() => void regenerate(message.id)}>
          {t('common:retry')}
        </Button>
      </StateLine>
    )
  }
  if (state === 'complete') {
    if (finishReason !== 'max_rounds' || !last) return null
    return (
      <StateLine tone="warn" text={t('state.maxRounds')}>
        <Button small onClick={() => void continueAnswer(message.id)}>
          {t('continue')}
        </Button>
      </StateLine>
    )
  }
  const retry = (
    <Button small icon="redo" onClick={() => void regenerate(message.id)}>
      {t('common:retry')}
    </Button>
  )
  // an answer that had only called tools so far is one to go on with too
  const begun = message.text !== '' || message.parts.some((part) => part.type === 'tool')
  const goOn = begun ? (
    <Button small onClick={() => void continueAnswer(message.id)}>
      {t('continue')}
    </Button>
  ) : null
  if (state === 'failed') {
    return (
      <StateLine tone="bad" text={error ? inWords(error.message, error.words) : t('state.failed')}>
        {error?.code === 'model.context_too_long' && <BiggestBlock messageId={message.id} />}
        {error && MENDED_IN_CONNECTIONS.has(error.code) ? (
          <Button small onClick={() => openSettings('connections')}>
            {t('openConnections')}
          </Button>
        ) : null}
        {goOn}
        {retry}
      </StateLine>
    )
  }
  return (
    <StateLine tone={state === 'interrupted' ? 'warn' : 'plain'} text={t(`state.${state}`)}>
      {goOn}
      {retry}
    </StateLine>
  )
}

const MENDED_IN_CONNECTIONS: ReadonlySet<string> = new Set([
  'model.unauthorised',
  'model.unreachable',
  'model.rejected',
])

type Cut = 'length' | 'content-filter'
const wasCut = (reason: string | undefined): reason is Cut => reason === 'length' || reason === 'content-filter'

interface CutAnswerProps {
  message: Message
  finishReason: Cut
  last: boolean
  /** Nothing but thinking arrived. */
  silent: boolean
}

/** An answer its server ended early, and what to do. Said for every answer, so that an old one is not taken for whole. */
function CutAnswer({ message, finishReason, last, silent }: CutAnswerProps) {
  const { t } = useTranslation(['chat', 'common'])
  const filtered = finishReason === 'content-filter'
  const key = filtered ? (silent ? 'filteredSilent' : 'filtered') : silent ? 'lengthSilent' : 'length'
  return (
    <StateLine tone="warn" text={t(`state.${key}`)}>
      {last && !filtered && !silent && (
        <Button small onClick={() => void continueAnswer(message.id)}>
          {t('continue')}
        </Button>
      )}
      {last && (filtered || silent) && (
        <Button small icon="redo" onClick={() => void regenerate(message.id)}>
          {t('common:retry')}
        </Button>
      )}
    </StateLine>
  )
}

/** The answer is as it was before someone asked for more of it. */
function GoOnFailed({ message, last }: { message: Message; last: boolean }) {
  const { t } = useTranslation('chat')
  const { error } = message
  if (!error) return null
  return (
    <StateLine tone="bad" text={t('state.goOnFailed', { message: inWords(error.message, error.words) })}>
      {MENDED_IN_CONNECTIONS.has(error.code) ? (
        <Button small onClick={() => openSettings('connections')}>
          {t('openConnections')}
        </Button>
      ) : null}
      {last ? (
        <Button small onClick={() => void continueAnswer(message.id)}>
          {t('continue')}
        </Button>
      ) : null}
    </StateLine>
  )
}

const isEmpty = (parts: readonly MessagePart[]) =>
  parts.every(
    (part) => part.type === 'reasoning' || part.type === 'note' || (part.type === 'text' && part.text.trim() === ''),
  )

/** What to make shorter first, from the record of the refused request, and the way there. */
function BiggestBlock({ messageId }: { messageId: string }) {
  const { t } = useTranslation(['chat', 'common', 'context'])
  const record = useRecords((state) => state.records[messageId])
  useEffect(() => {
    if (!useRecords.getState().records[messageId]) void loadRecord(messageId)
  }, [messageId])
  const biggest = record?.usage.segments.toSorted((a, b) => b.tokens - a.tokens)[0]
  if (!record || !biggest) return null
  return (
    <>
      <span>
        {t('state.biggest', {
          block: t(`common:block.${biggest.segment}`),
          tokens: formatTokens(biggest.tokens),
          used: formatTokens(record.usage.used),
        })}
      </span>
      <Button small icon="cut" onClick={() => openSessionSettings('historyLimit')}>
        {t('context:foot.trim')}
      </Button>
    </>
  )
}

function StateLine({
  tone,
  text,
  children,
}: {
  tone: 'plain' | 'warn' | 'bad'
  text: string
  children: React.ReactNode
}) {
  return (
    <div className={`msg-state ${tone}`}>
      <Icon name={tone === 'plain' ? 'info' : 'warn'} size={14} />
      <span className="grow">{text}</span>
      {children}
    </div>
  )
}
