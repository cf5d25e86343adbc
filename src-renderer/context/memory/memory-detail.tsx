import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory, MemoryUseEntry } from '../../../src-main/context/memory/contract'
import { CallError, call, on } from '../../api/client'
import { useKeptEdit } from '../../app/kept-edits'
import { openSession, showSent } from '../../app/navigation'
import { formatDateTime, formatStamp, langOf } from '../../i18n/format'
import { Button, IconButton, LinkButton } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { showError } from '../../ui/toast'
import { HistoryDialog } from './history-dialog'
import { openMemoryForm } from './memory-form-store'
import { archiveMemories, loadMemories, openMemory, useMemories } from './memory-store'
import { RemoveConfirm } from './remove-confirm'
import { sessionTitle } from './session-title'
import { UsesDialog } from './uses-dialog'

/** The open memory, under the list: its words, where they come from, when it was sent. */
export function MemoryDetail() {
  const id = useMemories((state) => state.currentId)
  const [memory, setMemory] = useState<Memory | null>(null)
  useEffect(() => {
    if (!id) return setMemory(null)
    let readings = 0
    const read = () => {
      const mine = ++readings
      call('memory.get', { id }).then(
        (found) => mine === readings && setMemory(found),
        () => mine === readings && useMemories.setState({ currentId: null }),
      )
    }
    read()
    const stop = on('memory.changed', ({ ids }) => ids.includes(id) && read())
    return () => {
      readings += 1 // what comes back now is of a memory that is not open any more
      stop()
    }
  }, [id])
  if (!memory || memory.id !== id) return null
  return <Detail key={memory.id} memory={memory} />
}

function Detail({ memory }: { memory: Memory }) {
  const { t } = useTranslation(['memory', 'common'])
  const [layer, setLayer] = useState<'history' | 'uses' | 'remove' | null>(null)
  const [uses, setUses] = useState<readonly MemoryUseEntry[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sent answer changes the count
  useEffect(() => {
    call('memory.usage', { id: memory.id }).then(
      (found) => setUses(found.uses),
      () => setUses([]),
    )
  }, [memory.id, memory.accessCount])
  return (
    <section className="mdet" aria-label={t('detail.label')}>
      <div className="row mdet-text">
        <DetailText memory={memory} />
        <IconButton
          icon="x"
          small
          label={t('common:close')}
          onClick={() => useMemories.setState({ currentId: null })}
        />
      </div>
      <div className="md-cols">
        <Provenance memory={memory} />
        <Standing memory={memory} uses={uses} />
        <div className="row md-act">
          <Button small icon="archive" onClick={() => void archiveMemories([memory.id], !memory.archived)}>
            {memory.archived ? t('restore') : t('archive')}
          </Button>
          <Button small tone="ghost" icon="edit" onClick={() => openMemoryForm({ memory })}>
            {t('detail.fields')}
          </Button>
          <Button small tone="ghost" onClick={() => setLayer('history')}>
            {t('detail.history', { count: memory.revision })}
          </Button>
          <Button small tone="ghost" disabled={uses.length === 0} onClick={() => setLayer('uses')}>
            {t('detail.uses', { count: uses.length })}
          </Button>
          <Button small tone="danger" className="ghost" icon="trash" onClick={() => setLayer('remove')}>
            {t('common:delete')}
          </Button>
        </div>
      </div>
      <RemoveConfirm ids={[memory.id]} open={layer === 'remove'} onOpen={(open) => setLayer(open ? 'remove' : null)} />
      {layer === 'history' && <HistoryDialog memory={memory} onClose={() => setLayer(null)} />}
      {layer === 'uses' && <UsesDialog memory={memory} uses={uses} onClose={() => setLayer(null)} />}
    </section>
  )
}

/** The words themselves. Another window's change meanwhile is a visible conflict, settled in the form. */
function DetailText({ memory }: { memory: Memory }) {
  const { t } = useTranslation(['memory', 'common'])
  const [edit, setEdit] = useKeptEdit<{ text: string; revision: number }>(`memory:${memory.id}`)
  const [conflict, setConflict] = useState(false)
  const text = edit?.text ?? memory.text
  const dirty = edit !== null && edit.text !== memory.text
  const save = async (revision: number) => {
    try {
      const saved = await call('memory.save', { id: memory.id, text: text.trim(), revision })
      // what was typed on since is not stored
      setEdit((now) => (now && now.text !== text ? { text: now.text, revision: saved.revision } : null))
      setConflict(false)
      await loadMemories()
    } catch (error) {
      if (error instanceof CallError && error.code === 'conflict') setConflict(true)
      else showError(error)
    }
  }
  return (
    <div className="grow">
      <TextArea
        className="read"
        rows={2}
        growTo={140}
        aria-label={t('form.text')}
        lang={langOf(text)}
        value={text}
        onChange={(event) => setEdit({ text: event.target.value, revision: edit?.revision ?? memory.revision })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(edit?.revision ?? memory.revision)
          if (event.key === 'Escape') setEdit(null)
        }}
      />
      {conflict && (
        <div className="conflict" role="alert">
          <p className="mid">
            {t('conflict.title')} “<span lang={langOf(memory.text)}>{memory.text.slice(0, 300)}</span>”
          </p>
        </div>
      )}
      {dirty && (
        <div className="row dirty">
          <span className="small dim">{t('detail.unsaved')}</span>
          <span className="grow" />
          <Button
            small
            tone="ghost"
            onClick={() => {
              setEdit(null)
              setConflict(false)
            }}
          >
            {conflict ? t('conflict.theirs') : t('detail.discard')}
          </Button>
          <Button
            small
            tone="primary"
            disabled={!text.trim()}
            onClick={() => void save(conflict ? memory.revision : (edit?.revision ?? memory.revision))}
          >
            {conflict ? t('conflict.mine') : t('common:save')}
          </Button>
        </div>
      )}
    </div>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Provenance({ memory }: { memory: Memory }) {
  const { t } = useTranslation('memory')
  const { kind, sessionId, messageId, quote } = memory.source
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (sessionId) void sessionTitle(sessionId).then(setTitle)
  }, [sessionId])
  return (
    <dl>
      <Fact name={t('detail.source')}>
        {t(`source.${kind}`)}
        {sessionId && (
          <>
            {' · '}
            <LinkButton onClick={() => openSession(sessionId, messageId)}>
              <span lang={langOf(title)}>{title || t('detail.chat')}</span>
            </LinkButton>
          </>
        )}
      </Fact>
      {quote && (
        <Fact name={t('detail.quote')}>
          <span className="cut block" lang={langOf(quote)}>
            “{quote}”
          </span>
        </Fact>
      )}
      <Replaces memory={memory} />
      {memory.entities.length > 0 && <Fact name={t('form.entities')}>{memory.entities.join(', ')}</Fact>}
    </dl>
  )
}

/** Both ends of a replacement. */
function Replaces({ memory }: { memory: Memory }) {
  const { t } = useTranslation('memory')
  const past = useReplaced(memory.id)
  const { supersededBy } = memory
  return (
    <>
      {supersededBy && (
        <Fact name={t('detail.replacedBy')}>
          <LinkButton onClick={() => void openMemory(supersededBy)}>{t('detail.showNewer')}</LinkButton>
        </Fact>
      )}
      {past.map((old) => (
        <Fact key={old.id} name={t('detail.replaces')}>
          <LinkButton onClick={() => void openMemory(old.id)}>
            <span lang={langOf(old.text)}>{old.text.slice(0, 80)}</span>
          </LinkButton>
          {old.validUntil && <span className="dim"> {t('detail.until', { time: formatStamp(old.validUntil) })}</span>}
        </Fact>
      ))}
    </>
  )
}

const LOOKED_THROUGH = 1000

function useReplaced(id: string): readonly Memory[] {
  const [found, setFound] = useState<readonly Memory[]>([])
  useEffect(() => {
    call('memory.list', { status: 'past', limit: LOOKED_THROUGH }).then(
      ({ memories }) => setFound(memories.filter((memory) => memory.supersededBy === id)),
      () => setFound([]),
    )
  }, [id])
  return found
}

function Standing({ memory, uses }: { memory: Memory; uses: readonly MemoryUseEntry[] }) {
  const { t } = useTranslation('memory')
  const last = uses.find((use) => use.use === 'injected')
  const from = memory.validFrom ? t('detail.from', { time: formatStamp(memory.validFrom) }) : ''
  const until = memory.validUntil ? t('detail.until', { time: formatStamp(memory.validUntil) }) : ''
  return (
    <dl>
      <Fact name={t('detail.valid')}>{[from, until].filter(Boolean).join(', ') || t('detail.always')}</Fact>
      <Fact name={t('form.importance')}>
        <span className="num">{memory.importance.toFixed(2)}</span>{' '}
        <span className="dim num">· {t('detail.confidence', { value: memory.confidence.toFixed(2) })}</span>
      </Fact>
      <Fact name={t('detail.lastSent')}>
        {last ? (
          <>
            <LinkButton
              onClick={() => {
                openSession(last.sessionId, last.messageId)
                showSent(last.messageId)
              }}
            >
              {formatStamp(last.at)}
            </LinkButton>
            <span className="dim num"> · {t('detail.score', { score: last.score.toFixed(2) })}</span>
          </>
        ) : memory.lastAccessAt ? (
          formatStamp(memory.lastAccessAt)
        ) : (
          <span className="dim">{t('detail.never')}</span>
        )}
      </Fact>
      <Fact name={t('column.added')}>
        <span className="num">{formatDateTime(memory.createdAt)}</span>
      </Fact>
    </dl>
  )
}
