import type { ErrorCode, ReplyError } from './contract'

/** A failure someone can be shown. Expected outcomes are values, bugs are plain errors. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown

  constructor(code: ErrorCode, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
  }

  toReply(): ReplyError {
    const reply: ReplyError = { code: this.code, message: this.message }
    return this.details === undefined ? reply : { ...reply, details: this.details }
  }
}
