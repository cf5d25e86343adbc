import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LintFinding } from '../../../../src-main/context/worldbook/contract'
import type { Entry } from '../../../../src-main/context/worldbook/entry-contract'
import { langOf } from '../../../i18n/format'
import { IconButton } from '../../../ui/button'
import { EmptyState } from '../../../ui/empty-state'
import { Icon } from '../../../ui/icon'
import { Menu } from '../../../ui/menu'
import { Switch } from '../../../ui/toggle'
import { type EntryPatch, flushEdits } from '../editor/book-edits'
import { duplicateEntry, focusTable, removeWithUndo } from '../editor/entry-actions'
import { entriesById, findingText } from '../editor/finding-words'
import { editEntry, useOpenBook } from '../editor/open-book'
import { pickOnly, titleOf, useTableView } from '../editor/table-view'
import { Advanced } from './advanced'
import { ContentField } from './content-field'
import { OftenFields } from './often-fields'
import { WhenFields } from './when-fields'
import { WhereFields } from './where-fields'

export interface EntryPartProps {
  entry: Entry
  onEdit(patch: EntryPatch): void
}

/** Everything about one entry, saved as it is typed. */
export function EntryForm() {
  const { t } = useTranslation('worldbook')
  const currentId = useTableView((state) => state.currentId)
  const worldbookId = useOpenBook((state) => state.book?.id)
  const entry = useOpenBook((state) => state.book?.entries.find((each) => each.id === currentId))
  return (
    <aside
      className="insp form-pane"
      aria-label={t('form.label')}
      onBlur={() => void flushEdits()}
      onKeyDown={(event) => {
        // a key being typed, or a menu, has the first word
        if (event.key !== 'Escape' || event.defaultPrevented || !event.currentTarget.contains(event.target as Node))
          return
        focusTable()
      }}
    >
      {entry ? (
        <Fields key={`${worldbookId}/${entry.id}`} worldbookId={worldbookId} entry={entry} />
      ) : (
        <EmptyState icon="book" title={t('form.none')}>
          {t('form.noneHelp')}
        </EmptyState>
      )}
    </aside>
  )
}

function Fields({ entry, worldbookId }: { entry: Entry; worldbookId: string | undefined }) {
  const { t } = useTranslation(['worldbook', 'common'])
  const findings = useOpenBook((state) => state.findings)
  // a field that is left by opening another book still belongs to this one
  const onEdit = (patch: EntryPatch) => editEntry(entry.id, patch, worldbookId)
  const own = findings?.filter((finding) => finding.entryIds.includes(entry.id)) ?? []
  const part: EntryPartProps = { entry, onEdit }
  return (
    <>
      <div className="fh">
        <input
          className="title-in"
          aria-label={t('form.name')}
          placeholder={titleOf({ ...entry, comment: '' })}
          value={entry.comment}
          lang={langOf(entry.comment)}
          spellCheck={false}
          onChange={(event) => onEdit({ comment: event.target.value })}
        />
        <span className="small dim" aria-hidden="true">
          {entry.enabled ? t('tri.on') : t('tri.off')}
        </span>
        <Switch checked={entry.enabled} label={t('form.enabled')} onValue={(enabled) => onEdit({ enabled })} />
        <Menu
          label={t('common:more')}
          align="end"
          trigger={<IconButton icon="more" label={t('common:more')} />}
          entries={[
            { id: 'copy', icon: 'copy', label: t('form.duplicate'), onSelect: () => void duplicateEntry(entry) },
            {
              id: 'remove',
              icon: 'trash',
              label: t('form.remove'),
              danger: true,
              onSelect: () => void removeWithUndo([entry.id]),
            },
          ]}
        />
        <IconButton icon="x" label={t('form.close')} className="form-close" onClick={() => pickOnly(null)} />
      </div>
      <div className="insp-body">
        {own.length > 0 && <OwnFindings findings={own} />}
        <ContentField {...part} />
        <WhenFields {...part} />
        <WhereFields {...part} />
        <OftenFields {...part} />
        <Advanced {...part} />
      </div>
    </>
  )
}

function OwnFindings({ findings }: { findings: readonly LintFinding[] }) {
  const { t } = useTranslation('worldbook')
  const entries = useOpenBook((state) => state.book?.entries)
  const byId = useMemo(() => entriesById(entries ?? []), [entries])
  return (
    <ul className="warn-list">
      {findings.slice(0, 6).map((finding) => (
        <li key={`${finding.code}${finding.message}`} className={finding.severity === 'note' ? 'dim' : undefined}>
          <Icon name={finding.severity === 'note' ? 'info' : 'warn'} size={14} />
          {findingText(t, finding, byId).whole}
        </li>
      ))}
    </ul>
  )
}
