import { z } from 'zod'
import { baseUrlOf } from './base-url'
import type { ConnectionKind, Model, ModelCapabilities } from './contract'
import { type KnownModel, knownModel } from './known-models'

const capabilities = z.object({
  tools: z.boolean().optional(),
  vision: z.boolean().optional(),
  pdf: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  promptCache: z.boolean().optional(),
})
const price = z.object({
  input: z.number().optional(),
  output: z.number().optional(),
  cachedInput: z.number().optional(),
  currency: z.string(),
})

/** What one side (the server, the user) says about a model. Missing = says nothing. */
export const modelFactsSchema = z.object({
  contextWindow: z.number().int().positive().optional(),
  /** Where the window is not the server's own word: the app chose it, or took it from what the server reported as read. */
  windowFrom: z.enum(['server', 'app', 'guess']).optional(),
  /** What the model was trained for, where the app sets the window and may raise it. */
  largestWindow: z.number().int().positive().optional(),
  maxInputTokens: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  capabilities: capabilities.optional(),
  price: price.optional(),
})
export type ModelFacts = z.output<typeof modelFactsSchema>

/** As listed by a server. */
export interface ListedModel extends ModelFacts {
  name: string
}

const NOTHING_KNOWN: ModelCapabilities = {
  tools: true,
  vision: false,
  pdf: false,
  reasoning: false,
  promptCache: false,
}

type CapabilityPatch = { [Name in keyof ModelCapabilities]?: boolean | undefined }

function mergeCapabilities(...patches: (CapabilityPatch | undefined)[]): ModelCapabilities {
  const merged = { ...NOTHING_KNOWN }
  for (const patch of patches) {
    Object.assign(merged, Object.fromEntries(Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)))
  }
  return merged
}

function priceOf(facts: ModelFacts | undefined): Model['price'] {
  if (!facts?.price) return undefined
  const { input, output, cachedInput, currency } = facts.price
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cachedInput === undefined ? {} : { cachedInput }),
    currency,
  }
}

/** The catalogue stands for makers' hosted models; what a local server loads of them is the server's to say. */
export function modelOf(
  connection: { id: string; kind: ConnectionKind; baseUrl?: string },
  stored: { name: string; server: ModelFacts; chosen: ModelFacts; available: boolean },
): Model {
  const { server, chosen } = stored
  const known = connection.kind === 'dry-run' ? undefined : knownModel(stored.name, baseUrlOf(connection))
  const ownWindow = connection.kind === 'ollama' ? modestWindow(known?.contextWindow) : known
  const contextWindow = chosen.contextWindow ?? server.contextWindow ?? ownWindow?.contextWindow
  const largestWindow = server.largestWindow ?? (connection.kind === 'ollama' ? known?.contextWindow : undefined)
  const maxInputTokens = chosen.maxInputTokens ?? server.maxInputTokens ?? known?.maxInputTokens
  const maxOutputTokens = chosen.maxOutputTokens ?? server.maxOutputTokens ?? known?.maxOutputTokens
  const effectivePrice = priceOf(chosen) ?? priceOf(server) ?? known?.price
  return {
    id: `${connection.id}/${stored.name}`,
    connectionId: connection.id,
    name: stored.name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(largestWindow === undefined ? {} : { largestWindow }),
    ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    capabilities: mergeCapabilities(known?.capabilities, server.capabilities, chosen.capabilities),
    ...(effectivePrice === undefined ? {} : { price: effectivePrice }),
    windowSource: windowSourceOf(chosen, server, ownWindow),
    available: stored.available,
  }
}

type OwnWindow = Pick<ModelFacts, 'windowFrom'> & Pick<KnownModel, 'contextWindow'>

function windowSourceOf(chosen: ModelFacts, server: ModelFacts, own: OwnWindow | undefined): Model['windowSource'] {
  if (chosen.contextWindow) return 'user'
  if (server.contextWindow) return server.windowFrom ?? 'server'
  return own?.contextWindow ? (own.windowFrom ?? 'known') : 'unknown'
}

/**
 * Tokens. What Ollama is told to load a model with where nobody says otherwise: memory grows with the window, and what
 * models were trained for (131,072 and more) is beyond most machines.
 */
const MODEST_WINDOW = 16_384

export function modestWindow(trained: number | undefined): { contextWindow: number; windowFrom: 'app' } {
  return { contextWindow: Math.min(trained ?? MODEST_WINDOW, MODEST_WINDOW), windowFrom: 'app' }
}
