import { AppError } from '../ipc/app-error'
import type { ErrorCode } from '../ipc/contract'
import type { Said, Words } from '../ipc/said-contract'
import { type PlacedMessage, type PreparedChat, prepareChat, type UnreadableChat } from './foreign-chat'
import { REPORTED_WARNINGS } from './import-report'
import { type GivenFile, type OpenedFile, readForeign } from './read-foreign'
import { isStrata, readStrata, type StrataStep } from './read-strata'

/** What the reader of a file can be asked. It holds the file opened last. */
export type ForeignTask =
  | { do: 'open'; file: GivenFile }
  | { do: 'chats'; from: number }
  | { do: 'messages'; chat: number; from: number }
  /** Bytes of an entry of the archive. */
  | { do: 'file'; entry: string }
  /** The next items of a file of ours. */
  | { do: 'steps' }

export type ForeignHead = PreparedChat['head'] | UnreadableChat

export type ForeignAnswer =
  | { kind: 'opened'; format: string; warnings: Said[]; chats: number }
  | { kind: 'chats'; chats: ForeignHead[] }
  | { kind: 'messages'; messages: PlacedMessage[] }
  | { kind: 'file'; bytes: Uint8Array | undefined }
  | { kind: 'steps'; steps: StrataStep[] }
  /** An error's class does not cross to another thread, its words do. */
  | { kind: 'refused'; code: ErrorCode; text: string; words?: Words }

/** Items and characters handed over at a stretch: some milliseconds on the other side. */
const STEP = 200
const STEP_LENGTH = 200_000

const lengthOf = (message: PlacedMessage): number =>
  message.text.length + (message.reasoning?.length ?? 0) + (message.parts ? JSON.stringify(message.parts).length : 0)

class Reader {
  #opened: OpenedFile | undefined
  readonly #prepared = new Map<number, PreparedChat>()
  #steps: Iterator<StrataStep> | undefined

  answer(task: ForeignTask): ForeignAnswer {
    switch (task.do) {
      case 'open':
        return this.#open(task.file)
      case 'chats':
        return { kind: 'chats', chats: this.#heads(task.from) }
      case 'messages':
        return { kind: 'messages', messages: this.#messages(task.chat, task.from) }
      case 'file':
        return { kind: 'file', bytes: this.#opened?.archive?.read([task.entry]).get(task.entry) }
      case 'steps':
        return { kind: 'steps', steps: this.#nextSteps() }
    }
  }

  #open(file: GivenFile): ForeignAnswer {
    this.#prepared.clear()
    this.#opened = undefined
    this.#steps = undefined
    if (isStrata(file.bytes)) {
      this.#steps = readStrata(file.bytes)[Symbol.iterator]()
      return { kind: 'opened', format: 'strata', warnings: [], chats: 0 }
    }
    const opened = readForeign(file)
    this.#opened = opened
    const warnings = opened.warnings.slice(0, REPORTED_WARNINGS + 1)
    return { kind: 'opened', format: opened.format, warnings, chats: opened.chats.length }
  }

  /** A chat is put in order when it is first asked for; its raw messages are let go. */
  #chat(index: number): PreparedChat | UnreadableChat | undefined {
    const known = this.#prepared.get(index)
    if (known) return known
    const chat = this.#opened?.chats[index]
    if (!chat || 'unreadable' in chat) return chat
    const prepared = prepareChat(chat)
    chat.messages = []
    this.#prepared.set(index, prepared)
    return prepared
  }

  #heads(from: number): ForeignHead[] {
    const heads: ForeignHead[] = []
    for (let index = from; heads.length < STEP; index += 1) {
      const chat = this.#chat(index)
      if (!chat) break
      heads.push('unreadable' in chat ? chat : chat.head)
    }
    return heads
  }

  #messages(index: number, from: number): PlacedMessage[] {
    const chat = this.#chat(index)
    if (!chat || 'unreadable' in chat) return []
    const some: PlacedMessage[] = []
    let length = 0
    for (let at = from; some.length < STEP && length < STEP_LENGTH; at += 1) {
      const message = chat.messages[at]
      if (!message) break
      some.push(message)
      length += lengthOf(message)
    }
    return some
  }

  #nextSteps(): StrataStep[] {
    const some: StrataStep[] = []
    for (let length = 0; some.length < STEP && length < STEP_LENGTH; ) {
      const next = this.#steps?.next()
      if (!next || next.done) break
      some.push(next.value)
      length += next.value.length
    }
    return some
  }
}

export function foreignReader(): (task: ForeignTask) => ForeignAnswer {
  const reader = new Reader()
  return (task) => {
    try {
      return reader.answer(task)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, message, words } = error
      return { kind: 'refused', code, text: message, ...(words === undefined ? {} : { words }) }
    }
  }
}
