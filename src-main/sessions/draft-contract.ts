/** Two texts as one: the second on a line of its own. */
export function joinTexts(first: string, second: string): string {
  if (first === '' || second === '') return first + second
  return first.endsWith('\n') ? first + second : `${first}\n${second}`
}

/**
 * What is left of a stored text once a message of it went out. The stored text may be older than the message (saved
 * before the last key) or go on behind it (typed since). Any other text is none of this message and stays.
 */
export function textWithoutSent(stored: string, sent: string): string {
  if (sent === '') return stored
  if (sent.startsWith(stored)) return ''
  if (!stored.startsWith(sent)) return stored
  const rest = stored.slice(sent.length)
  return rest.startsWith('\n') && !sent.endsWith('\n') ? rest.slice(1) : rest
}

/**
 * What is left of a stored text once a message went out that was written in `base`, of which `rest` is to stay. What was
 * added to the stored text meanwhile stays, too. Undefined when something of the base is gone: the message may have gone
 * out from elsewhere.
 */
export function textAfterSent(base: string, rest: string, stored: string): string | undefined {
  if (!stored.startsWith(base)) return undefined
  const added = stored.slice(base.length)
  return rest === '' && added.startsWith('\n') ? added.slice(1) : rest + added
}

/** The newest of the saves tried without an answer that was made all the same. */
export const madeSave = <Save extends { id: string }>(
  tried: readonly Save[],
  made: readonly string[],
): Save | undefined => tried.findLast(({ id }) => made.includes(id))

/**
 * `mine` and `theirs` both grew out of `base`: one that did not change gives way, what was added to the end is added.
 * Where both added something, `first` goes on where the base ends, perhaps in the middle of a word, and the other follows.
 */
export function mergeTexts(base: string, mine: string, theirs: string, first: 'mine' | 'theirs' = 'theirs'): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  const [mineGrew, theirsGrew] = [mine.startsWith(base), theirs.startsWith(base)]
  if (mineGrew && theirsGrew) {
    const [ahead, behind] = first === 'mine' ? [mine, theirs] : [theirs, mine]
    return apart(ahead, behind.slice(base.length))
  }
  if (mineGrew) return theirs + mine.slice(base.length)
  if (theirsGrew) return mine + theirs.slice(base.length)
  return mine
}

const apart = (first: string, second: string): string =>
  /\s$/.test(first) || /^\s/.test(second) ? first + second : joinTexts(first, second)

/** The other window's list, with what was added and taken away here since `base`. */
export function mergeFiles<File extends { id: string }>(
  base: readonly File[],
  mine: readonly File[],
  theirs: readonly File[],
): File[] {
  const has = (files: readonly File[], { id }: File) => files.some((file) => file.id === id)
  const left = theirs.filter((file) => has(mine, file) || !has(base, file))
  return [...left, ...mine.filter((file) => !has(base, file) && !has(left, file))]
}
