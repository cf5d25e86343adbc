import { useTranslation } from 'react-i18next'

/** A ticked or open item of a task list. It belongs to the text and cannot be ticked. */
export function TaskBox({ done }: { done: boolean }) {
  const { t } = useTranslation('chat')
  return <input type="checkbox" checked={done} disabled readOnly aria-label={done ? t('task.done') : t('task.open')} />
}
