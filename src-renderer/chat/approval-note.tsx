import { useTranslation } from 'react-i18next'
import { TextArea } from '../ui/field'

/** What a person tells the model beside their decision. */
export function ApprovalNote({ note, onNote }: { note: string; onNote(note: string): void }) {
  const { t } = useTranslation('chat')
  return (
    <TextArea
      className="approval-note"
      aria-label={t('tool.note')}
      placeholder={t('tool.note')}
      rows={1}
      growTo={120}
      value={note}
      onChange={(event) => onNote(event.target.value)}
    />
  )
}
