import type { z } from 'zod'
import { AppError } from './app-error'
import type { CallMap, Handlers, Reply } from './contract'
import { asMessage, phrase, said } from './said-contract'

type AnyHandler = (input: unknown) => unknown

export interface Router {
  /** Adds a room's calls. A name registered twice throws. */
  register<M extends CallMap>(calls: M, handlers: Handlers<M>): void
  /** Never rejects: unknown names, bad input and bugs all become replies. */
  dispatch(name: unknown, input: unknown): Promise<Reply<unknown>>
}

interface Route {
  schema: z.ZodType
  handler: AnyHandler
}

/** `a.b[2].c`, the way people write it. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )
}

/** The first issue decides the words; every issue's path goes into the details. */
function badInput(call: string, error: z.ZodError): AppError {
  const paths = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: 'This field is not known.' }))
      : [{ path: pathText(issue.path), message: issue.message }],
  )
  const first = paths[0]
  const where = first && first.path !== '' ? `\`${first.path}\`` : said`the input`
  return new AppError('bad_input', said`${call}: ${where} was refused. ${phrase(first?.message ?? '')}`, {
    details: { path: first?.path ?? '', issues: paths },
  })
}

/** `translate` hears of every failure and knows those of the ground (a full disk), which no room has to know. */
export function createRouter(
  onBug: (name: string, error: unknown) => void,
  translate: (error: unknown) => AppError | undefined = () => undefined,
): Router {
  const routes = new Map<string, Route>()
  return {
    register(calls, handlers) {
      for (const [name, definition] of Object.entries(calls)) {
        if (routes.has(name)) throw new Error(`The call ${name} is registered twice.`)
        routes.set(name, { schema: definition.input, handler: handlers[name] as AnyHandler })
      }
    },
    async dispatch(name, input) {
      const route = typeof name === 'string' ? routes.get(name) : undefined
      if (!route || typeof name !== 'string') {
        return {
          ok: false,
          error: {
            code: 'bad_input',
            ...asMessage(said`There is no call named ${JSON.stringify(name ?? null)}.`),
            details: { path: 'name' },
          },
        }
      }
      const parsed = route.schema.safeParse(input ?? {})
      if (!parsed.success) return { ok: false, error: badInput(name, parsed.error).toReply() }
      try {
        return { ok: true, value: await route.handler(parsed.data) }
      } catch (error) {
        const known = translate(error) ?? (error instanceof AppError ? error : undefined)
        if (known) return { ok: false, error: known.toReply() }
        onBug(name, error)
        return {
          ok: false,
          error: {
            code: 'internal',
            ...asMessage(
              said`${name} failed inside the app. The log in the data folder has the details; nothing was half-written.`,
            ),
          },
        }
      }
    },
  }
}
