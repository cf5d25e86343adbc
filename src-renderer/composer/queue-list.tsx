import { useTranslation } from 'react-i18next'
import type { QueuedMessage } from '../../src-main/sessions/queue-contract'
import { useRunning } from '../chat/running-store'
import { langOf } from '../i18n/format'
import { inWords } from '../i18n/said'
import { IconButton } from '../ui/button'
import { Icon } from '../ui/icon'
import { moveQueued, removeQueued, takeQueued, useQueue } from './queue-store'
import { sendQueued } from './send-message'

/** Messages that wait for the running answer: seen, changed, moved, dropped, or sent now that nothing runs. */
export function QueueList({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  const queue = useQueue(sessionId)
  const running = useRunning((state) => (sessionId ? Boolean(state.bySession[sessionId]) : false))
  if (queue.length === 0) return null
  return (
    <ul className="queue" aria-label={t('queue.label')}>
      {queue.map((message, index) => (
        <li key={message.id}>
          <span className="mark">{running && !message.held ? t('queue.waits') : t('queue.held')}</span>
          <Waiting message={message} />
          {!running && index === 0 && (
            <IconButton icon="send" small label={t('queue.sendNow')} onClick={() => void sendQueued(message)} />
          )}
          {index > 0 && (
            <IconButton
              icon="up"
              small
              label={t('queue.sooner')}
              onClick={() => void moveQueued(message.id, queue[index - 1]?.id ?? null)}
            />
          )}
          <IconButton icon="edit" small label={t('queue.edit')} onClick={() => void takeQueued(message.id)} />
          <IconButton icon="x" small label={t('queue.remove')} onClick={() => void removeQueued(message.id)} />
          {message.held && <p className="why tiny warn-t">{inWords(message.held.message, message.held.words)}</p>}
        </li>
      ))}
    </ul>
  )
}

function Waiting({ message: { text, attachments } }: { message: QueuedMessage }) {
  const { t } = useTranslation('composer')
  const names = attachments.map((file) => file.name).join(', ')
  return (
    <>
      {attachments.length > 0 && (
        <span className="row tiny dim" title={names}>
          <Icon name="clip" size={12} />
          {t('queue.files', { count: attachments.length })}
        </span>
      )}
      <span className="cut" lang={langOf(text)}>
        {text || names}
      </span>
    </>
  )
}
