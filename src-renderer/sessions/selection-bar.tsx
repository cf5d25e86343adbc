import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { bulkMenu, type SessionMenuDoors } from './session-menu'
import { useSessions } from './session-store'

/** Stands under the list while several chats are chosen. */
export function SelectionBar({ doors }: { doors: SessionMenuDoors }) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const selected = useSessions((state) => state.selected)
  const view = useSessions((state) => state.view)
  if (selected.size === 0) return null
  return (
    <div className="selection-bar" role="toolbar" aria-label={t('selected', { count: selected.size })}>
      <span className="small num">{t('selected', { count: selected.size })}</span>
      <span className="grow" />
      <Menu
        label={t('bulk')}
        side="top"
        align="end"
        trigger={
          <Button small icon="more">
            {t('bulk')}
          </Button>
        }
        entries={bulkMenu([...selected], view, doors)}
      />
      <IconButton
        icon="x"
        small
        label={t('clearSelection')}
        onClick={() => useSessions.setState({ selected: new Set() })}
      />
    </div>
  )
}
