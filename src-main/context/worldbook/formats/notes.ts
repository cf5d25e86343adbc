import { asMessage, type Said, said, type Words } from '../../../ipc/said-contract'
import type { WorldbookWarning } from '../trace-contract'
import { IMPORT_LIMITS } from './limits'

const NAMES_LISTED = 100

/** Collects what an import has to say. Of each kind of warning the first ones are listed, the rest counted. */
export class Notes {
  readonly skipped: { index: number; reason: string; words?: Words }[] = []
  readonly #warnings: WorldbookWarning[] = []
  readonly #counts = new Map<string, number>()
  readonly #kept = new Set<string>()

  warn(code: string, message: Said, entryId?: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count > IMPORT_LIMITS.warningsOfAKind) return
    this.#warnings.push({ ...(entryId !== undefined && { entryId }), code, ...asMessage(message) })
  }

  skip(index: number, reason: Said): void {
    const { message, ...words } = asMessage(reason)
    this.skipped.push({ index, reason: message, ...words })
  }

  /** A field that is stored for export and has no effect here. */
  keep(name: string): void {
    if (this.#kept.size < NAMES_LISTED) this.#kept.add(name.slice(0, 80))
  }

  get kept(): string[] {
    return [...this.#kept].sort()
  }

  get warnings(): WorldbookWarning[] {
    const more = [...this.#counts].filter(([, count]) => count > IMPORT_LIMITS.warningsOfAKind)
    return [
      ...this.#warnings,
      ...more.map(([code, count]) => ({
        code,
        ...asMessage(said`… and ${count - IMPORT_LIMITS.warningsOfAKind} more of this kind.`),
      })),
    ]
  }
}
