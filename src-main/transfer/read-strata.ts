import { createHash } from 'node:crypto'
import { type Said, said } from '../ipc/said-contract'
import { sha256Of } from '../sessions/attachments/blob-store'
import { orderTree, repairWarnings } from './clean-tree'
import { importedTime } from './import-time'
import { unreadable } from './item-lines'
import { FORMAT, type Item, type ItemOf, itemSchema, VERSION } from './strata-format'
import { isStrata, type RawItem, readRawItems } from './strata-lines'

export { isStrata }

type SimpleItem = Exclude<Item, { type: 'session' | 'message' | 'blob' }>

/** A message in its final place among those of its session. */
export interface PlacedStrataMessage extends Omit<ItemOf<'message'>, 'createdAt' | 'parentId'> {
  /** Place of its parent in the session's list; −1 for a beginning. */
  parent: number
  /** It needs an id of its own: the one in the file belongs to another message of the session. */
  needsId: boolean
  /** Stored form; undefined where the file's is no time. */
  createdAt: string | undefined
}

/** What a file of ours holds, in order. The messages of a session follow it, all of them, one step each. */
export type StrataStep = { /** About how many characters cross a border with it. */ length: number } & (
  | { kind: 'item'; item: SimpleItem }
  | { kind: 'blob'; sha256: string; bytes: Uint8Array }
  | { kind: 'warning'; warning: Said }
  | { kind: 'skipped'; index: number; reason: string }
  | { kind: 'session'; session: ItemOf<'session'>; messages: number; notes: Said[] }
  | { kind: 'message'; message: PlacedStrataMessage }
)

interface Group {
  session: ItemOf<'session'>
  messages: ItemOf<'message'>[]
  /** Messages that could not be read, with what was above each. */
  lost: Map<string, string | null>
  wounded: boolean
}

/** @throws import.unreadable for another version, or where nothing can be read */
export function readStrata(bytes: Uint8Array): Iterable<StrataStep> {
  const { head, items, isWhole } = readRawItems(bytes)
  if (head.format !== FORMAT) throw unreadable('it is not a Strata export')
  if (!(head.version <= VERSION)) {
    throw unreadable(
      said`it was written by a newer version of Strata (file version ${head.version}); install that version`,
    )
  }
  return new StrataReader().steps(items, isWhole)
}

const warning = (words: Said): StrataStep => ({ kind: 'warning', warning: words, length: 200 })

class StrataReader {
  #group: Group | undefined;

  *steps(items: Iterable<RawItem>, isWhole: () => boolean): Generator<StrataStep> {
    let index = 0
    for (const raw of items) {
      if ('broken' in raw) yield* this.#takeBroken(raw.broken, raw.place)
      else yield* this.#take(raw.value, index)
      index += 1
    }
    yield* this.#finish()
    if (isWhole()) return
    if (index === 0) throw unreadable('its end is missing: the file was cut off')
    yield warning('The end of the file is missing: it was cut off. What stands before was read.')
  }

  *#take(raw: unknown, index: number): Generator<StrataStep> {
    const parsed = itemSchema.safeParse(raw)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const reason = `item ${index}: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`.trim()
      if (typeof raw === 'object' && raw !== null && 'type' in raw && raw.type === 'session') {
        yield* this.#finish()
        yield { kind: 'skipped', index, reason, length: reason.length }
      } else yield warning(said`Left out, ${reason}.`)
      return
    }
    const item = parsed.data
    if (item.type === 'message') {
      if (this.#group) this.#group.messages.push(item)
      else yield warning(said`Item ${index} is a message of a chat that was left out.`)
      return
    }
    yield* this.#finish()
    if (item.type === 'session') this.#group = { session: item, messages: [], lost: new Map(), wounded: false }
    else if (item.type === 'blob') yield blobStep(item)
    else yield { kind: 'item', item, length: JSON.stringify(item).length }
  }

  /** A torn item still says at its head what it was. A chat whose own line is lost keeps its messages. */
  *#takeBroken(text: string, place: number): Generator<StrataStep> {
    const type = fieldIn(text, 'type')
    if (type === 'session') {
      yield* this.#finish()
      const id = fieldIn(text, 'id') ?? `recovered-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
      const session = itemSchema.parse({ type: 'session', id, title: fieldIn(text, 'title') ?? '', createdAt: '' })
      if (session.type === 'session') this.#group = { session, messages: [], lost: new Map(), wounded: true }
      yield warning(
        said`Line ${place} began a chat and is damaged: the chat's own settings are lost, its messages were read.`,
      )
      return
    }
    const group = this.#group
    if (group && (type === 'message' || type === undefined)) {
      const id = fieldIn(text, 'id')
      group.wounded = true
      if (id !== undefined) group.lost.set(id, fieldIn(text, 'parentId') ?? group.messages.at(-1)?.id ?? null)
    } else yield* this.#finish()
    yield warning(said`Line ${place} is damaged and was left out; the lines around it were read.`)
  }

  *#finish(): Generator<StrataStep> {
    const group = this.#group
    this.#group = undefined
    if (!group) return
    const { session, messages } = group
    if (group.wounded) closeWounds(group)
    if (session.createdAt === '') session.createdAt = messages[0]?.createdAt ?? ''
    const { order, parents, selected, needsId, repairs } = orderTree(messages)
    const notes: Said[] = repairWarnings(session.title, repairs)
    const placed = order.flatMap((at, place): PlacedStrataMessage[] => {
      const message = messages[at]
      if (!message) return []
      const { createdAt: given, parentId: _parent, ...kept } = message
      const createdAt = importedTime(given)
      if (createdAt === undefined) notes.push(noTime(session.title, given))
      return [
        {
          ...kept,
          parent: parents[place] ?? -1,
          needsId: needsId[place] ?? false,
          selected: selected[place] ?? false,
          createdAt,
        },
      ]
    })
    yield { kind: 'session', session, messages: placed.length, notes: notes.slice(0, 101), length: 1000 }
    for (const message of placed) {
      const parts = message.parts ? JSON.stringify(message.parts).length : 0
      yield { kind: 'message', message, length: message.text.length + parts }
    }
  }
}

export const noTime = (title: string, given: string): Said =>
  said`"${title}": "${given.slice(0, 40)}" is no time; the time of the import stands in.`

/** The text of a field at the head of a damaged item. */
const fieldIn = (text: string, name: string): string | undefined => {
  const found = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1]
  try {
    return found === undefined ? undefined : String(JSON.parse(found))
  } catch {
    return undefined
  }
}

/** What hung on a lost message hangs on the one above that, or on the one that stands before it in the file. */
function closeWounds({ messages, lost }: Group): void {
  const ids = new Set(messages.map((message) => message.id))
  messages.forEach((message, index) => {
    if (message.parentId === null || ids.has(message.parentId)) return
    const walked = new Set<string>()
    let above: string | null = message.parentId
    while (above !== null && !ids.has(above) && lost.has(above) && !walked.has(above)) {
      walked.add(above)
      above = lost.get(above) ?? null
    }
    const before = messages[index - 1]?.id ?? null
    message.parentId = above !== null && ids.has(above) ? above : walked.size > 0 && above === null ? null : before
  })
}

function blobStep({ sha256, dataBase64 }: ItemOf<'blob'>): StrataStep {
  const bytes = new Uint8Array(Buffer.from(dataBase64, 'base64'))
  if (sha256Of(bytes) === sha256) return { kind: 'blob', sha256, bytes, length: bytes.length }
  return warning(said`A file's bytes are not those of its hash ${sha256.slice(0, 12)}…; it was left out.`)
}
