import { useTranslation } from 'react-i18next'
import type { ProfileFact } from '../../../src-main/context/user-profile/contract'
import { useKeptEdit } from '../../app/kept-edits'
import { openSession } from '../../app/navigation'
import { formatNumber, formatWhen, langOf } from '../../i18n/format'
import { Button, IconButton } from '../../ui/button'
import { TextField } from '../../ui/field'

interface FactTableProps {
  facts: readonly ProfileFact[]
  /** Saves this fact and no other. True when it is stored. */
  onSave(fact: Pick<ProfileFact, 'category' | 'statement' | 'confidence'> & { id?: string }): Promise<boolean>
  onRemove(id: string): void
}

const NEW: ProfileFact = {
  id: '',
  category: '',
  statement: '',
  confidence: 1,
  evidenceCount: 0,
  firstSeen: '',
  lastSeen: '',
  sourceSessions: [],
}

/** What is believed about the person, each with how often and when it was seen. */
export function FactTable({ facts, onSave, onRemove }: FactTableProps) {
  const { t } = useTranslation(['profile', 'common'])
  const [editing, setEditing] = useKeptEdit<ProfileFact>('profile:fact')
  const keep = async (fact: ProfileFact) => {
    const { id, category, statement, confidence } = fact
    if (!statement.trim()) return
    const done = await onSave({
      ...(id ? { id } : {}),
      category: category.trim(),
      statement: statement.trim(),
      confidence,
    })
    // another fact, or what was typed on since, is not stored
    if (done) setEditing((now) => (now === fact ? null : now))
  }
  const editor = editing && (
    <li key={editing.id}>
      <FactEditor
        fact={editing}
        onChange={(patch) => setEditing((now) => now && { ...now, ...patch })}
        onSave={() => void keep(editing)}
        onCancel={() => setEditing(null)}
      />
    </li>
  )
  return (
    <section className="sheet-part">
      <div className="row">
        <h2>{t('facts.title')}</h2>
        <span className="small dim num">{facts.length > 0 && formatNumber(facts.length)}</span>
        <span className="grow" />
        <Button small tone="ghost" icon="plus" onClick={() => setEditing(NEW)}>
          {t('facts.add')}
        </Button>
      </div>
      {facts.length === 0 && !editing && <p className="small dim">{t('facts.none')}</p>}
      <ul className="facts">
        {facts.map((fact) =>
          editing?.id === fact.id ? (
            editor
          ) : (
            <li key={fact.id}>
              <FactRow fact={fact} onEdit={() => setEditing(fact)} onRemove={() => onRemove(fact.id)} />
            </li>
          ),
        )}
        {/* a new one, or one that was removed elsewhere while it was edited */}
        {editing && !facts.some((fact) => fact.id === editing.id) && editor}
      </ul>
    </section>
  )
}

function FactRow({ fact, onEdit, onRemove }: { fact: ProfileFact; onEdit(): void; onRemove(): void }) {
  const { t } = useTranslation(['profile', 'common'])
  const [source] = fact.sourceSessions
  return (
    <div className="row">
      <span className="fact-kind small dim cut" lang={langOf(fact.category)}>
        {fact.category}
      </span>
      <span className="grow" lang={langOf(fact.statement)}>
        {fact.statement}
      </span>
      <span className="tiny dim num" title={t('facts.confidence', { value: fact.confidence.toFixed(2) })}>
        {t('facts.seen', { count: fact.evidenceCount })}
        {fact.lastSeen && ` · ${formatWhen(fact.lastSeen)}`}
      </span>
      {source && <IconButton small icon="chat" label={t('facts.source')} onClick={() => openSession(source)} />}
      <IconButton small icon="edit" label={t('facts.edit', { fact: fact.statement })} onClick={onEdit} />
      <IconButton small icon="trash" label={t('facts.remove', { fact: fact.statement })} onClick={onRemove} />
    </div>
  )
}

interface FactEditorProps {
  fact: ProfileFact
  onChange(patch: Partial<ProfileFact>): void
  onSave(): void
  onCancel(): void
}

function FactEditor({ fact: { category, statement }, onChange, onSave, onCancel }: FactEditorProps) {
  const { t } = useTranslation(['profile', 'common'])
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <TextField
        className="fact-kind-in"
        aria-label={t('facts.category')}
        placeholder={t('facts.category')}
        value={category}
        onChange={(event) => onChange({ category: event.target.value })}
      />
      <TextField
        aria-label={t('facts.statement')}
        placeholder={t('facts.statement')}
        value={statement}
        onChange={(event) => onChange({ statement: event.target.value })}
      />
      <Button small type="submit" tone="primary" disabled={!statement.trim()}>
        {t('common:save')}
      </Button>
      <Button small tone="ghost" onClick={onCancel}>
        {t('common:cancel')}
      </Button>
    </form>
  )
}
