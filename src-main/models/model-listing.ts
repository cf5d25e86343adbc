import { z } from 'zod'
import type { ListedModel } from './stored-model'

const tokens = z.coerce.number().int().positive().optional().catch(undefined)
const texts = z.array(z.string()).optional().catch(undefined)

/** Fields the common servers add to OpenAI's model list; each server has only some of them. */
const openAiModel = z.object({
  id: z.string(),
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

const openAiList = z.union([
  z.object({ data: z.array(openAiModel) }),
  z.object({ models: z.array(openAiModel) }),
  z.array(openAiModel),
])

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
  const parsed = openAiList.safeParse(value)
  if (!parsed.success) return undefined
  const models = Array.isArray(parsed.data)
    ? parsed.data
    : 'data' in parsed.data
      ? parsed.data.data
      : parsed.data.models
  return models.filter((model) => model.type !== 'embeddings' && !NOT_FOR_CHAT.test(model.id)).map(toListed)
}

const anthropicList = z.object({
  data: z.array(z.object({ id: z.string(), max_input_tokens: tokens, max_tokens: tokens })),
})

export function readAnthropicList(value: unknown): ListedModel[] | undefined {
  return anthropicList.safeParse(value).data?.data.map((model) => ({
    name: model.id,
    ...(model.max_input_tokens === undefined ? {} : { contextWindow: model.max_input_tokens }),
    ...(model.max_tokens === undefined ? {} : { maxOutputTokens: model.max_tokens }),
  }))
}

const googleList = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        inputTokenLimit: tokens,
        outputTokenLimit: tokens,
        supportedGenerationMethods: texts,
        thinking: z.boolean().optional(),
      }),
    )
    .optional(),
})

export function readGoogleList(value: unknown): ListedModel[] | undefined {
  const parsed = googleList.safeParse(value)
  if (!parsed.success) return undefined
  return (parsed.data.models ?? [])
    .filter((model) => model.supportedGenerationMethods?.includes('generateContent') ?? true)
    .filter((model) => !NOT_FOR_CHAT.test(model.name))
    .map((model) => ({
      name: model.name.replace(/^models\//, ''),
      ...(model.inputTokenLimit === undefined ? {} : { contextWindow: model.inputTokenLimit }),
      ...(model.outputTokenLimit === undefined ? {} : { maxOutputTokens: model.outputTokenLimit }),
      ...(model.thinking === undefined ? {} : { capabilities: { reasoning: model.thinking } }),
    }))
}

const ollamaTags = z.object({ models: z.array(z.object({ name: z.string() })) })

/** Names of Ollama's `/api/tags`. */
export function readOllamaTags(value: unknown): string[] | undefined {
  return ollamaTags.safeParse(value).data?.models.map((model) => model.name)
}

const ollamaShow = z.object({
  model_info: z.record(z.string(), z.unknown()).optional(),
  parameters: z.string().optional(),
  capabilities: texts,
})

/**
 * Ollama's `/api/show`: the window is `num_ctx` where the model file sets it, else what the model was trained for.
 * Undefined for a model that only embeds.
 */
export function readOllamaShow(name: string, value: unknown): ListedModel | undefined {
  const parsed = ollamaShow.safeParse(value)
  if (!parsed.success) return { name }
  const { capabilities, model_info: facts, parameters } = parsed.data
  if (capabilities?.includes('embedding') && !capabilities.includes('completion')) return undefined
  const set = /^num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1]
  const trained = Object.entries(facts ?? {}).find(([field]) => field.endsWith('.context_length'))?.[1]
  const contextWindow = tokens.parse(set ?? trained)
  return {
    name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
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
