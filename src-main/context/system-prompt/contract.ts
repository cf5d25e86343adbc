import { z } from 'zod'
import { type CallMap, call } from '../../ipc/contract'

/** A named global prompt. Sessions point at one by id: editing it changes their next turn. */
export interface SystemPrompt {
  id: string
  name: string
  text: string
  isDefault: boolean
  /** Sessions outside the bin that point at it. */
  usedBySessions: number
  createdAt: string
  updatedAt: string
}

export const systemPromptCalls = {
  'system-prompts.list': call<SystemPrompt[]>()(z.strictObject({})),
  'system-prompts.save': call<SystemPrompt>()(
    z.strictObject({
      id: z.string().optional(),
      /** Of a prompt that exists, what is left out stays as it is. */
      name: z.string().min(1, 'A prompt needs a name.').max(200).optional(),
      text: z.string().max(4_000_000).optional(),
    }),
  ),
  /** Sessions that pointed at it get the default one. */
  'system-prompts.remove': call<{ removed: number }>()(z.strictObject({ id: z.string() })),
  /** New sessions take this one; null = none. */
  'system-prompts.set-default': call<SystemPrompt[]>()(z.strictObject({ id: z.string().nullable() })),
} satisfies CallMap

export interface SystemPromptEvents {
  'system-prompts.changed': { ids: string[] }
}
