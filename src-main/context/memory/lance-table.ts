import { mkdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Connection, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { type LanceAnswer, type LanceHit, type LanceRow, type LanceState, type LanceTask, rowHash } from './lance-task'

/** Small fragments a table may collect before they are merged. */
const FRAGMENTS = 20
const REFINE = 4
const CLOCK_STEP_MS = 5
const SEARCHED = 'hnsw'

export interface LanceTable {
  run(task: LanceTask): Promise<LanceAnswer>
}

interface Opened {
  lancedb: typeof import('@lancedb/lancedb')
  connection: Connection
  table: Table
  name: string
  schema: Schema
}

/** One table of the on-disk index. Rejects on every trouble with the folder; the caller decides between retry and rebuild. */
export function createLanceTable(): LanceTable {
  let opened: Opened | undefined
  let writes = 0
  const need = (): Opened => {
    if (opened === undefined) throw new Error('The vector index is not open.')
    return opened
  }
  return {
    async run(task) {
      switch (task.do) {
        case 'open':
          opened = await open(task.folder, task.table, task.dimensions)
          return undefined
        case 'replace':
          writes += 1
          await replace(need().table, task.memories, task.rows)
          if (writes % FRAGMENTS === 0) await tidy(need().table)
          return undefined
        case 'append':
          if (task.rows.length > 0) await need().table.add(task.rows.map(plain))
          return undefined
        case 'check':
          return check(need().table)
        case 'reset': {
          const { connection, name, schema } = need()
          const table = await connection.createEmptyTable(name, schema, { mode: 'overwrite' })
          opened = { ...need(), table }
          return undefined
        }
        case 'search':
          return search(need().table, task.vector, task.channel, task.limit)
        case 'tidy':
          await tidy(need().table)
          await buildIndex(need(), task.indexFrom)
          return undefined
        case 'dropOthers':
          for (const name of await need().connection.tableNames()) {
            if (name !== need().name) await need().connection.dropTable(name)
          }
          return undefined
        default:
          return task satisfies never
      }
    },
  }
}

async function open(folder: string, name: string, dimensions: number): Promise<Opened> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lancedb = await import('@lancedb/lancedb')
  const { Field, FixedSizeList, Float32, Int32, Schema: ArrowSchema, Utf8 } = await import('apache-arrow')
  const schema = new ArrowSchema([
    new Field('id', new Utf8(), false),
    new Field('memory', new Utf8(), false),
    new Field('revision', new Int32(), false),
    new Field('channel', new Utf8(), false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
  ])
  const connection = await lancedb.connect(folder)
  const names = await connection.tableNames()
  const table = names.includes(name)
    ? await connection.openTable(name)
    : await connection.createEmptyTable(name, schema)
  return { lancedb, connection, table, name, schema }
}

function plain(row: LanceRow): Record<string, unknown> {
  return { id: row.id, memory: row.memory, revision: row.revision, channel: row.channel, vector: row.vector }
}

/** Upsert by id first, then the leftovers of older revisions: a kill between the two leaves too much, never too little. */
async function replace(table: Table, memories: readonly string[], rows: readonly LanceRow[]): Promise<void> {
  if (rows.length > 0) {
    await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows.map(plain))
  }
  if (memories.length === 0) return
  const kept = rows.map((row) => literal(row.id))
  const among = `memory IN (${memories.map(literal).join(', ')})`
  await table.delete(kept.length === 0 ? among : `${among} AND id NOT IN (${kept.join(', ')})`)
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

async function check(table: Table): Promise<LanceState> {
  let sum = 0
  let count = 0
  const rows = await table.query().select(['id', 'revision']).toArray()
  for (const row of rows as { id: string; revision: number }[]) {
    sum += rowHash(row.id, row.revision)
    count += 1
  }
  return { count, sum }
}

async function search(table: Table, vector: Float32Array, channel: string, limit: number): Promise<LanceHit[]> {
  const rows = (await table
    .query()
    .nearestTo(vector)
    .distanceType('cosine')
    .where(`channel = ${literal(channel)}`)
    .refineFactor(REFINE)
    .select(['memory', 'revision', 'vector', '_distance'])
    .limit(limit)
    .toArray()) as { memory: string; revision: number; vector: Iterable<number> }[]
  return rows.map((row) => ({ memory: row.memory, revision: row.revision, vector: Float32Array.from(row.vector) }))
}

/** A version of this very millisecond is not yet older than now, and would keep what was just deleted. */
async function tidy(table: Table): Promise<void> {
  await setTimeout(CLOCK_STEP_MS)
  await table.optimize({ cleanupOlderThan: new Date() })
}

/** Flat search is good enough below; building takes half a second a thousand rows. */
async function buildIndex({ lancedb, table }: Opened, indexFrom: number): Promise<void> {
  if ((await table.countRows()) < indexFrom) return
  const existing = await table.listIndices()
  if (existing.some((index) => index.columns.includes('vector'))) return
  await table.createIndex('vector', { config: lancedb.Index.hnswSq({ distanceType: 'cosine' }), name: SEARCHED })
}
