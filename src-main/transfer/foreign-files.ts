import { AppError } from '../ipc/app-error'
import type { Said } from '../ipc/said-contract'
import { Thread } from '../ipc/thread'
import type { ForeignMessage } from './foreign-chat'
import { type ForeignAnswer, type ForeignHead, type ForeignTask, foreignReader } from './foreign-task'
import bundled from './foreign-worker?modulePath'
import type { GivenFile } from './read-foreign'

/** Bytes up to which a thread would cost more than it saves. Archives may unpack to anything. */
const SMALL_FILE = 256 * 1024
/** Messages handed over at a stretch: some milliseconds. */
const STEP = 500
/** A large import leaves much memory behind in its thread. */
const IDLE_MS = 20_000

export interface OpenedForeign {
  format: string
  warnings: Said[]
  chats: readonly ForeignHead[]
  messages(chat: number): Promise<ForeignMessage[]>
}

/** Reads files of other apps, large ones on a thread of their own; one file at a time. */
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
      const ask = async (task: ForeignTask) => (isSmall ? here(task) : thread.ask(task))
      return inTurn(async () => use(await opened(file, ask)))
    },
    close: () => thread.stop('Strata is closing.'),
  }
}

async function opened(file: GivenFile, ask: (task: ForeignTask) => Promise<ForeignAnswer>): Promise<OpenedForeign> {
  const answer = await ask({ do: 'open', file })
  if (answer.kind === 'refused') {
    const { code, text, words } = answer
    throw new AppError(code, words === undefined ? text : { text, words })
  }
  if (answer.kind !== 'opened') throw new Error('The thread that reads chats answered something else.')
  const { format, warnings, chats } = answer
  return {
    format,
    warnings,
    chats,
    async messages(chat) {
      const head = chats[chat]
      const count = head && 'messages' in head ? head.messages : 0
      const messages: ForeignMessage[] = []
      while (messages.length < count) {
        const some = await ask({ do: 'messages', chat, from: messages.length, count: STEP })
        if (some.kind !== 'messages' || some.messages.length === 0) throw new Error('The file was let go meanwhile.')
        messages.push(...some.messages)
      }
      return messages
    },
  }
}
