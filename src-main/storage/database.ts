import type BetterSqlite3 from 'better-sqlite3'

/** The full right: reads, writes, transactions. */
export type WriteDatabase = BetterSqlite3.Database

/** The weaker right: what a reader needs. A function that takes this cannot write by accident. */
export interface ReadDatabase {
  prepare<Bind extends unknown[], Row>(sql: string): ReadStatement<Bind, Row>
}

export type ReadStatement<Bind extends unknown[], Row> = Pick<
  BetterSqlite3.Statement<Bind, Row>,
  'get' | 'all' | 'iterate'
>

/** One step of a room's history. Append-only: a landed migration is never edited. */
export interface Migration {
  /** `<room>/<nnn>-<what>`, unique in the app, for example `sessions/001-tables`. */
  name: string
  up(database: WriteDatabase): void
}
