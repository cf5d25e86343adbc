import { useTranslation } from 'react-i18next'
import { useRunning } from '../chat/running-store'
import { IconButton } from '../ui/button'
import { changeDraft, useDraft } from './draft-store'
import { sendQueued } from './send-message'

/** Messages that wait for the running answer: seen, changed, dropped, or sent now that nothing runs. */
export function QueueList({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  const { queue, text } = useDraft(sessionId)
  const running = useRunning((state) => (sessionId ? Boolean(state.bySession[sessionId]) : false))
  if (queue.length === 0 || !sessionId) return null
  const without = (index: number) => queue.filter((_, at) => at !== index)
  return (
    <ul className="queue" aria-label={t('queue.label')}>
      {queue.map((waiting, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may wait twice
        <li key={index}>
          <span className="mark">{running ? t('queue.waits') : t('queue.held')}</span>
          <span className="cut">{waiting}</span>
          <span className="grow" />
          {!running && index === 0 && (
            <IconButton icon="send" small label={t('queue.sendNow')} onClick={() => void sendQueued(sessionId)} />
          )}
          <IconButton
            icon="edit"
            small
            label={t('queue.edit')}
            onClick={() =>
              changeDraft(sessionId, { queue: without(index), text: text ? `${waiting}\n${text}` : waiting })
            }
          />
          <IconButton
            icon="x"
            small
            label={t('queue.remove')}
            onClick={() => changeDraft(sessionId, { queue: without(index) })}
          />
        </li>
      ))}
    </ul>
  )
}
