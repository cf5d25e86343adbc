import type { Embedding } from './contract'
import { type EnglishModel, loadEnglishModel } from './english-model'
import { type GlossBridge, loadGlossBridge } from './gloss-bridge'
import { ngramVector } from './ngram-hash'
import { scriptOf } from './script'

/** Raise it with every change of the gloss, the overrides or the script rule: stored vectors are then made anew. */
export const BUILT_IN_RECIPE = 'b3'
/** Above this share of unknown word pieces a text counts as unread. */
const UNKNOWN_LIMIT = 0.3

export interface BuiltInReader {
  readonly recipe: string
  read(texts: readonly string[]): Promise<Embedding[]>
}

/** Blocks its thread while it works (9 ms a query, 27 ms a text): run it in a worker. The dictionary loads with the first Chinese text. */
export async function loadBuiltInReader(from?: string): Promise<BuiltInReader> {
  const model = await loadEnglishModel(from)
  let bridge: GlossBridge | undefined
  const glossOf = (text: string) => {
    bridge ??= loadGlossBridge(from)
    return bridge.gloss(text)
  }
  return { recipe: BUILT_IN_RECIPE, read: (texts) => readAll(texts, model, glossOf) }
}

async function readAll(
  texts: readonly string[],
  model: EnglishModel,
  glossOf: (text: string) => string,
): Promise<Embedding[]> {
  const plans = texts.map((text) => planFor(text, model, glossOf))
  const readable = plans.flatMap((plan) => (plan.english === undefined ? [] : [plan.english]))
  const vectors = await model.embed(readable)
  let next = 0
  return plans.map(({ english, gloss, fallback }) => {
    const vector = english === undefined ? fallback : vectors[next++]
    return {
      channel: english === undefined && fallback !== undefined ? 'hash' : 'sentence',
      ...(vector === undefined ? {} : { vector }),
      ...(gloss === undefined ? {} : { gloss }),
    }
  })
}

interface Plan {
  english?: string
  gloss?: string
  fallback?: Float32Array
}

function planFor(text: string, model: EnglishModel, glossOf: (text: string) => string): Plan {
  const script = scriptOf(text)
  if (script === 'none') return {}
  if (script === 'other') return withFallback(text)
  if (script === 'latin')
    return model.unknownShare(text) < UNKNOWN_LIMIT ? { english: inFirstPerson(text) } : withFallback(text)
  const gloss = glossOf(text)
  return gloss === '' ? {} : { english: gloss, gloss }
}

function withFallback(text: string): Plan {
  const fallback = ngramVector(text)
  return fallback === undefined ? {} : { fallback }
}

/**
 * Memories say "the user", questions say "I": the sentence model takes these for two people. A user interface stays one.
 */
export function inFirstPerson(text: string): string {
  return text
    .replace(/\bthe user['’]s\b|^user['’]s\b/gi, 'my')
    .replace(
      /(?:\bthe user\b|^user\b)(?! (?:interface|experience|name|account|id|stor|group|guide|manual|agent))/gi,
      'I',
    )
}
