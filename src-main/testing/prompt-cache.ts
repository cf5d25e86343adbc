/** A block of a request to Anthropic, in the order the provider reads them. */
interface Block {
  text: string
  marked: boolean
}

type Json = Record<string, unknown>

/** Blocks a mark looks back over for what is in the cache already. */
const LOOK_BACK = 20
const WRITE = 1.25
const READ = 0.1

function blockOf(place: string, value: Json): Block {
  const { cache_control: mark, ...rest } = value
  return { text: `${place} ${JSON.stringify(rest)}`, marked: mark !== undefined }
}

/** Tools, then systems, then the contents of messages. */
export function blocksOf(body: string): Block[] {
  const {
    tools = [],
    system = [],
    messages = [],
  } = JSON.parse(body) as {
    tools?: Json[]
    system?: Json[]
    messages?: { role: string; content: Json[] }[]
  }
  return [
    ...tools.map((tool) => blockOf('tool', tool)),
    ...system.map((part) => blockOf('system', part)),
    ...messages.flatMap(({ role, content }) => content.map((part) => blockOf(role, part))),
  ]
}

/**
 * Anthropic's prompt cache as it is documented: a request is read from the longest prefix that ends at most twenty blocks
 * before one of its marks, and written up to its last mark. Prices in tokens of plain input, four characters a token.
 */
export class PromptCache {
  private readonly kept = new Set<string>()
  private readonly leastTokens: number

  constructor(leastTokens: number) {
    this.leastTokens = leastTokens
  }

  /** `paid` with the marks of the body, `plain` without any. */
  price(body: string): { paid: number; plain: number; marks: number } {
    const blocks = blocksOf(body)
    const prefixes: string[] = []
    for (const { text } of blocks) prefixes.push(`${prefixes.at(-1) ?? ''}\n${text}`)
    const tokensAt = (index: number) => (prefixes[index]?.length ?? 0) / 4
    const plain = tokensAt(blocks.length - 1)
    const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []))
    let hit = -1
    for (const mark of marks) {
      for (let at = mark; at >= 0 && at > mark - LOOK_BACK; at -= 1) {
        if (this.kept.has(prefixes[at] ?? '')) {
          hit = Math.max(hit, at)
          break
        }
      }
    }
    let written = hit
    for (const mark of marks) {
      if (tokensAt(mark) < this.leastTokens) continue
      this.kept.add(prefixes[mark] ?? '')
      written = Math.max(written, mark)
    }
    const read = tokensAt(hit)
    const paid = read * READ + (tokensAt(written) - read) * WRITE + (plain - tokensAt(written))
    return { paid, plain, marks: marks.length }
  }
}
