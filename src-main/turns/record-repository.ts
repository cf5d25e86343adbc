import { deflateSync, inflateSync } from 'node:zlib'
import type { ContextUsage, Span } from '../context/contract'
import { AppError } from '../ipc/app-error'
import type { ReadDatabase, WriteDatabase } from '../storage/database'
import type { Preview, ReportedUsage, TurnRecord } from './contract'
import { deletableSource, labelsOf, type Relabel, withLabels, withoutLabels } from './record-labels'
import { putRope, type Roots, type RopePiece, readRope } from './text-store'

export interface Outcome {
  reported?: ReportedUsage
  timings: TurnRecord['timings']
  finishReason?: string
  notes?: NonNullable<TurnRecord['notes']>
  error?: NonNullable<TurnRecord['error']>
  /** With the reported numbers applied. */
  usage?: ContextUsage
}

export interface SentRequest {
  messageId: string
  round: number
  turnId: string
  sessionId: string
  sentAt: string
  connectionId: string
  modelId: string
  preview: Preview
}

const sourceOf = (span: Pick<Span, 'segment' | 'sourceId'>): string | undefined =>
  deletableSource(span.segment, span.sourceId)

/**
 * Each span as two pieces: its marks, then its text. Its place is not among the marks, so that a text is stored once
 * wherever it stands; messages, parts and spans are counted again on reading.
 */
function ledgerPieces(ledger: readonly Span[]): RopePiece[] {
  const pieces: RopePiece[] = []
  let before: { message: number; part: string } | undefined
  for (const { id, message, text, ...marks } of ledger) {
    const part = id.slice(0, id.lastIndexOf('.'))
    const opens = message !== before?.message
    const newPart = message >= 0 && !opens && part !== before?.part
    before = { message, part }
    const kept = withoutLabels.span(marks)
    const place = { opens, ...(newPart ? { newPart } : {}), ...(message === -1 ? { offMessage: true } : {}) }
    pieces.push({ text: JSON.stringify({ ...kept, ...place }) })
    const sourceId = sourceOf(marks)
    pieces.push(sourceId === undefined ? { text } : { text, sourceId })
  }
  return pieces
}

type StoredMarks = Omit<Span, 'id' | 'message' | 'text'> & { opens: boolean; newPart?: boolean; offMessage?: boolean }

function readLedger(pieces: readonly string[]): Span[] {
  const ledger: Span[] = []
  let message = -1
  let part = 0
  let index = 0
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const { opens, newPart, offMessage, ...marks } = JSON.parse(pieces[at] ?? '{}') as StoredMarks
    const text = pieces[at + 1] ?? ''
    if (offMessage) {
      ledger.push({ ...marks, id: `t${ledger.length}`, message: -1, text })
      continue
    }
    if (opens) message += 1
    part = opens ? 0 : part + (newPart ? 1 : 0)
    index = opens || newPart ? 0 : index + 1
    ledger.push({ ...marks, id: `m${message}.p${part}.s${index}`, message, text })
  }
  return ledger
}

/** The body cut at the spans' own texts (as JSON writes them), so that equal texts of two bodies are stored once. */
export function bodyPieces(body: string, ledger: readonly Span[]): RopePiece[] {
  const pieces: RopePiece[] = []
  let cursor = 0
  for (const span of ledger) {
    const sourceId = sourceOf(span)
    // a short text is worth a piece of its own only where it may have to go
    if (span.text === '' || (span.text.length < 8 && sourceId === undefined)) continue
    const written = JSON.stringify(span.text).slice(1, -1)
    const found = body.indexOf(written, cursor)
    if (found === -1) continue
    if (found > cursor) pieces.push({ text: body.slice(cursor, found) })
    pieces.push(sourceId === undefined ? { text: written } : { text: written, sourceId })
    cursor = found + written.length
  }
  if (cursor < body.length) pieces.push({ text: body.slice(cursor) })
  return pieces
}

/** What a row's sheet holds. The labels of the sources it lists stand at the end of the ledger's pieces, in that order. */
type StoredSheet = Omit<Preview, 'ledger' | 'wire'> & { wire: Omit<Preview['wire'], 'body'>; labelled?: string[] }

/** Stored the moment the request leaves; the outcome follows. */
export function putRecord(database: WriteDatabase, sent: SentRequest): void {
  const { ledger, wire, ...rest } = sent.preview
  const { body, ...wireHead } = wire
  const labels = labelsOf(sent.preview)
  const stored: StoredSheet = {
    ...rest,
    usage: withoutLabels.usage(rest.usage),
    rejected: withoutLabels.rejected(rest.rejected),
    wire: wireHead,
    labelled: [...labels.keys()],
  }
  const sheet = deflateSync(JSON.stringify(stored))
  const labelPieces = [...labels].map(([sourceId, text]): RopePiece => ({ sourceId, text }))
  database.transaction(() => {
    const ledgerRoot = putRope(database, [...ledgerPieces(ledger), ...labelPieces])
    const bodyRoot = putRope(database, bodyPieces(body, ledger))
    putMeanwhile.get(database)?.push(ledgerRoot, bodyRoot)
    database
      .prepare(
        `INSERT OR REPLACE INTO turn_record (message_id, round, turn_id, session_id, sent_at, connection_id, model_id,
           ledger_root, body_root, sheet) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        sent.messageId,
        sent.round,
        sent.turnId,
        sent.sessionId,
        sent.sentAt,
        sent.connectionId,
        sent.modelId,
        ledgerRoot,
        bodyRoot,
        sheet,
      )
  })()
}

export function putOutcome(database: WriteDatabase, messageId: string, round: number, outcome: Outcome): void {
  const stored = outcome.usage ? { ...outcome, usage: withoutLabels.usage(outcome.usage) } : outcome
  database
    .prepare('UPDATE turn_record SET outcome = ? WHERE message_id = ? AND round = ?')
    .run(JSON.stringify(stored), messageId, round)
}

interface RecordRow {
  round: number
  sent_at: string
  connection_id: string
  model_id: string
  ledger_root: string
  body_root: string
  sheet: Buffer
  outcome: string | null
}

export function roundsOf(database: ReadDatabase, messageId: string): number {
  return (
    database
      .prepare<[string], { most: number | null }>('SELECT max(round) AS most FROM turn_record WHERE message_id = ?')
      .get(messageId)?.most ?? 0
  )
}

/** Sheet and ledger of a row, with the labels that are left put back. */
function readSheet(
  database: ReadDatabase,
  row: Pick<RecordRow, 'sheet' | 'ledger_root'>,
): { sheet: Omit<StoredSheet, 'labelled'>; ledger: Span[]; relabel: Relabel } {
  const { labelled = [], ...sheet } = JSON.parse(inflateSync(row.sheet).toString()) as StoredSheet
  const pieces = readRope(database, row.ledger_root)
  const labels = pieces.splice(pieces.length - labelled.length)
  const relabel = withLabels(new Map(labelled.map((sourceId, index) => [sourceId, labels[index] ?? ''])))
  return { sheet, ledger: readLedger(pieces).map((span) => relabel.span(span)), relabel }
}

/** What was sent for an answer; without a round, the last one. */
export function readRecord(database: ReadDatabase, messageId: string, round?: number): TurnRecord {
  const rounds = roundsOf(database, messageId)
  const row = database
    .prepare<[string, number], RecordRow>('SELECT * FROM turn_record WHERE message_id = ? AND round = ?')
    .get(messageId, round ?? rounds)
  if (!row) {
    throw new AppError(
      'not_found',
      'There is no record for this message. Only answers written here have one; imported ones do not.',
    )
  }
  const { sheet, ledger, relabel } = readSheet(database, row)
  const outcome: Outcome =
    row.outcome === null ? { timings: { collect: 0, assemble: 0 } } : (JSON.parse(row.outcome) as Outcome)
  const { usage, ...rest } = outcome
  return {
    ...sheet,
    ...rest,
    usage: relabel.usage(usage ?? sheet.usage),
    rejected: relabel.rejected(sheet.rejected),
    ledger,
    wire: { ...sheet.wire, body: readRope(database, row.body_root).join('') },
    sentAt: row.sent_at,
    connectionId: row.connection_id,
    modelId: row.model_id,
    rounds,
    round: row.round,
  }
}

/** One record per model call of an answer; [] where nothing was kept. */
export function readRecords(database: ReadDatabase, messageId: string): TurnRecord[] {
  return Array.from({ length: roundsOf(database, messageId) }, (_, index) => readRecord(database, messageId, index + 1))
}

/** A request as far as its front is compared with another's. */
export interface Sent {
  body: string
  ledger: readonly Span[]
}

/** The one read last: while a draft is typed, every preview is held against the same request. */
const readLast = new WeakMap<ReadDatabase, { root: string; sent: Sent }>()

/** The last request of a session's branch, for the prefix comparison. */
export function lastSent(database: ReadDatabase, messageIds: readonly string[]): Sent | undefined {
  const find = database.prepare<[string], RecordRow>(
    'SELECT * FROM turn_record WHERE message_id = ? ORDER BY round DESC LIMIT 1',
  )
  for (const id of messageIds.toReversed()) {
    const row = find.get(id)
    if (!row) continue
    const known = readLast.get(database)
    if (known?.root === row.body_root) return known.sent
    const sent = { body: readRope(database, row.body_root).join(''), ledger: readSheet(database, row).ledger }
    readLast.set(database, { root: row.body_root, sent })
    return sent
  }
  return undefined
}

/** Roots that were put while a sweep is under way. */
const putMeanwhile = new WeakMap<ReadDatabase, string[]>()

const ROOTS_PER_PAGE = 500

/** Every root still in use, for one sweep: what it must keep. A row put while it runs is told by `fresh`, wherever it stands. */
export function recordRoots(database: ReadDatabase): Roots {
  const meanwhile: string[] = []
  putMeanwhile.set(database, meanwhile)
  const next = database.prepare<[number, number], { number: number; ledger_root: string; body_root: string }>(
    'SELECT rowid AS number, ledger_root, body_root FROM turn_record WHERE rowid > ? ORDER BY rowid LIMIT ?',
  )
  return {
    *pages() {
      for (let after = 0; ; ) {
        const rows = next.all(after, ROOTS_PER_PAGE)
        const last = rows.at(-1)
        if (!last) return
        after = last.number
        yield rows.flatMap((row) => [row.ledger_root, row.body_root])
      }
    },
    fresh: () => meanwhile.splice(0),
  }
}

/** With their messages gone, records go. Returns how many; the texts only they named go with the next sweep. */
export function forgetRecords(database: WriteDatabase, messageIds: readonly string[]): number {
  const record = database.prepare('DELETE FROM turn_record WHERE message_id = ?')
  const turn = database.prepare('DELETE FROM turn WHERE reply_message_id = ?')
  return database.transaction(() =>
    messageIds.reduce((gone, id) => {
      turn.run(id)
      return gone + record.run(id).changes
    }, 0),
  )()
}
