import { closeSync, openSync, writeSync } from 'node:fs'
import { openForReading } from '../storage/read-only'

const PAGE = 4096

/** Bytes of no meaning, the same each time. */
export const garbage = (length: number): Uint8Array =>
  new Uint8Array(length).map((_zero, index) => (index * 151 + 89) % 256)

export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(path, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}

/** Numbers of the pages that hold a table's rows. */
export function leafPages(file: string, table: string): number[] {
  const { database, close } = openForReading(file)
  const leaves = database
    .prepare<[string], { pageno: number }>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'")
    .all(table)
  close()
  return leaves.map(({ pageno }) => pageno)
}

/** Damages the heads of some pages of a table. */
export function flipBytes(file: string, table: string, leaves: readonly number[] = [3]): void {
  const pages = leafPages(file, table)
  for (const leaf of leaves) overwrite(file, ((pages[leaf] ?? 1) - 1) * PAGE, garbage(90))
}
