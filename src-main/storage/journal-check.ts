import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const HEADER = 32
const FRAME_HEADER = 24
const MAGIC = 0x37_7f_06_82

/** Bytes looked at: far more than the journal of a sound app ever holds, and no long wait at the start. */
const MOST_BYTES = 64 * 1024 * 1024

function headOf(path: string): Buffer {
  const handle = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(handle).size, MOST_BYTES))
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(handle)
  }
}

type Sums = readonly [number, number]

/** SQLite's running sum over pairs of 32-bit words. */
function sumOf(bytes: DataView, from: number, length: number, seed: Sums, bigEndian: boolean): Sums {
  let [first, second] = seed
  for (let at = from; at < from + length; at += 8) {
    first = (first + bytes.getUint32(at, !bigEndian) + second) >>> 0
    second = (second + bytes.getUint32(at + 4, !bigEndian) + first) >>> 0
  }
  return [first, second]
}

const sumsAt = (bytes: DataView, at: number): Sums => [bytes.getUint32(at), bytes.getUint32(at + 4)]

const same = (a: Sums, b: Sums): boolean => a[0] === b[0] && a[1] === b[1]

/**
 * True when a journal is broken before its end: its header does not hold together, or a frame is wrong and a stored change
 * follows it. SQLite stops at the first wrong frame without a word, and what follows is lost. Frames behind the last
 * stored change are no damage: a process that ended left the last one torn, or a change that a full disk refused was
 * written over from its beginning by a shorter one. Such leftovers do not end a change, as the last frame of each does.
 * Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function isJournalBroken(path: string): boolean {
  if (!existsSync(path)) return false
  const file = headOf(path)
  if (file.length < HEADER + FRAME_HEADER) return false
  const bytes = new DataView(file.buffer, file.byteOffset, file.length)
  const magic = bytes.getUint32(0)
  const bigEndian = (magic & 1) === 1
  const pageSize = bytes.getUint32(8)
  const isPower = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0
  if ((magic & ~1) >>> 0 !== MAGIC || !isPower) return file.some((byte) => byte !== 0)
  const head = sumOf(bytes, 0, FRAME_HEADER, [0, 0], bigEndian)
  if (!same(head, sumsAt(bytes, FRAME_HEADER))) return true
  return goesOnAfterABreak(bytes, pageSize, head, bigEndian)
}

function goesOnAfterABreak(bytes: DataView, pageSize: number, head: Sums, bigEndian: boolean): boolean {
  const frame = FRAME_HEADER + pageSize
  const salt: Sums = sumsAt(bytes, 16)
  let before = head
  let broken = false
  for (let at = HEADER; at + frame <= bytes.byteLength; at += frame) {
    const stated = sumsAt(bytes, at + 16)
    const own = sumOf(bytes, at + FRAME_HEADER, pageSize, sumOf(bytes, at, 8, before, bigEndian), bigEndian)
    const holds = same(sumsAt(bytes, at + 8), salt) && same(own, stated)
    const endsChange = bytes.getUint32(at + 4) !== 0
    if (broken && holds && endsChange) return true
    broken ||= !holds
    // each frame carries on the sum of the one before it, as that one states it
    before = stated
  }
  return false
}
