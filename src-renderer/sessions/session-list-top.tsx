import { useTranslation } from 'react-i18next'
import type { Tag } from '../../src-main/sessions/contract'
import { openSettings } from '../app/navigation'
import { shortcutLabel } from '../app/shortcuts'
import { IconButton } from '../ui/button'
import { SearchField } from '../ui/field'
import { Menu } from '../ui/menu'
import { newChat, newTemporaryChat } from './session-actions'
import { type SessionView, searchSessions, showView, useSessions } from './session-store'
import { TagLine } from './tag-line'

interface SessionListTopProps {
  tags: readonly Tag[]
  onNewFolder(): void
}

/** Search, new chat, the other views, and the tags. */
export function SessionListTop({ tags, onNewFolder }: SessionListTopProps) {
  const { t } = useTranslation(['sessions', 'common', 'app'])
  const { query, view } = useSessions()
  const show = (next: SessionView) => ({ checked: view === next, onSelect: () => void showView(next) })
  return (
    <>
      <div className="side-top">
        <SearchField
          label={t('common:search')}
          value={query}
          onValue={(value) => void searchSessions(value)}
          shortcut={shortcutLabel('palette.open')}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && query) {
              void searchSessions('')
              event.stopPropagation()
            }
          }}
        />
        <Menu
          label={t('listMenu')}
          align="end"
          trigger={<IconButton icon="more" label={t('listMenu')} />}
          entries={[
            {
              id: 'temporary',
              label: t('newTemporary'),
              icon: 'ghost',
              shortcut: shortcutLabel('chat.temporary'),
              onSelect: () => void newTemporaryChat(),
            },
            { id: 'folder', label: t('newFolder'), icon: 'folder', onSelect: onNewFolder },
            { id: 'import', label: t('import'), icon: 'download', onSelect: () => openSettings('backups') },
            { kind: 'separator', id: 's' },
            { id: 'active', label: t('view.active'), ...show('active') },
            { id: 'archived', label: t('view.archived'), ...show('archived') },
            { id: 'bin', label: t('view.bin'), ...show('bin') },
          ]}
        />
        <IconButton icon="edit" label={t('newChat')} shortcut={shortcutLabel('chat.new')} onClick={newChat} />
      </div>
      <TagLine tags={tags} />
    </>
  )
}
