import { useState, type WheelEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '../../src-main/sessions/contract'
import { ContextMenu, type MenuEntry } from '../ui/menu'
import { NameDialog } from './name-dialog'
import { removeTag, saveTag } from './session-actions'
import { searchSessions, useSessions } from './session-store'

/** The same eight a new tag takes in turn. */
export const TAG_COLOURS = [
  ['#2f7d8c', 'teal'],
  ['#a15c2f', 'copper'],
  ['#5b6ba8', 'slate'],
  ['#7a8b2f', 'olive'],
  ['#9a4f86', 'plum'],
  ['#4f8a63', 'green'],
  ['#b08422', 'amber'],
  ['#7d5a4b', 'brown'],
] as const

/** A tag's colour; its name always stands beside it. */
export const TagDot = ({ colour }: { colour: string }) => (
  <span className="tag-dot" aria-hidden="true" style={{ background: colour }} />
)

function choose(tagId: string | null): void {
  const { query } = useSessions.getState()
  useSessions.setState({ tagId })
  if (query) void searchSessions(query)
}

/** A wheel that only turns up and down moves the one row there is. */
function scrollAcross({ currentTarget, deltaX, deltaY }: WheelEvent<HTMLElement>): void {
  if (deltaX === 0) currentTarget.scrollLeft += deltaY
}

/** Narrows the list to a tag; a tag's own menu renames, colours and removes it. */
export function TagLine({ tags }: { tags: readonly Tag[] }) {
  const { t } = useTranslation(['sessions', 'common'])
  const tagId = useSessions((state) => state.tagId)
  const [renaming, setRenaming] = useState<Tag | null>(null)
  if (tags.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings borders and a legend this row has no room for
    <div className="tagline" role="group" aria-label={t('filterByTag')} onWheel={scrollAcross}>
      <button type="button" className="tg" aria-pressed={tagId === null} onClick={() => choose(null)}>
        {t('allTags')}
      </button>
      {tags.map((tag) => (
        <ContextMenu key={tag.id} label={tag.name} entries={() => entriesOf(tag, setRenaming)}>
          <button
            type="button"
            className="tg"
            aria-pressed={tagId === tag.id}
            title={t('tagMenuHint')}
            onClick={() => choose(tagId === tag.id ? null : tag.id)}
          >
            <TagDot colour={tag.colour} />
            {tag.name}
          </button>
        </ContextMenu>
      ))}
      <NameDialog
        open={renaming !== null}
        title={t('renameTag')}
        label={t('tagName')}
        action={t('common:save')}
        initial={renaming?.name ?? ''}
        onClose={() => setRenaming(null)}
        onName={(name) => renaming && void saveTag({ id: renaming.id, name: name.replace(/^#/, '') })}
      />
    </div>
  )

  function entriesOf(tag: Tag, onRename: (tag: Tag) => void): MenuEntry[] {
    return [
      { id: 'rename', label: t('renameTag'), icon: 'edit', onSelect: () => onRename(tag) },
      {
        kind: 'submenu',
        id: 'colour',
        label: t('tagColour'),
        icon: 'tag',
        entries: TAG_COLOURS.map(([colour, name]) => ({
          id: colour,
          label: t(`colour.${name}`),
          swatch: colour,
          checked: tag.colour === colour,
          onSelect: () => void saveTag({ id: tag.id, name: tag.name, colour }),
        })),
      },
      { kind: 'separator', id: 's' },
      { id: 'remove', label: t('removeTag'), icon: 'trash', danger: true, onSelect: () => void removeTag(tag.id) },
    ]
  }
}
