import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProfileFact } from '../../../src-main/context/user-profile/contract'
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
  const [editing, setEditing] = useState<ProfileFact | null>(null)
  const keep = async ({ id, category, statement, confidence }: ProfileFact) => {
    const done = await onSave({ ...(id ? { id } : {}), category, statement, confidence })
    if (done) setEditing((now) => (now?.id === id ? null : now))
  }
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
          editing?.id === fact.id && fact.id ? (
            <li key={fact.id}>
              <FactEditor fact={editing} onSave={(next) => void keep(next)} onCancel={() => setEditing(null)} />
            </li>
          ) : (
            <li key={fact.id}>
              <FactRow fact={fact} onEdit={() => setEditing(fact)} onRemove={() => onRemove(fact.id)} />
            </li>
          ),
        )}
        {editing?.id === '' && (
          <li>
            <FactEditor fact={editing} onSave={(next) => void keep(next)} onCancel={() => setEditing(null)} />
          </li>
        )}
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
  onSave(fact: ProfileFact): void
  onCancel(): void
}

function FactEditor({ fact, onSave, onCancel }: FactEditorProps) {
  const { t } = useTranslation(['profile', 'common'])
  const [category, setCategory] = useState(fact.category)
  const [statement, setStatement] = useState(fact.statement)
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (statement.trim()) onSave({ ...fact, category: category.trim(), statement: statement.trim() })
      }}
    >
      <TextField
        className="fact-kind-in"
        aria-label={t('facts.category')}
        placeholder={t('facts.category')}
        value={category}
        onChange={(event) => setCategory(event.target.value)}
      />
      <TextField
        aria-label={t('facts.statement')}
        placeholder={t('facts.statement')}
        value={statement}
        onChange={(event) => setStatement(event.target.value)}
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
