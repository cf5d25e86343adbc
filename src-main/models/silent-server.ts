import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { FailureSubject, ModelFailure } from './model-errors'

/** The request was taken, and nothing came back. */
export function emptyAnswer({ connection }: FailureSubject): ModelFailure {
  return {
    error: new AppError(
      'model.stream_broken',
      said`${connection} took the request and sent back nothing. Your message is kept. Try again; if it stays so, look at the server’s log or choose another model.`,
    ),
    retryable: true,
  }
}

/** The person's own limit of silence, in seconds, ended the request. */
export function tooSilent({ connection }: FailureSubject, seconds: number): AppError {
  return new AppError(
    'model.stream_broken',
    said`${connection} said nothing for ${seconds} s, the limit set in Settings → General, so the request was ended. What arrived is kept; continue it, try again, or raise the limit.`,
  )
}
