import type { ErrorCode, ReplyError } from './contract'
import { asMessage, type Said, type Sentence, textOf, type Words } from './said-contract'

/** A failure someone can be shown. Expected outcomes are values, bugs are plain errors. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  readonly words: Words | undefined

  constructor(code: ErrorCode, sentence: Said, options: { details?: unknown; cause?: unknown } = {}) {
    super(textOf(sentence), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.words = typeof sentence === 'string' ? undefined : sentence.words
  }

  toReply(): ReplyError {
    const reply: ReplyError = { code: this.code, ...asMessage(saidBy(this)) }
    return this.details === undefined ? reply : { ...reply, details: this.details }
  }
}

/** What an error says, with its words where it has some. */
export function saidBy(error: unknown): Said {
  if (error instanceof AppError && error.words) return { text: error.message, words: error.words } satisfies Sentence
  return error instanceof Error ? error.message : String(error)
}
