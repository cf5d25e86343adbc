import type { EventMessage, Reply } from '../../src-main/ipc/contract'
import { CallError, setTransport } from '../api/client'

type Answer = (input: never) => unknown

/** A main process of a few lines for tests: answers by call name, and a way to send events. */
export function fakeStrata(answers: Record<string, Answer>) {
  const listeners = new Set<(event: EventMessage) => void>()
  const calls: { name: string; input: unknown }[] = []
  setTransport({
    async call(name, input): Promise<Reply<unknown>> {
      calls.push({ name, input })
      const answer = answers[name]
      if (!answer) return { ok: false, error: { code: 'not_found', message: `No answer for ${name}.` } }
      try {
        return { ok: true, value: await answer(input as never) }
      } catch (error) {
        const known = error instanceof CallError ? error : undefined
        const message = error instanceof Error ? error.message : ''
        return { ok: false, error: { code: known?.code ?? 'internal', message, details: known?.details } }
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  return {
    calls,
    /** Inputs of every call by that name, oldest first. */
    inputsOf: (name: string) => calls.filter((call) => call.name === name).map((call) => call.input),
    /** Answers this call another way from now on. */
    answer(name: string, next: Answer) {
      answers[name] = next
    },
    send(name: string, payload: unknown) {
      for (const listener of listeners) listener({ name, payload })
    },
  }
}
