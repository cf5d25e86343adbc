import type { ArchiveEntry } from './archive'
import type { ForeignAttachment } from './foreign-chat'

/** What a message says of a file it names. */
export interface NamedFile {
  /** Addresses or ids: `file-service://file-abc`, `sediment://file_0123`, a uuid. */
  ids: readonly string[]
  /** As its owner called it; '' = unknown. */
  name: string
  bytes?: number
}

/** Finds in an archive what messages name. */
export interface ArchiveFiles {
  find(file: NamedFile): ForeignAttachment | undefined
}

export const NO_FILES: ArchiveFiles = { find: () => undefined }

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const ending = (name: string): string => /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''

/** An id stands at the head of a file's name: alone, or before a mark and its old name. */
function* heads(base: string): Generator<string> {
  yield base
  for (const { index } of base.matchAll(/[^A-Za-z0-9]/g)) if (index > 0) yield base.slice(0, index)
}

/** `sediment://a#file_b#p_0.png` names the picture and what it was taken from. */
const idsIn = (address: string): string[] =>
  address
    .replace(/^[a-z-]+:\/\//i, '')
    .split(/[#?/]/)
    .filter((id) => id.length >= 6)

/**
 * @param names what files are called elsewhere in the archive: entry's name -> owner's name
 */
export function archiveFiles(
  entries: readonly ArchiveEntry[],
  names: ReadonlyMap<string, string> = new Map(),
): ArchiveFiles {
  const byHead = new Map<string, string>()
  const byName = new Map<string, string[]>()
  const bySize = new Map<number, string[]>()
  const also = <K>(map: Map<K, string[]>, key: K, entry: string) => {
    const known = map.get(key)
    if (known) known.push(entry)
    else map.set(key, [entry])
  }
  for (const { name, size } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const base = baseName(name)
    for (const head of heads(base)) if (!byHead.has(head)) byHead.set(head, name)
    also(byName, names.get(base) ?? base, name)
    also(bySize, size, name)
  }
  const only = (found: readonly string[] | undefined) => (found?.length === 1 ? found[0] : undefined)
  return {
    find({ ids, name, bytes }) {
      const entry =
        ids.flatMap(idsIn).reduce<string | undefined>((found, id) => found ?? byHead.get(id), undefined) ??
        only(name === '' ? undefined : byName.get(name)) ??
        // pictures made by the app lie there under names the chats do not know
        only(bytes ? bySize.get(bytes)?.filter((path) => /\.(?:png|jpe?g|webp|gif)$/i.test(path)) : undefined)
      if (entry === undefined) return undefined
      const own = name || names.get(baseName(entry)) || shortName(baseName(entry), ids)
      return { name: own, entry }
    },
  }
}

/** `file-abc-harbour.png` is `harbour.png`. */
function shortName(base: string, ids: readonly string[]): string {
  const head = ids.flatMap(idsIn).find((id) => base.startsWith(`${id}-`) || base.startsWith(`${id}_`))
  const rest = head === undefined ? base : base.slice(head.length + 1)
  return rest === ending(rest) || rest === '' ? base : rest
}
