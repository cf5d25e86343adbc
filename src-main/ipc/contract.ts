import type { z } from 'zod'
import type { Words } from './said-contract'

/** Every code an error may carry across the border. The words for each live with the renderer's catalogue. */
export const ERROR_CODES = [
  'bad_input',
  'not_found',
  'conflict',
  'isolated',
  'busy',
  'model.unauthorised',
  'model.rate_limited',
  'model.unreachable',
  'model.context_too_long',
  'model.rejected',
  'model.stream_broken',
  'embedder.unreachable',
  'embedder.dimension',
  'import.unreadable',
  'import.too_large',
  'storage.newer_version',
  'storage.full',
  'storage.locked',
  'storage.damaged',
  'storage.failing',
  'tool.denied',
  'tool.failed',
  'internal',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export interface ReplyError {
  code: ErrorCode
  /** Says what is wrong and what to do next. Never holds a key or a stack. */
  message: string
  /** The message in a form that can be said in another language; a message without figures is its own key. */
  words?: Words
  details?: unknown
}

/** An error's class does not survive the border, its code does: so a reply is a value. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ReplyError }

/** One call: a schema going in, a type coming out. */
export interface CallDefinition<Input extends z.ZodType = z.ZodType, Output = unknown> {
  input: Input
  /** Type only; never set. */
  readonly output?: Output
}

/** `call<Out>()(schema)`: the output type is given, the input type is read off the schema. */
export function call<Output>() {
  return <Input extends z.ZodType>(input: Input): CallDefinition<Input, Output> => ({ input })
}

export type CallMap = Record<string, CallDefinition>
export type InputOf<D> = D extends CallDefinition<infer I, unknown> ? z.output<I> : never
/** What a client may pass: defaults not yet filled in. */
export type RawInputOf<D> = D extends CallDefinition<infer I, unknown> ? z.input<I> : never
export type OutputOf<D> = D extends CallDefinition<z.ZodType, infer O> ? O : never

/** What a room hands to the router: one function per call of its contract. */
export type Handlers<M extends CallMap> = {
  [K in keyof M]: (input: InputOf<M[K]>) => OutputOf<M[K]> | Promise<OutputOf<M[K]>>
}

/** The two channels of both transports. */
export interface EventMessage {
  name: string
  payload: unknown
}
