import { AppError } from '../../ipc/app-error'
import type { WriteDatabase } from '../../storage/database'
import { change, insertMemory, mustFind, type WriteContext, type Written } from './change-row'
import type { MemoryKind, MemorySaveInput, MemorySnapshot, MemorySource } from './contract'
import { findEqualText, findMemories, findMemory, neighbourIds } from './repository'
import { type HistoryRow, historyEntryOf, type MemoryRow, snapshotOf } from './rows'

const DEFAULTS = { kind: 'fact' as MemoryKind, importance: 0.5, confidence: 0.8 }

/** Where only one of the two is given, the stored other one counts. */
function checkPeriod(from: string | null | undefined, until: string | null | undefined): void {
  if (from && until && Date.parse(until) < Date.parse(from))
    throw new AppError('bad_input', 'A memory cannot end before it begins. Check both days.', {
      details: { path: 'validUntil' },
    })
}

/** Creates, edits, or merges into a memory whose text is equal after normalisation. One transaction, history included. */
export function saveMemory(database: WriteDatabase, input: MemorySaveInput, context: WriteContext): Written {
  return database
    .transaction(() => {
      const written =
        input.id === undefined ? createOrMerge(database, input, context) : edit(database, input.id, input, context)
      if (input.replaces !== undefined) {
        const { old } = supersede(database, input.replaces, written.row.id, context)
        return { row: written.row, changed: [...written.changed, old.id] }
      }
      return written
    })
    .immediate()
}

function createOrMerge(database: WriteDatabase, input: MemorySaveInput, context: WriteContext): Written {
  checkPeriod(input.validFrom, input.validUntil)
  const twin = findEqualText(database, input.text, context.nowIso)
  const samePeriod =
    twin !== undefined &&
    (input.validFrom ?? null) === twin.valid_from &&
    (input.validUntil ?? null) === twin.valid_until &&
    (input.kind === undefined || input.kind === twin.kind) &&
    input.replaces !== twin.id
  if (samePeriod) return merge(database, twin, input, context)
  const row = insertMemory(
    database,
    {
      id: context.newId(),
      source: sourceOf(input),
      snapshot: {
        text: input.text.trim(),
        kind: input.kind ?? DEFAULTS.kind,
        importance: input.importance ?? DEFAULTS.importance,
        confidence: input.confidence ?? DEFAULTS.confidence,
        entities: input.entities ?? [],
        ...(input.validFrom ? { validFrom: input.validFrom } : {}),
        ...(input.validUntil ? { validUntil: input.validUntil } : {}),
        archived: false,
      },
      action: 'created',
    },
    context,
  )
  const beside = row.session_id === null ? [] : neighbourIds(database, row.session_id, row.seq)
  return { row, changed: [row.id, ...beside] }
}

function sourceOf({ source }: MemorySaveInput): MemorySource {
  if (source === undefined) return { kind: 'manual' }
  return {
    kind: source.kind,
    ...(source.sessionId === undefined ? {} : { sessionId: source.sessionId }),
    ...(source.messageId === undefined ? {} : { messageId: source.messageId }),
    ...(source.quote === undefined ? {} : { quote: source.quote }),
  }
}

/** The stored words stay; the stronger importance and confidence, and all entities, remain. */
function merge(database: WriteDatabase, twin: MemoryRow, input: MemorySaveInput, context: WriteContext): Written {
  const before = snapshotOf(twin)
  const after: MemorySnapshot = {
    ...before,
    importance: Math.max(before.importance, input.importance ?? 0),
    confidence: Math.max(before.confidence, input.confidence ?? 0),
    entities: [...new Set([...before.entities, ...(input.entities ?? [])])],
  }
  return change(database, twin, after, 'merged', context)
}

function edit(database: WriteDatabase, id: string, input: MemorySaveInput, context: WriteContext): Written {
  const row = mustFind(database, id)
  if (input.revision !== undefined && input.revision !== row.revision) {
    throw new AppError(
      'conflict',
      'This memory was changed elsewhere since it was opened. Compare both versions and save again.',
      { details: { id, revision: row.revision, current: snapshotOf(row) } },
    )
  }
  const { validFrom: _from, validUntil: _until, ...before } = snapshotOf(row)
  const validFrom = input.validFrom === undefined ? row.valid_from : input.validFrom
  const validUntil = input.validUntil === undefined ? row.valid_until : input.validUntil
  if (input.validFrom !== undefined || input.validUntil !== undefined) checkPeriod(validFrom, validUntil)
  const after: MemorySnapshot = {
    ...before,
    text: input.text.trim(),
    kind: input.kind ?? before.kind,
    importance: input.importance ?? before.importance,
    confidence: input.confidence ?? before.confidence,
    entities: input.entities ?? before.entities,
    ...(validFrom === null ? {} : { validFrom }),
    ...(validUntil === null ? {} : { validUntil }),
  }
  return change(database, row, after, 'edited', context)
}

export function setArchived(
  database: WriteDatabase,
  ids: readonly string[],
  archived: boolean,
  context: WriteContext,
): string[] {
  return database
    .transaction(() => {
      const changed: string[] = []
      for (const row of findMemories(database, ids).values()) {
        if ((row.archived === 1) === archived) continue
        change(database, row, { ...snapshotOf(row), archived }, archived ? 'archived' : 'restored', context)
        changed.push(row.id)
      }
      return changed
    })
    .immediate()
}

/** Row, history, vectors, uses and suggestions go; what was replaced by it stays past, with no link. */
export function removeMemories(database: WriteDatabase, ids: readonly string[]): string[] {
  // Freed pages are overwritten, so that deleted words leave the file and not only the tables.
  database.pragma('secure_delete = ON')
  return database
    .transaction(() => {
      const rows = [...findMemories(database, ids).values()]
      const outbox = database.prepare('DELETE FROM memory_outbox WHERE memory_id = ?')
      const tombstone = database.prepare(
        "INSERT INTO memory_outbox (memory_id, revision, operation) VALUES (?, ?, 'delete')",
      )
      const unlink = database.prepare('UPDATE memory SET superseded_by = NULL WHERE superseded_by = ?')
      const remove = database.prepare('DELETE FROM memory WHERE id = ?')
      for (const row of rows) {
        outbox.run(row.id)
        tombstone.run(row.id, row.text_revision + 1)
        unlink.run(row.id)
        remove.run(row.id)
      }
      return rows.map((row) => row.id)
    })
    .immediate()
}

/** Closes the old one's validity and links it. Nothing is edited away. */
export function supersede(
  database: WriteDatabase,
  oldId: string,
  newId: string,
  context: WriteContext,
): { old: MemoryRow; current: MemoryRow } {
  return database
    .transaction(() => {
      const old = mustFind(database, oldId)
      const current = mustFind(database, newId)
      for (let at: MemoryRow | undefined = current; at !== undefined; ) {
        if (at.id === oldId) throw new AppError('bad_input', 'A memory cannot replace itself, not even through others.')
        at = at.superseded_by === null ? undefined : findMemory(database, at.superseded_by)
      }
      const ended = old.valid_until !== null && Date.parse(old.valid_until) <= Date.parse(context.nowIso)
      const after: MemorySnapshot = {
        ...snapshotOf(old),
        supersededBy: newId,
        validUntil: ended && old.valid_until !== null ? old.valid_until : context.nowIso,
      }
      return { old: change(database, old, after, 'superseded', context).row, current }
    })
    .immediate()
}

/** Puts back what stood before entry `seq`, by default the newest. The undo is itself an entry and can be undone. */
export function undoChange(
  database: WriteDatabase,
  id: string,
  seq: number | undefined,
  context: WriteContext,
): Written {
  return database
    .transaction(() => {
      const row = mustFind(database, id)
      const entry = database
        .prepare<[{ id: string; seq: number | null }], HistoryRow>(
          'SELECT * FROM memory_history WHERE memory_id = @id AND (@seq IS NULL OR seq = @seq) ORDER BY seq DESC LIMIT 1',
        )
        .get({ id, seq: seq ?? null })
      if (entry === undefined) throw new AppError('not_found', 'This memory has no such change in its history.')
      const { before } = historyEntryOf(entry)
      if (before === undefined) {
        throw new AppError('bad_input', 'This is the first version. Archive or delete the memory instead.')
      }
      return change(database, row, before, 'undone', context)
    })
    .immediate()
}
