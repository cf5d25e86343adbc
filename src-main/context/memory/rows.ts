import { storedJson } from '../../storage/stored-json'
import type {
  HistoryAction,
  Memory,
  MemoryHistoryEntry,
  MemoryKind,
  MemorySnapshot,
  MemorySourceKind,
  MemoryStanding,
} from './contract'

export interface MemoryRow {
  seq: number
  id: string
  text: string
  normal_hash: string
  kind: string
  source_kind: string
  session_id: string | null
  message_id: string | null
  quote: string | null
  importance: number
  confidence: number
  entities: string
  valid_from: string | null
  valid_until: string | null
  superseded_by: string | null
  archived: number
  revision: number
  text_revision: number
  created_at: string
  updated_at: string
  access_count: number
  last_access_at: string | null
}

export interface HistoryRow {
  seq: number
  memory_id: string
  revision: number
  at: string
  action: string
  before: string | null
  after: string
}

/** Archived wins; a closed validity or a replacement makes it past; what begins later is active already. */
export function standingFor(
  row: Pick<MemoryRow, 'archived' | 'superseded_by' | 'valid_until'>,
  now: number,
): MemoryStanding {
  if (row.archived === 1) return 'archived'
  const ended = row.valid_until !== null && Date.parse(row.valid_until) <= now
  return ended || row.superseded_by !== null ? 'past' : 'active'
}

export function memoryOf(row: MemoryRow, now: number): Memory {
  return {
    id: row.id,
    text: row.text,
    kind: row.kind as MemoryKind,
    source: {
      kind: row.source_kind as MemorySourceKind,
      ...(row.session_id === null ? {} : { sessionId: row.session_id }),
      ...(row.message_id === null ? {} : { messageId: row.message_id }),
      ...(row.quote === null ? {} : { quote: row.quote }),
    },
    importance: row.importance,
    confidence: row.confidence,
    entities: storedJson<string[]>(row.entities, []),
    ...(row.valid_from === null ? {} : { validFrom: row.valid_from }),
    ...(row.valid_until === null ? {} : { validUntil: row.valid_until }),
    ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
    archived: row.archived === 1,
    standing: standingFor(row, now),
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    accessCount: row.access_count,
    ...(row.last_access_at === null ? {} : { lastAccessAt: row.last_access_at }),
  }
}

export function snapshotOf(row: MemoryRow): MemorySnapshot {
  return {
    text: row.text,
    kind: row.kind as MemoryKind,
    importance: row.importance,
    confidence: row.confidence,
    entities: storedJson<string[]>(row.entities, []),
    ...(row.valid_from === null ? {} : { validFrom: row.valid_from }),
    ...(row.valid_until === null ? {} : { validUntil: row.valid_until }),
    ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
    archived: row.archived === 1,
  }
}

export function historyEntryOf(row: HistoryRow): MemoryHistoryEntry {
  return {
    seq: row.seq,
    memoryId: row.memory_id,
    revision: row.revision,
    at: row.at,
    action: row.action as HistoryAction,
    ...(row.before === null ? {} : { before: JSON.parse(row.before) as MemorySnapshot }),
    after: JSON.parse(row.after) as MemorySnapshot,
  }
}
