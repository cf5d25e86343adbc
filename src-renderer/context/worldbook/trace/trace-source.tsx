import { useTranslation } from 'react-i18next'
import { useNavigation } from '../../../app/navigation'
import { useTranscript } from '../../../chat/transcript-store'
import { formatTime } from '../../../i18n/format'
import { PickButton } from '../../../ui/button'
import { Menu } from '../../../ui/menu'

const ANSWERS = 20

/** The draft, or one of the answers on screen. */
export function TraceSource({ answerId }: { answerId: string | null }) {
  const { t } = useTranslation('worldbook')
  const messages = useTranscript((state) => state.current?.messages)
  const answers = messages?.filter((message) => message.role === 'assistant' && message.turnId) ?? []
  const shown = answers.find((message) => message.id === answerId)
  const choose = (id: string | null) => useNavigation.setState({ sentMessageId: id })
  if (answers.length === 0 && answerId === null) return null
  const label =
    answerId === null ? t('trace.draft') : t('trace.answer', { time: shown ? formatTime(shown.createdAt) : '' })
  return (
    <div className="trace-source">
      <Menu
        label={t('trace.source')}
        trigger={<PickButton aria-label={`${t('trace.source')}: ${label}`}>{label}</PickButton>}
        entries={[
          { id: 'draft', label: t('trace.draft'), checked: answerId === null, onSelect: () => choose(null) },
          { kind: 'separator', id: 's' },
          ...answers
            .slice(-ANSWERS)
            .toReversed()
            .map((message) => ({
              id: message.id,
              label: message.text.slice(0, 60) || '…',
              note: formatTime(message.createdAt),
              checked: message.id === answerId,
              onSelect: () => choose(message.id),
            })),
        ]}
      />
    </div>
  )
}
