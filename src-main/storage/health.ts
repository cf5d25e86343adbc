import { type AppError, saidBy } from '../ipc/app-error'
import type { Handlers } from '../ipc/contract'
import { asMessage } from '../ipc/said-contract'
import type { StorageState, StorageTrouble, storageCalls } from './health-contract'
import { storageError } from './storage-error'

const FIRST_PROBE_MS = 250
const LONGEST_PROBE_MS = 5_000
/** Work kept at most: far more than a full disk lets anybody begin. Beyond it the oldest is given up, which is said. */
const MOST_KEPT = 5_000

export interface StorageHealthOptions {
  /** Writes a little to the data folder and the database; throws what the disk says. */
  probe: () => void
  nowIso: () => string
  onChange: (state: StorageState) => void
  /** Something kept failed for another reason than the disk, or was given up. */
  onLost: (what: string, error: unknown) => void
  onTrouble?: (error: unknown) => void
  /** What is stored is damaged: no room makes that well again. */
  onDamage?: ((finding: string) => void) | undefined
  readOnlyReason?: string | undefined
}

/** Whether the disk takes what is written, and what waits for it. */
export interface StorageHealth {
  readonly troubled: boolean
  state(): StorageState
  /** Tells of a failure. Answers with the words for it where it is the disk's; undefined for any other. */
  note(error: unknown): AppError | undefined
  /**
   * Background work nobody waits for: done now, or kept and done when there is room. Work of one lane keeps its order.
   * True when it was done. Throws what is not the disk's fault.
   */
  keep(lane: string, write: () => void): boolean
  /** Called each time writing works again. Returns the way to unsubscribe. */
  whenWell(listener: () => void): () => void
  handlers: Handlers<typeof storageCalls>
  /** One last try for all that is kept. Returns what could not be written. */
  close(): number
}

interface Kept {
  lane: string
  write: () => void
}

/** Whether waiting helps. */
const isPassing = ({ code }: AppError): boolean => code !== 'storage.newer_version' && code !== 'storage.damaged'

class WatchedStorage implements StorageHealth {
  readonly #options: StorageHealthOptions
  readonly #listeners = new Set<() => void>()
  #kept: Kept[] = []
  #trouble: StorageTrouble | null = null
  #timer: NodeJS.Timeout | undefined
  #delay = FIRST_PROBE_MS
  #closed = false
  readonly handlers: Handlers<typeof storageCalls>

  constructor(options: StorageHealthOptions) {
    this.#options = options
    this.handlers = { 'storage.state': () => this.state() }
  }

  get troubled(): boolean {
    return this.#trouble !== null
  }

  state(): StorageState {
    return { trouble: this.#trouble, waiting: this.#kept.length }
  }

  note(error: unknown): AppError | undefined {
    const known = storageError(error, this.#options.readOnlyReason)
    if (known?.code === 'storage.damaged') this.#options.onDamage?.(error instanceof Error ? error.message : '')
    // a folder of a newer version is never written, a damaged one is put right by a person: there is nothing to wait for
    if (!known || !isPassing(known) || this.#closed) return known
    const before = this.#trouble
    if (before?.code !== known.code) {
      this.#trouble = { code: known.code, ...asMessage(saidBy(known)), since: before?.since ?? this.#options.nowIso() }
      this.#options.onTrouble?.(error)
      this.#options.onChange(this.state())
    }
    this.#probeLater()
    return known
  }

  #passes(error: unknown): boolean {
    const known = this.note(error)
    return known !== undefined && isPassing(known)
  }

  keep(lane: string, write: () => void): boolean {
    if (this.#options.readOnlyReason !== undefined) return false
    const waits = this.troubled || this.#kept.some((kept) => kept.lane === lane)
    if (!waits || this.#closed) {
      try {
        write()
        return true
      } catch (error) {
        if (!this.#passes(error)) throw error
      }
    }
    this.#kept.push({ lane, write })
    // after the last try nothing is written any more
    const given = this.#closed ? this.#kept.pop() : this.#kept.length > MOST_KEPT ? this.#kept.shift() : undefined
    if (given) this.#options.onLost(given.lane, new Error('It waited for the disk and could not be stored.'))
    return false
  }

  whenWell(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): number {
    clearTimeout(this.#timer)
    this.#drain()
    this.#closed = true
    return this.#kept.length
  }

  #probeLater(): void {
    if (this.#timer !== undefined || this.#closed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#delay = Math.min(LONGEST_PROBE_MS, this.#delay * 2)
      this.#probe()
    }, this.#delay)
    this.#timer.unref()
  }

  /** Whatever fails here fails into the next try. */
  #probe(): void {
    if (!this.#hasRoom() || !this.#drain()) {
      this.#probeLater()
      return
    }
    this.#delay = FIRST_PROBE_MS
    this.#trouble = null
    this.#options.onChange(this.state())
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        if (!this.note(error)) this.#options.onLost('listener', error)
      }
    }
  }

  #hasRoom(): boolean {
    try {
      this.#options.probe()
      return true
    } catch (error) {
      if (!this.note(error)) this.#options.onLost('probe', error)
      return false
    }
  }

  /** Everything kept, in order; false when the disk refused again. */
  #drain(): boolean {
    for (let first = this.#kept[0]; first; first = this.#kept[0]) {
      try {
        first.write()
      } catch (error) {
        if (this.#passes(error)) return false
        this.#options.onLost(first.lane, error)
      }
      // what was just written may have kept something itself, for which this one was given up
      if (this.#kept[0] === first) this.#kept.shift()
    }
    return true
  }
}

export function createStorageHealth(options: StorageHealthOptions): StorageHealth {
  return new WatchedStorage(options)
}

/** For rooms over databases in memory: nothing ever fails, nothing waits. */
export const SOUND_STORAGE: Pick<StorageHealth, 'troubled' | 'note' | 'keep' | 'whenWell'> = {
  troubled: false,
  note: (error) => storageError(error),
  keep: (_lane, write) => {
    write()
    return true
  },
  whenWell: () => () => undefined,
}
