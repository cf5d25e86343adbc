import { z } from 'zod'
import { AppError } from '../../../ipc/app-error'
import { holdsSecret } from '../../secrets'
import { MEMORY_KINDS } from '../contract'

const MOST_FINDINGS = 5
/** A quote of a letter or two would be found in any message. */
const SHORTEST_QUOTE = 3
const unit = z.number().min(0).max(1)

const answerSchema = z.object({ memories: z.array(z.unknown()) })
const findingSchema = z.object({
  text: z.string().trim().min(1).max(500),
  quote: z.string().trim().min(SHORTEST_QUOTE).max(2_000),
  kind: z.enum(MEMORY_KINDS).catch('fact'),
  importance: unit.catch(0.5),
  confidence: unit.catch(0.6),
  entities: z.array(z.string().trim().min(1).max(100)).max(10).catch([]),
})

/** One fact the model found, with the words that say so. */
export interface Finding extends z.output<typeof findingSchema> {
  /** The quoted words stand in a quotation or a code block: the person passed them on and may not have written them. */
  passedOn: boolean
}

/**
 * The model's answer, checked: what has no verbatim quote in the message, or holds a secret, is dropped.
 * @throws model.rejected when the answer holds no such JSON at all
 */
export function readFindings(answer: string, message: string): Finding[] {
  const parsed = answerSchema.safeParse(jsonIn(answer))
  if (!parsed.success) throw rejected()
  const passedOn = passedOnIn(message)
  const own = message.replace(/\r\n/g, '\n')
  return parsed.data.memories
    .flatMap((raw): Finding[] => {
      const finding = findingSchema.safeParse(raw)
      if (!finding.success) return []
      const { text, quote, entities } = finding.data
      if (!own.includes(quote) || [text, quote, ...entities].some(holdsSecret)) return []
      return [{ ...finding.data, passedOn: passedOn.some((part) => part.includes(quote)) }]
    })
    .slice(0, MOST_FINDINGS)
}

function rejected(cause?: unknown): AppError {
  return new AppError(
    'model.rejected',
    'The model did not answer with the JSON that extraction needs. It is tried again; another background model can be chosen in Settings.',
    { cause },
  )
}

function jsonIn(answer: string): unknown {
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  if (from === -1 || to < from) throw rejected()
  try {
    return JSON.parse(answer.slice(from, to + 1))
  } catch (cause) {
    throw rejected(cause)
  }
}

/** Code blocks and `>` quotations: text a person hands on, from a page or a program. */
function passedOnIn(message: string): string[] {
  const fences = message.match(/```[\s\S]*?(?:```|$)/g) ?? []
  const quotations = message.match(/^>.*(?:\n>.*)*/gm) ?? []
  return [...fences, ...quotations, ...quotations.map((lines) => lines.replace(/^> ?/gm, ''))]
}
