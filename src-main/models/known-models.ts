import knownModels from '../../resources/models.json'
import type { Model, ModelCapabilities } from './contract'

/** Facts about a model, from its maker's published pages. Limits are tokens, prices are per million tokens. */
export interface KnownModel {
  contextWindow?: number
  maxInputTokens?: number
  maxOutputTokens?: number
  capabilities: Partial<ModelCapabilities>
  price?: NonNullable<Model['price']>
}

interface Entry {
  maker: string
  names: string[]
  window?: number
  /** What one request may hold, where that is less than the window. */
  input?: number
  output?: number
  /** Letters: t tools, v vision, p pdf, r reasoning, c prompt cache. */
  can?: string
  /** Input, output and, where there is one, cached input. */
  price?: number[]
}

interface Catalogue {
  currency: string
  hosts: Record<string, string>
  models: Entry[]
}

const catalogue: Catalogue = knownModels

const byName: readonly { name: string; entry: Entry }[] = catalogue.models
  .flatMap((entry) => entry.names.map((name) => ({ name, entry })))
  .toSorted((a, b) => b.name.length - a.name.length)

/** `models/Qwen/Qwen3-32B-Instruct.gguf` -> `qwen3-32b-instruct`. */
function plainName(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? ''
  return last.replace(/\.gguf$/, '').replace(/:(free|beta|nitro|floor)$/, '')
}

/** A known name followed by its end or by a version mark, never by another letter or digit. */
function fits(name: string, known: string): boolean {
  if (!name.startsWith(known)) return false
  const next = name.charAt(known.length)
  return next === '' || /[-:@_]/.test(next)
}

/** The maker's own price only counts at the maker's own address. */
function isMakersHost(maker: string, baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false
  const host = new URL(baseUrl).hostname
  const own = catalogue.hosts[maker]
  return own !== undefined && (host === own || host.endsWith(`.${own}`))
}

/** What the catalogue knows of a model name, or undefined. The longest known name wins. */
export function knownModel(name: string, baseUrl: string): KnownModel | undefined {
  const plain = plainName(name)
  const entry = byName.find((candidate) => fits(plain, candidate.name))?.entry
  if (!entry) return undefined
  const can = entry.can ?? ''
  const [input, output, cachedInput] = entry.price ?? []
  const priced = input !== undefined && output !== undefined && isMakersHost(entry.maker, baseUrl)
  return {
    ...(entry.window === undefined ? {} : { contextWindow: entry.window }),
    ...(entry.input === undefined ? {} : { maxInputTokens: entry.input }),
    ...(entry.output === undefined ? {} : { maxOutputTokens: entry.output }),
    capabilities: {
      tools: can.includes('t'),
      vision: can.includes('v'),
      pdf: can.includes('p'),
      reasoning: can.includes('r'),
      promptCache: can.includes('c'),
    },
    ...(priced
      ? {
          price: {
            input,
            output,
            ...(cachedInput === undefined ? {} : { cachedInput }),
            currency: catalogue.currency,
          },
        }
      : {}),
  }
}
