import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder'
import { isJournalBroken } from './journal-check'

const FRAME = 24 + 4096

/** A database whose journal is written to the disk while a change is made, as a large one is. */
function journalled() {
  const file = join(temporaryFolder(), 'a.sqlite')
  const database = new BetterSqlite3(file)
  for (const pragma of ['journal_mode = WAL', 'wal_autocheckpoint = 0', 'cache_size = 10']) database.pragma(pragma)
  database.exec('CREATE TABLE t (text)')
  const insert = database.prepare('INSERT INTO t VALUES (?)')
  const add = (rows: number) => {
    for (let row = 0; row < rows; row += 1) insert.run('x'.repeat(600))
  }
  return { file, journal: `${file}-wal`, database, add }
}

const framesOf = (journal: string) => Math.floor((readFileSync(journal).length - 32) / FRAME)

/** Rows that a start over these files finds. */
function rowsAfterCrash({ file, journal }: { file: string; journal: string }): number {
  const copy = join(temporaryFolder(), 'b.sqlite')
  copyFileSync(file, copy)
  copyFileSync(journal, `${copy}-wal`)
  const database = new BetterSqlite3(copy)
  const count = database.prepare('SELECT count(*) FROM t').pluck().get() as number
  database.close()
  return count
}

it.each([1, 3, 40])('a change given up half-way, written over by one of %i rows, leaves no broken journal', (rows) => {
  const made = journalled()
  made.database.transaction(made.add)(30)
  made.database.exec('BEGIN')
  made.add(600)
  const long = framesOf(made.journal)
  made.database.exec('ROLLBACK')
  made.database.transaction(made.add)(rows)
  expect(framesOf(made.journal)).toBe(long)
  expect(isJournalBroken(made.journal)).toBe(false)
  expect(rowsAfterCrash(made)).toBe(30 + rows)
  made.database.close()
})

it('one byte changed is told wherever a stored change follows it, and nowhere else', () => {
  const made = journalled()
  for (let change = 0; change < 6; change += 1) made.database.transaction(made.add)(20)
  const sound = readFileSync(made.journal)
  const frames = framesOf(made.journal)
  expect(isJournalBroken(made.journal)).toBe(false)
  const endsChange = (frame: number) => sound.readUInt32BE(32 + frame * FRAME + 4) !== 0
  for (let frame = 0; frame < frames; frame += 1) {
    const bytes = Buffer.from(sound)
    bytes.writeUInt8(bytes.readUInt8(32 + frame * FRAME + 900) ^ 0x40, 32 + frame * FRAME + 900)
    writeFileSync(made.journal, bytes)
    const follows = Array.from({ length: frames - frame - 1 }, (_, at) => frame + 1 + at).some(endsChange)
    expect(isJournalBroken(made.journal), `frame ${frame} of ${frames}`).toBe(follows)
  }
  writeFileSync(made.journal, sound)
  made.database.close()
})

it('a journal cut off anywhere is not broken: so does every end of a process leave it', () => {
  const made = journalled()
  for (let change = 0; change < 4; change += 1) made.database.transaction(made.add)(20)
  const sound = readFileSync(made.journal)
  for (let size = sound.length; size > 0; size -= 1777) {
    writeFileSync(made.journal, sound)
    truncateSync(made.journal, size)
    expect(isJournalBroken(made.journal), `${size} bytes`).toBe(false)
  }
  writeFileSync(made.journal, sound)
  made.database.close()
})
