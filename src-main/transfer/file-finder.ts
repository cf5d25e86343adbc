import type { ArchiveFiles, NamedFile } from './archive-files'
import type { ForeignAttachment } from './foreign-chat'

/** Finds the files of one chat and counts what is not there. */
export class FileFinder {
  readonly #files: ArchiveFiles
  #missing = 0

  constructor(files: ArchiveFiles) {
    this.#files = files
  }

  get missing(): number {
    return this.#missing
  }

  /** Those that are in the archive, each once. */
  find(named: readonly NamedFile[]): ForeignAttachment[] {
    const found = new Map<string, ForeignAttachment>()
    for (const file of named) {
      const one = this.#files.find(file)
      if (!one) this.#missing += 1
      else if ('entry' in one) found.set(one.entry, one)
    }
    return [...found.values()]
  }
}
