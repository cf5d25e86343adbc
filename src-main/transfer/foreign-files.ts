import { AppError } from '../ipc/app-error'
import type { Said } from '../ipc/said-contract'
import { Thread } from '../ipc/thread'
import type { PlacedMessage } from './foreign-chat'
import { type ForeignAnswer, type ForeignHead, type ForeignTask, foreignReader } from './foreign-task'
import bundled from './foreign-worker?modulePath'
import type { GivenFile } from './read-foreign'
import type { StrataStep } from './read-strata'

/** Bytes up to which a thread would cost more than it saves. Archives may unpack to anything. */
const SMALL_FILE = 256 * 1024
/** A large import leaves much memory behind in its thread. */
const IDLE_MS = 20_000

export interface OpenedForeign {
  format: string
  warnings: Said[]
  chats(): AsyncGenerator<ForeignHead>
  /** Some at a time: what is held here is never a whole chat. */
  messages(chat: number): AsyncGenerator<PlacedMessage[]>
  /** Undefined when the archive does not hold it. */
  file(entry: string): Promise<Uint8Array | undefined>
  /** Of a file of ours: its items in order. */
  steps(): AsyncGenerator<StrataStep>
}

/** Reads files with chats, large ones on a thread of their own; one file at a time. */
export interface ForeignFiles {
  /** `use` has the file for itself until it is done. @throws import.unreadable, import.too_large */
  open<T>(file: GivenFile, use: (opened: OpenedForeign) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createForeignFiles(): ForeignFiles {
  const thread = new Thread<ForeignTask, ForeignAnswer>({
    bundled,
    source: new URL('./foreign-worker.ts', import.meta.url),
    room: 'foreign-chats',
    idleMs: IDLE_MS,
  })
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = before.then(work)
    before = done.catch(() => undefined)
    return done
  }
  return {
    open(file, use) {
      const isSmall = file.bytes.length <= SMALL_FILE && file.bytes[0] !== 0x50 && file.bytes[0] !== 0x1f
      const here = foreignReader()
      const ask = async (task: ForeignTask) => (isSmall ? here(task) : thread.ask(task).catch(asRefusal))
      return inTurn(async () => use(await opened(file, ask)))
    },
    close: () => thread.stop('Strata is closing.'),
  }
}

/** What a file unpacks to may be more than the thread can hold: the thread ends, the app does not. */
function asRefusal(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    throw new AppError(
      'import.too_large',
      'The file holds more than the memory of this computer can take at once. Nothing more was imported. Export fewer chats at a time.',
      { cause: error },
    )
  }
  throw error
}

type Ask = (task: ForeignTask) => Promise<ForeignAnswer>

/** @throws what the reader refused */
async function asked<Kind extends ForeignAnswer['kind']>(
  ask: Ask,
  task: ForeignTask,
  kind: Kind,
): Promise<Extract<ForeignAnswer, { kind: Kind }>> {
  const answer = await ask(task)
  if (answer.kind === 'refused') {
    const { code, text, words } = answer
    throw new AppError(code, words === undefined ? text : { text, words })
  }
  if (answer.kind !== kind) throw new Error('The thread that reads chats answered something else.')
  return answer as Extract<ForeignAnswer, { kind: Kind }>
}

async function opened(file: GivenFile, ask: Ask): Promise<OpenedForeign> {
  const { format, warnings, chats: count } = await asked(ask, { do: 'open', file }, 'opened')
  return {
    format,
    warnings,
    async *chats() {
      for (let from = 0; from < count; ) {
        const { chats } = await asked(ask, { do: 'chats', from }, 'chats')
        if (chats.length === 0) throw new Error('The file was let go meanwhile.')
        yield* chats
        from += chats.length
      }
    },
    async *messages(chat) {
      for (let from = 0; ; ) {
        const { messages } = await asked(ask, { do: 'messages', chat, from }, 'messages')
        if (messages.length === 0) return
        yield messages
        from += messages.length
      }
    },
    async file(entry) {
      return (await asked(ask, { do: 'file', entry }, 'file')).bytes
    },
    async *steps() {
      for (;;) {
        const { steps } = await asked(ask, { do: 'steps' }, 'steps')
        if (steps.length === 0) return
        yield* steps
      }
    },
  }
}
