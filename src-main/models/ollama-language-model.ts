import { APICallError, type LanguageModel } from 'ai'
import type { OllamaChunk } from './reading/ollama-chunks'

/** The SDK's model interface, as far as streaming needs it. */
type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>
type CallOptions = Parameters<SdkModel['doStream']>[0]
type Message = CallOptions['prompt'][number]
type StreamPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
type FinishReason = Extract<StreamPart, { type: 'finish' }>['finishReason']

interface OllamaMessage {
  role: string
  content: string
  images?: string[]
  thinking?: string
  tool_calls?: { function: { name: string; arguments: unknown } }[]
  tool_name?: string
}

type FilePart = Extract<Extract<Message, { role: 'user' }>['content'][number], { type: 'file' }>

function imageBase64(part: FilePart): string {
  if (!part.mediaType.startsWith('image')) {
    throw new Error(`Ollama takes text and images only; ${part.filename ?? part.mediaType} is neither.`)
  }
  if (part.data.type !== 'data') throw new Error('Ollama takes images as bytes only.')
  const bytes = part.data.data
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64')
}

function outputText(output: { type: string; value?: unknown }): string {
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value ?? null)
}

function toOllama(message: Message): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const content = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const images = message.content.flatMap((part) => (part.type === 'file' ? [imageBase64(part)] : []))
      return [{ role: 'user', content, ...(images.length > 0 ? { images } : {}) }]
    }
    case 'assistant': {
      const content = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const thinking = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ function: { name: part.toolName, arguments: part.input } }] : [],
      )
      return [
        {
          role: 'assistant',
          content,
          ...(thinking === '' ? {} : { thinking }),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      ]
    }
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', content: outputText(part.output), tool_name: part.toolName }]
          : [],
      )
  }
}

function toBody(model: string, contextWindow: number | undefined, options: CallOptions): string {
  const tools = options.toolChoice?.type === 'none' ? [] : (options.tools ?? [])
  const functions = tools.flatMap((tool) =>
    tool.type === 'function'
      ? [
          {
            type: 'function',
            function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
          },
        ]
      : [],
  )
  return JSON.stringify({
    model,
    messages: options.prompt.flatMap(toOllama),
    stream: true,
    options: { num_ctx: contextWindow, num_predict: options.maxOutputTokens },
    ...(functions.length > 0 ? { tools: functions } : {}),
  })
}

function finishReasonOf(raw: string | undefined, calledTools: boolean): FinishReason {
  if (calledTools) return { unified: 'tool-calls', raw }
  if (raw === 'length') return { unified: 'length', raw }
  return { unified: raw === 'stop' ? 'stop' : 'other', raw }
}

/** Turns Ollama's chunks into the SDK's parts, one open text or reasoning block at a time. */
function createReader(emit: (part: StreamPart) => void, id: (index: number) => string) {
  let open: 'text' | 'reasoning' | undefined
  let blocks = 0
  let calls = 0
  let last: OllamaChunk | undefined
  const close = () => {
    if (open) emit({ type: `${open}-end`, id: String(blocks) })
    open = undefined
  }
  const say = (type: 'text' | 'reasoning', delta: string) => {
    if (delta === '') return
    if (open !== type) {
      close()
      open = type
      blocks += 1
      emit({ type: `${type}-start`, id: String(blocks) })
    }
    emit({ type: `${type}-delta`, id: String(blocks), delta })
  }
  return {
    chunk(chunk: OllamaChunk) {
      say('reasoning', chunk.thinking)
      say('text', chunk.content)
      for (const call of chunk.calls) {
        close()
        emit({
          type: 'tool-call',
          toolCallId: call.id ?? id(calls),
          toolName: call.name,
          input: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
        })
        calls += 1
      }
      last = chunk
    },
    end() {
      close()
      emit({
        type: 'finish',
        finishReason: last?.done ? finishReasonOf(last.reason, calls > 0) : { unified: 'error', raw: undefined },
        usage: {
          inputTokens: { total: last?.inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: last?.outputTokens, text: undefined, reasoning: undefined },
        },
      })
    },
  }
}

/** `body` holds one chunk a line, as `reading/` writes them. */
function readLines(body: ReadableStream<Uint8Array>, id: (index: number) => string): ReadableStream<StreamPart> {
  const decoder = new TextDecoder()
  let rest = ''
  let reader: ReturnType<typeof createReader>
  return body.pipeThrough(
    new TransformStream<Uint8Array, StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] })
        reader = createReader((part) => controller.enqueue(part), id)
      },
      transform(chunk) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) reader.chunk(JSON.parse(line) as OllamaChunk)
      },
      flush: () => reader.end(),
    }),
  )
}

/**
 * Ollama by its own `/api/chat`, because its OpenAI endpoint ignores `num_ctx` and cuts the front of long requests
 * without a word. `contextWindow` in tokens becomes `num_ctx`.
 */
export function ollamaLanguageModel(settings: {
  baseUrl: string
  model: string
  contextWindow?: number
  headers: Record<string, string>
  fetch: typeof fetch
  ids: () => string
}): SdkModel {
  const url = `${settings.baseUrl}/api/chat`
  return {
    specificationVersion: 'v4',
    provider: 'ollama.chat',
    modelId: settings.model,
    supportedUrls: {},
    doGenerate() {
      throw new Error('Answers are always streamed.')
    },
    async doStream(options) {
      const body = toBody(settings.model, settings.contextWindow, options)
      const response = await settings.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...settings.headers },
        body,
        ...(options.abortSignal ? { signal: options.abortSignal } : {}),
      })
      if (!response.ok || response.body === null) {
        throw new APICallError({
          message: response.statusText,
          url,
          requestBodyValues: {},
          statusCode: response.status,
          responseHeaders: Object.fromEntries(response.headers),
          responseBody: await response.text(),
        })
      }
      const prefix = settings.ids()
      return { stream: readLines(response.body, (index) => `${prefix}-${index}`), request: { body } }
    },
  }
}
