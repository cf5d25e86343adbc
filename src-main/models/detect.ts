import type { DetectedServer } from './contract'
import { readOllamaTags, readOpenAiList } from './model-listing'

const TIMEOUT_MS = 800

interface Candidate {
  name: string
  kind: DetectedServer['kind']
  baseUrl: string
  listUrl: string
  count: (value: unknown) => number | undefined
}

/** Usual ports on this machine; nothing else is ever asked. */
export const CANDIDATES: readonly Candidate[] = [
  {
    name: 'Ollama',
    kind: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    listUrl: 'http://127.0.0.1:11434/api/tags',
    count: (value) => readOllamaTags(value)?.length,
  },
  {
    name: 'LM Studio',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:1234/v1',
    listUrl: 'http://127.0.0.1:1234/v1/models',
    count: (value) => readOpenAiList(value)?.length,
  },
  {
    name: 'llama.cpp',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8080/v1',
    listUrl: 'http://127.0.0.1:8080/v1/models',
    count: (value) => readOpenAiList(value)?.length,
  },
]

async function look(candidate: Candidate, send: typeof fetch): Promise<DetectedServer | undefined> {
  try {
    const response = await send(candidate.listUrl, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    if (!response.ok) return undefined
    const models = candidate.count(await response.json())
    if (models === undefined) return undefined
    return { name: candidate.name, kind: candidate.kind, baseUrl: candidate.baseUrl, models }
  } catch {
    // nothing there, or something else: both mean "not found"
    return undefined
  }
}

/** Model servers running on this machine, in the order of the list above. */
export async function detectServers(send: typeof fetch): Promise<DetectedServer[]> {
  const found = await Promise.all(CANDIDATES.map((candidate) => look(candidate, send)))
  return found.filter((server) => server !== undefined)
}
