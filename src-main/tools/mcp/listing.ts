import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { z } from 'zod'
import type { McpPrompt } from '../contract'

const MOST_TOOLS = 1000
const MOST_PAGES = 200
const MOST_DESCRIPTION = 20_000

export interface ListedTool {
  name: string
  description: string
  schema: unknown
}

const page = z.looseObject({ nextCursor: z.string().optional() })
const toolPage = page.extend({ tools: z.array(z.unknown()) })
const promptPage = page.extend({ prompts: z.array(z.unknown()) })
/** Looser than the SDK's own: one bad tool must not lose the others; what its schema is worth is judged later. */
const tool = z.looseObject({
  name: z.string().min(1).max(500),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
})
const prompt = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  arguments: z
    .array(z.looseObject({ name: z.string(), description: z.string().optional(), required: z.boolean().optional() }))
    .optional(),
})

/** Every page of a list, to its end or to the most that is taken: a server may go on for ever. */
async function pages<Page extends { nextCursor?: string | undefined }>(
  read: (params: { cursor?: string }) => Promise<Page>,
  isFull: (page: Page) => boolean,
): Promise<void> {
  let cursor: string | undefined
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const next = await read(cursor === undefined ? {} : { cursor })
    if (isFull(next) || next.nextCursor === undefined || next.nextCursor === cursor) return
    cursor = next.nextCursor
  }
}

/** Sorted, each name once: equal lists are equal bytes whatever order the server had. @throws when it takes too long */
export async function listTools(client: Client, limitMs: number): Promise<ListedTool[]> {
  const signal = AbortSignal.timeout(limitMs)
  const found = new Map<string, ListedTool>()
  await pages(
    (params) => client.request({ method: 'tools/list', params }, toolPage, { signal, timeout: limitMs }),
    ({ tools }) => {
      for (const given of tools) {
        const { success, data } = tool.safeParse(given)
        if (!success || found.has(data.name)) continue
        const { name, description = '', inputSchema } = data
        const isObject = typeof inputSchema === 'object' && inputSchema !== null && !Array.isArray(inputSchema)
        const schema = isObject && !('type' in inputSchema) ? { type: 'object', ...inputSchema } : inputSchema
        found.set(name, { name, description: description.slice(0, MOST_DESCRIPTION), schema })
      }
      return found.size >= MOST_TOOLS
    },
  )
  return [...found.values()].slice(0, MOST_TOOLS).sort((a, b) => (a.name < b.name ? -1 : 1))
}

export async function listPrompts(client: Client, limitMs: number): Promise<McpPrompt[]> {
  const signal = AbortSignal.timeout(limitMs)
  const found: McpPrompt[] = []
  await pages(
    (params) => client.request({ method: 'prompts/list', params }, promptPage, { signal, timeout: limitMs }),
    ({ prompts }) => {
      for (const given of prompts) {
        const { success, data } = prompt.safeParse(given)
        if (success) found.push(shown(data))
      }
      return found.length >= MOST_TOOLS
    },
  )
  return found.slice(0, MOST_TOOLS)
}

function shown({ name, description, arguments: given }: z.output<typeof prompt>): McpPrompt {
  return {
    name,
    ...(description === undefined ? {} : { description: description.slice(0, MOST_DESCRIPTION) }),
    ...(given === undefined
      ? {}
      : {
          arguments: given.map((argument) => ({
            name: argument.name,
            required: argument.required ?? false,
            ...(argument.description === undefined ? {} : { description: argument.description }),
          })),
        }),
  }
}
