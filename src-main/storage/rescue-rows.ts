import type BetterSqlite3 from 'better-sqlite3'
import { isDamageError } from './damage-error'
import type { WriteDatabase } from './database'

const BATCH = 500
/** Broken places looked around in one table; past that its rest is given up. */
const MOST_BREAKS = 5000

type Rows = unknown[][]

/**
 * The readable rows of a table with broken pages, some hundreds at a time; `'lost'` where some could not be read. A table
 * with row numbers is read around every broken page; any other from its start and from its end.
 */
export function* rowBatches(source: WriteDatabase, table: string, names: string): Generator<Rows | 'lost'> {
  const hasNumbers = (source.pragma(`table_list("${table}")`) as { wr: number }[])[0]?.wr === 0
  if (hasNumbers) yield* aroundBreaks(source, table, names)
  else yield* fromBothEnds(source, table, names)
}

type Row = [number, ...unknown[]]
type Select = BetterSqlite3.Statement<(number | bigint)[], Row>

/** What can be read until a page fails or the batch is full, in the order of the statement. */
function readOn(select: Select, bind: readonly number[]): { rows: Row[]; failed: boolean } {
  const rows: Row[] = []
  try {
    for (const row of select.iterate(...bind)) {
      rows.push(row)
      if (rows.length === BATCH) break
    }
    return { rows, failed: false }
  } catch (error) {
    if (isDamageError(error)) return { rows, failed: true }
    throw error
  }
}

const withoutNumber = (rows: readonly Row[]): Rows => rows.map(([, ...row]) => row)

/** Each stretch that fails is read up to the break; the rest is halved until single rows are left that cannot be read. */
function* aroundBreaks(source: WriteDatabase, table: string, names: string): Generator<Rows | 'lost'> {
  const select: Select = source
    .prepare<number[], Row>(
      `SELECT rowid, ${names} FROM "${table}" NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid`,
    )
    .raw()
  // the one on top is read next
  const stretches: [number, number][] = [[1, lastNumber(source, table)]]
  let breaks = 0
  for (let next = stretches.pop(); next; next = stretches.pop()) {
    const [from, to] = next
    const { rows, failed } = readOn(select, [from, to])
    if (rows.length > 0) yield withoutNumber(rows)
    const rest = rows.length > 0 ? (rows.at(-1)?.[0] ?? to) + 1 : from
    if (rest > to || (!failed && rows.length < BATCH)) continue
    if (!failed) {
      stretches.push([rest, to])
      continue
    }
    breaks += 1
    if (rest === to || breaks > MOST_BREAKS) {
      yield 'lost'
      continue
    }
    const middle = Math.floor((rest + to) / 2)
    stretches.push([middle + 1, to], [rest, middle])
  }
}

/** The highest row number, or more than any where that cannot be read. */
function lastNumber(source: WriteDatabase, table: string): number {
  const select = source.prepare<number[], Row>(`SELECT rowid FROM "${table}" NOT INDEXED ORDER BY rowid DESC`).raw()
  const { rows, failed } = readOn(select, [])
  if (rows[0]) return rows[0][0]
  return failed ? 2 ** 40 : 0
}

/** Such a table is its own index: from the start up to a break, and from the end back to the last one. */
function* fromBothEnds(source: WriteDatabase, table: string, names: string): Generator<Rows | 'lost'> {
  const keys = (source.pragma(`table_info("${table}")`) as { name: string; pk: number }[])
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => `"${name}"`)
  for (const order of ['ASC', 'DESC']) {
    const by = keys.map((key) => `${key} ${order}`).join(', ')
    const select: Select = source.prepare<number[], Row>(`SELECT 0, ${names} FROM "${table}" ORDER BY ${by}`).raw()
    let failed = false
    let rows: Row[] = []
    try {
      for (const row of select.iterate()) {
        rows.push(row)
        if (rows.length < BATCH) continue
        yield withoutNumber(rows)
        rows = []
      }
    } catch (error) {
      if (!isDamageError(error)) throw error
      failed = true
    }
    yield withoutNumber(rows)
    if (!failed) return
    yield 'lost'
  }
}
