import { useTranslation } from 'react-i18next'
import { Confirm } from '../../ui/dialog'
import { removeMemories } from './memory-store'

/** Asks before memories are deleted: there is no way back. */
export function RemoveConfirm({
  ids,
  open,
  onOpen,
}: {
  ids: readonly string[]
  open: boolean
  onOpen(open: boolean): void
}) {
  const { t } = useTranslation(['memory', 'common'])
  return (
    <Confirm
      open={open}
      onOpen={onOpen}
      title={t('remove.title', { count: ids.length })}
      text={t('remove.text')}
      action={t('common:delete')}
      danger
      onConfirm={() => void removeMemories(ids)}
    />
  )
}
