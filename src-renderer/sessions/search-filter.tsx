import { useTranslation } from 'react-i18next'
import { useModels } from '../models/model-store'
import { IconButton } from '../ui/button'
import { Menu, type MenuEntry } from '../ui/menu'
import { filterSearch, NO_FILTERS, type SearchAge, useSessions } from './session-store'

const AGES: readonly SearchAge[] = ['any', 'week', 'month', 'year']

/** Narrows a search to a folder, a model or a time; tags are chosen above the list. */
export function SearchFilter() {
  const { t } = useTranslation('sessions')
  const { folders, filters } = useSessions()
  const models = useModels((state) => state.models)
  const narrowed = filters.folderId !== null || filters.modelId !== null || filters.age !== 'any'
  const entries: MenuEntry[] = [
    { kind: 'heading', id: 'time', label: t('filter.time') },
    ...AGES.map((age) => ({
      id: age,
      label: t(`filter.age.${age}`),
      checked: filters.age === age,
      onSelect: () => filterSearch({ age }),
    })),
    { kind: 'separator', id: 's' },
    {
      kind: 'submenu',
      id: 'folder',
      label: t('filter.folder'),
      icon: 'folder',
      entries: [
        {
          id: '',
          label: t('filter.all'),
          checked: !filters.folderId,
          onSelect: () => filterSearch({ folderId: null }),
        },
        ...folders.map((folder) => ({
          id: folder.id,
          label: folder.name,
          checked: filters.folderId === folder.id,
          onSelect: () => filterSearch({ folderId: folder.id }),
        })),
      ],
    },
    {
      kind: 'submenu',
      id: 'model',
      label: t('filter.model'),
      icon: 'server',
      entries: [
        { id: '', label: t('filter.all'), checked: !filters.modelId, onSelect: () => filterSearch({ modelId: null }) },
        ...models.slice(0, 60).map((model) => ({
          id: model.id,
          label: model.name,
          checked: filters.modelId === model.id,
          onSelect: () => filterSearch({ modelId: model.id }),
        })),
      ],
    },
    ...(narrowed
      ? [
          { kind: 'separator' as const, id: 's2' },
          { id: 'clear', label: t('filter.clear'), icon: 'x' as const, onSelect: () => filterSearch(NO_FILTERS) },
        ]
      : []),
  ]
  return (
    <Menu
      label={t('filter.open')}
      align="end"
      trigger={<IconButton icon="sort" small label={t('filter.open')} pressed={narrowed} />}
      entries={entries}
    />
  )
}
