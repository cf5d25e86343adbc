import { z } from 'zod'
import { AppError } from '../../ipc/app-error'
import { asText, said, type Words } from '../../ipc/said-contract'
import { MEMORY_KINDS, MEMORY_SOURCES, type MemoryImportReport } from './contract'

const unit = z.number().min(0).max(1)
const time = z.iso.datetime({ offset: true })
/** Unknown fields are left alone: a file may come from a newer version or another program. */
const lineSchema = z.object({
  id: z.string().min(1).max(200).optional(),
  text: z.string().max(2_000_000),
  kind: z.enum(MEMORY_KINDS).catch('fact').optional(),
  source: z
    .object({
      kind: z.enum(MEMORY_SOURCES).catch('imported'),
      sessionId: z.string().optional(),
      messageId: z.string().optional(),
      quote: z.string().optional(),
    })
    .optional(),
  importance: unit.optional(),
  confidence: unit.optional(),
  entities: z.array(z.string()).optional(),
  validFrom: time.optional(),
  validUntil: time.optional(),
  supersededBy: z.string().optional(),
  archived: z.boolean().optional(),
  createdAt: time.optional(),
  updatedAt: time.optional(),
})
export type Line = z.output<typeof lineSchema>

function refusal(path: string): { reason: string; words?: Words } {
  const { text: reason, ...words } = asText(
    path === '' ? 'Not a memory.' : said`The field “${path}” is missing or not as it should be.`,
  )
  return { reason, ...words }
}

/** @throws import.unreadable */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new AppError('import.unreadable', 'The file is not UTF-8 text.', { cause: error })
  }
}

/** Memories of a file, by line or by place in its list; what is none goes to `report.skipped`. */
export function readLines(text: string, fileName: string, report: MemoryImportReport): { line: number; value: Line }[] {
  const found: { line: number; value: Line }[] = []
  const take = (line: number, raw: unknown) => {
    const parsed = lineSchema.safeParse(raw)
    if (!parsed.success) report.skipped.push({ line, ...refusal(parsed.error.issues[0]?.path.join('.') ?? '') })
    else if (parsed.data.text.trim() === '') report.skipped.push({ line, reason: 'The text is empty.' })
    else found.push({ line, value: parsed.data })
  }
  if (/\.(md|markdown|txt)$/i.test(fileName)) {
    for (const { line, item } of markdownItems(text)) take(line, item)
    return found
  }
  const trimmed = text.trimStart()
  if (trimmed.startsWith('[')) {
    for (const [at, item] of asArray(trimmed).entries()) take(at + 1, item)
    return found
  }
  text.split(/\r?\n/).forEach((content, at) => {
    if (content.trim() === '') return
    try {
      take(at + 1, JSON.parse(content))
    } catch {
      report.skipped.push({ line: at + 1, reason: 'This line is not JSON.' })
    }
  })
  return found
}

function asArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch (error) {
    throw new AppError('import.unreadable', 'The file begins like a JSON list but cannot be read as one.', {
      cause: error,
    })
  }
}

/** List items with their indented lines; the comment of our own export carries the id. */
function markdownItems(
  text: string,
): { line: number; item: { text: string; id?: string; kind?: string; archived?: boolean } }[] {
  const items: { line: number; lines: string[] }[] = []
  text.split(/\r?\n/).forEach((content, at) => {
    const start = /^(?:[-*+]|\d{1,4}[.)]) (.*)$/.exec(content)
    const open = items.at(-1)
    if (start) items.push({ line: at + 1, lines: [start[1] ?? ''] })
    else if (open && /^ {2}/.test(content)) open.lines.push(content.slice(2))
  })
  return items.map(({ line, lines }) => {
    const note = /^<!-- (.*); id: (\S+) -->$/.exec(lines.at(-1) ?? '')
    const words = note?.[1]?.split(', ') ?? []
    return {
      line,
      item: {
        text: (note ? lines.slice(0, -1) : lines).join('\n'),
        ...(note?.[2] === undefined ? {} : { id: note[2] }),
        ...(words[0] === undefined ? {} : { kind: words[0] }),
        ...(words.includes('archived') ? { archived: true } : {}),
      },
    }
  })
}
