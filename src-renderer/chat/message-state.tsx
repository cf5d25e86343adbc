import { useTranslation } from 'react-i18next'
import type { Message, MessagePart } from '../../src-main/sessions/contract'
import { openSettings } from '../app/navigation'
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
  if (state === 'complete') {
    if ((finishReason !== 'length' && finishReason !== 'max_rounds') || !last) return null
    return (
      <StateLine tone="warn" text={t(finishReason === 'length' ? 'state.length' : 'state.maxRounds')}>
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
        {error?.code === 'model.unauthorised' || error?.code === 'model.unreachable' ? (
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
