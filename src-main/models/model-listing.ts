import { z } from 'zod'
import { type ListedModel, modestWindow } from './stored-model'

const tokens = z.coerce.number().int().positive().optional().catch(undefined)
const texts = z.array(z.string()).optional().catch(undefined)

/** Fields the common servers add to OpenAI's model list; each server has only some of them. */
const openAiModel = z.object({
  id: z.string().min(1),
  context_length: tokens,
  context_window: tokens,
  max_context_length: tokens,
  max_model_len: tokens,
  max_completion_tokens: tokens,
  max_input_tokens: tokens,
  max_tokens: tokens,
  loaded_context_length: tokens,
  type: z.string().optional().catch(undefined),
  capabilities: z.unknown().optional(),
  supported_parameters: texts,
  architecture: z.object({ input_modalities: texts }).optional().catch(undefined),
  top_provider: z.object({ max_completion_tokens: tokens, context_length: tokens }).optional().catch(undefined),
  pricing: z
    .object({
      prompt: z.coerce.number(),
      completion: z.coerce.number(),
      input_cache_read: z.coerce.number().optional(),
    })
    .optional()
    .catch(undefined),
})
type OpenAiModel = z.output<typeof openAiModel>

/**
 * The entries of a list that can be read: one odd entry does not hide the others. Undefined when it is no list, or
 * when nothing in it is what it should be.
 */
function readable<T>(list: unknown, schema: z.ZodType<T>): T[] | undefined {
  if (!Array.isArray(list)) return undefined
  const read = list.flatMap((entry: unknown) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
  return read.length === 0 && list.length > 0 ? undefined : read
}

const inFields = z.object({ data: z.unknown(), models: z.unknown() }).partial()

function listIn(value: unknown): unknown {
  if (Array.isArray(value)) return value
  const fields = inFields.safeParse(value).data
  return Array.isArray(fields?.data) ? fields.data : fields?.models
}

const NOT_FOR_CHAT =
  /embed|whisper|tts|dall-e|moderation|transcribe|realtime|audio|rerank|image-\d|sora|^(babbage|davinci)|guard/i
const PER_MILLION = 1_000_000

function capabilityList(model: OpenAiModel): ListedModel['capabilities'] {
  const inputs = model.architecture?.input_modalities
  const parameters = model.supported_parameters
  const list = Array.isArray(model.capabilities) ? model.capabilities.map(String) : undefined
  const mistral = z
    .object({ function_calling: z.boolean().optional(), vision: z.boolean().optional() })
    .safeParse(Array.isArray(model.capabilities) ? undefined : model.capabilities)
  const tools = parameters?.includes('tools') ?? list?.includes('tool_use') ?? mistral.data?.function_calling
  const vision = inputs?.includes('image') ?? (model.type === 'vlm' ? true : undefined) ?? mistral.data?.vision
  const said = {
    ...(tools === undefined ? {} : { tools }),
    ...(vision === undefined ? {} : { vision }),
    ...(inputs ? { pdf: inputs.includes('file') } : {}),
    ...(parameters ? { reasoning: parameters.includes('reasoning') } : {}),
  }
  return Object.keys(said).length > 0 ? said : undefined
}

function priceOf(model: OpenAiModel): ListedModel['price'] {
  const price = model.pricing
  if (!price || !(price.prompt >= 0) || !(price.completion >= 0)) return undefined
  const perMillion = (perToken: number) => Number((perToken * PER_MILLION).toFixed(6))
  return {
    input: perMillion(price.prompt),
    output: perMillion(price.completion),
    ...(price.input_cache_read === undefined ? {} : { cachedInput: perMillion(price.input_cache_read) }),
    currency: 'USD',
  }
}

function toListed(model: OpenAiModel): ListedModel {
  const contextWindow =
    model.loaded_context_length ??
    model.top_provider?.context_length ??
    model.context_length ??
    model.context_window ??
    model.max_context_length ??
    model.max_model_len ??
    model.max_input_tokens
  // alone it is all that is known of the window; beside a window it is a limit of its own
  const maxInputTokens = contextWindow === model.max_input_tokens ? undefined : model.max_input_tokens
  const maxOutputTokens = model.top_provider?.max_completion_tokens ?? model.max_completion_tokens ?? model.max_tokens
  const capabilities = capabilityList(model)
  const price = priceOf(model)
  return {
    name: model.id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(capabilities ? { capabilities } : {}),
    ...(price ? { price } : {}),
  }
}

/** OpenAI's `/models` and its many dialects (also LM Studio's `/api/v0/models`). Undefined when it is no such list. */
export function readOpenAiList(value: unknown): ListedModel[] | undefined {
  return readable(listIn(value), openAiModel)
    ?.filter((model) => model.type !== 'embeddings' && !NOT_FOR_CHAT.test(model.id))
    .map(toListed)
}

const anthropicModel = z.object({ id: z.string().min(1), max_input_tokens: tokens, max_tokens: tokens })

export function readAnthropicList(value: unknown): ListedModel[] | undefined {
  return readable(listIn(value), anthropicModel)?.map((model) => ({
    name: model.id,
    ...(model.max_input_tokens === undefined ? {} : { contextWindow: model.max_input_tokens }),
    ...(model.max_tokens === undefined ? {} : { maxOutputTokens: model.max_tokens }),
  }))
}

const googleModel = z.object({
  name: z.string().min(1),
  inputTokenLimit: tokens,
  outputTokenLimit: tokens,
  supportedGenerationMethods: texts,
  thinking: z.boolean().optional().catch(undefined),
})

/** Google answers `{}` where there is none. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

export function readGoogleList(value: unknown): ListedModel[] | undefined {
  return readable(isEmpty(value) ? [] : listIn(value), googleModel)
    ?.filter((model) => model.supportedGenerationMethods?.includes('generateContent') ?? true)
    .filter((model) => !NOT_FOR_CHAT.test(model.name))
    .map((model) => ({
      name: model.name.replace(/^models\//, ''),
      ...(model.inputTokenLimit === undefined ? {} : { contextWindow: model.inputTokenLimit }),
      ...(model.outputTokenLimit === undefined ? {} : { maxOutputTokens: model.outputTokenLimit }),
      ...(model.thinking === undefined ? {} : { capabilities: { reasoning: model.thinking } }),
    }))
}

const pages = z.object({
  has_more: z.boolean().optional().catch(undefined),
  last_id: z.string().optional().catch(undefined),
  nextPageToken: z.string().optional().catch(undefined),
})

/** What a list says of the page after it: Anthropic's `after_id`, Google's `pageToken`. Undefined on the last one. */
export function nextPageOf(value: unknown): string | undefined {
  const { data } = pages.safeParse(value)
  return (data?.nextPageToken || (data?.has_more ? data.last_id : undefined)) ?? undefined
}

const ollamaTag = z.union([
  z.object({ name: z.string().min(1) }),
  z.object({ model: z.string().min(1) }).transform(({ model }) => ({ name: model })),
])

/** Names of Ollama's `/api/tags`. */
export function readOllamaTags(value: unknown): string[] | undefined {
  return readable(listIn(value), ollamaTag)?.map((model) => model.name)
}

const ollamaLoaded = z.object({ name: z.string(), context_length: z.coerce.number().int().positive() })

/** Ollama's `/api/ps`: the windows of the models in memory now, by name. Older versions tell none. */
export function readOllamaLoaded(value: unknown): ReadonlyMap<string, number> {
  return new Map((readable(listIn(value), ollamaLoaded) ?? []).map((model) => [model.name, model.context_length]))
}

const ollamaShow = z.object({
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  parameters: z.string().optional().catch(undefined),
  capabilities: texts,
})

/**
 * Ollama's `/api/show`: the window is what the model is loaded with now, else `num_ctx` where the model file sets it,
 * else a modest one below what it was trained for. Undefined for a model that only embeds.
 */
export function readOllamaShow(name: string, value: unknown, loaded?: number): ListedModel | undefined {
  const parsed = ollamaShow.safeParse(value)
  if (!parsed.success) return { name }
  const { capabilities, model_info: facts, parameters } = parsed.data
  if (capabilities?.includes('embedding') && !capabilities.includes('completion')) return undefined
  const set = tokens.parse(/^num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1])
  const largestWindow = tokens.parse(
    Object.entries(facts ?? {}).find(([field]) => field.endsWith('.context_length'))?.[1],
  )
  const stated = loaded ?? set
  return {
    name,
    ...(stated === undefined ? modestWindow(largestWindow) : { contextWindow: stated }),
    ...(largestWindow === undefined ? {} : { largestWindow }),
    ...(capabilities
      ? {
          capabilities: {
            tools: capabilities.includes('tools'),
            vision: capabilities.includes('vision'),
            reasoning: capabilities.includes('thinking'),
          },
        }
      : {}),
  }
}

const llamaProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }).optional(),
  n_ctx: tokens,
  modalities: z.object({ vision: z.boolean().optional() }).optional(),
})

/** llama.cpp's `/props`: the one model it serves, with the window it was started with. */
export function readLlamaProps(value: unknown): Pick<ListedModel, 'contextWindow' | 'capabilities'> | undefined {
  const parsed = llamaProps.safeParse(value)
  const contextWindow = parsed.data?.default_generation_settings?.n_ctx ?? parsed.data?.n_ctx
  if (contextWindow === undefined) return undefined
  const vision = parsed.data?.modalities?.vision
  return { contextWindow, ...(vision === undefined ? {} : { capabilities: { vision } }) }
}
