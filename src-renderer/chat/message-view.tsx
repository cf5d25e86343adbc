import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message, MessagePart } from '../../src-main/sessions/contract'
import { useNavigation } from '../app/navigation'
import { SLOTS } from '../app/slots'
import { formatDateTime, formatNumber, formatStamp, formatTime, langOf } from '../i18n/format'
import { inWords } from '../i18n/said'
import { modelName, useModels } from '../models/model-store'
import { Icon } from '../ui/icon'
import { AttachmentList } from './attachment-list'
import { useLiveParts } from './live-answers'
import { Markdown } from './markdown/markdown'
import { MessageEditor } from './message-editor'
import { MessageFoot } from './message-foot'
import { MessageState } from './message-state'
import { useNotices } from './notice-store'
import { ReasoningFold } from './reasoning-fold'
import { ToolCard } from './tool-card'
import { UserText } from './user-text'

interface MessageViewProps {
  message: Message
  last: boolean
}

/** One message. Re-renders when it changes itself, or while it is the one being streamed. */
export const MessageView = memo(function MessageView({ message, last }: MessageViewProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const editing = useNavigation((state) => state.editing === message.id)
  const setEditing = (on: boolean) => useNavigation.setState({ editing: on ? message.id : null })
  const live = useLiveParts(message.id)
  // the last words may still be on their way to the screen when the stored answer is complete
  const streaming = message.state === 'streaming' || live !== null
  const parts = live ?? message.parts
  const user = message.role === 'user'
  const name = useAuthor(message)
  return (
    <article
      className={user ? 'msg user' : 'msg'}
      aria-label={`${name}, ${formatTime(message.createdAt)}`}
      data-message={message.id}
    >
      <div className="who">
        <b>{name}</b>
        <time dateTime={message.createdAt} title={formatDateTime(message.createdAt)}>
          {formatStamp(message.createdAt)}
        </time>
        {message.usage?.outputTokens !== undefined && (
          <>
            <span>·</span>
            <span className="num">
              {t('tokensOut', { count: message.usage.outputTokens, shown: formatNumber(message.usage.outputTokens) })}
            </span>
          </>
        )}
        {message.replyWanted === false && <span>· {t('noReplyAsked')}</span>}
      </div>
      {message.attachments.length > 0 && <AttachmentList attachments={message.attachments} />}
      {editing ? (
        <MessageEditor message={message} onClose={() => setEditing(false)} />
      ) : (
        <Body message={message} parts={parts} streaming={streaming} />
      )}
      <Notices messageId={message.id} />
      <MessageState message={message} streaming={streaming} last={last} parts={parts} />
      {!streaming &&
        SLOTS.messageNotes.map((Note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is a constant
          <Note key={index} message={message} />
        ))}
      {!streaming && !editing && <MessageFoot message={message} onEdit={() => setEditing(true)} />}
    </article>
  )
})

function useAuthor(message: Message): string {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const models = useModels((state) => state.models)
  if (message.role === 'user') return t('you')
  return modelName(message.modelId, models) || t('assistant')
}

interface BodyProps {
  message: Message
  parts: readonly MessagePart[]
  streaming: boolean
}

function Body({ message, parts, streaming }: BodyProps) {
  if (message.role === 'user') return <UserText text={message.text} />
  return parts.map((part, index) => {
    const key = `${index}:${part.type}`
    const last = index === parts.length - 1
    const tail = streaming && last
    const broken = last && message.state !== 'complete'
    if (part.type === 'text') {
      return (
        <div className="read" key={key} lang={langOf(part.text)}>
          <Markdown text={part.text} streaming={tail} broken={broken} />
        </div>
      )
    }
    if (part.type === 'reasoning') return <ReasoningFold key={key} part={part} running={tail} />
    if (part.type === 'tool') return <ToolCard key={part.callId} messageId={message.id} part={part} live={streaming} />
    if (part.type === 'note') return <Note key={key} text={inWords(part.text, part.words)} />
    return null
  })
}

function Notices({ messageId }: { messageId: string }) {
  const notices = useNotices((state) => state.byMessage[messageId])
  return notices?.map((text) => <Note key={text} text={text} />)
}

function Note({ text }: { text: string }) {
  return (
    <p className="msg-note">
      <Icon name="info" size={14} />
      {text}
    </p>
  )
}
