import { z } from 'zod'
import type { RawResult } from '../tool'

/** Looser than the SDK's own: a part nobody knows must not lose the others. */
export const callResult = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

const resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
})

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('audio'), data: z.string(), mimeType: z.string() }),
  z.looseObject({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
  }),
  z.looseObject({ type: z.literal('resource'), resource }),
])

type Images = NonNullable<RawResult['images']>

/** Bytes as base64, roughly. */
const kilobytes = (base64: string): string => `${Math.ceil((base64.length * 3) / 4 / 1024)} kB`

function resourceText({ uri, mimeType, text, blob }: z.output<typeof resource>, images: Images): string {
  if (text !== undefined) return `[resource ${uri}]\n${text}`
  if (blob === undefined) return `[resource ${uri}, empty]`
  if (mimeType?.startsWith('image/')) {
    images.push({ mediaType: mimeType, dataBase64: blob })
    return `[resource ${uri}, an image]`
  }
  return `[resource ${uri}, ${mimeType ?? 'binary'}, ${kilobytes(blob)}, not shown to the model]`
}

/** One part of a result or a prompt as text; images are put beside it. */
export function partText(given: unknown, images: Images): string | undefined {
  const { success, data } = part.safeParse(given)
  if (!success) return '[a part of a kind this app does not know]'
  switch (data.type) {
    case 'text':
      return data.text
    case 'image':
      images.push({ mediaType: data.mimeType, dataBase64: data.data })
      return undefined
    case 'audio':
      return `[audio, ${data.mimeType}, ${kilobytes(data.data)}, not shown to the model]`
    case 'resource_link':
      return `[link to ${data.uri}${data.name ? `: ${data.name}` : ''}${data.description ? `, ${data.description}` : ''}]`
    case 'resource':
      return resourceText(data.resource, images)
    default:
      return data satisfies never
  }
}

/** Text stays text, images go beside it, the rest is named. The outcome is the server's own word, not a guess. */
export function readResult(result: z.output<typeof callResult>): RawResult {
  const images: Images = []
  const texts = (result.content ?? []).flatMap((given) => partText(given, images) ?? [])
  if (texts.length === 0 && result.structuredContent !== undefined) texts.push(JSON.stringify(result.structuredContent))
  const text = texts.join('\n\n')
  return {
    outcome: result.isError ? 'failed' : 'completed',
    text: text === '' && images.length === 0 ? '(no content)' : text,
    ...(images.length === 0 ? {} : { images }),
  }
}
