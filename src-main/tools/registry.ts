import type { ToolSubject } from './policy'
import type { ToolSetting } from './repository'
import { fitSchema } from './schemas/fit-schema'
import { spelled } from './spell'
import type { Tool } from './tool'
import { cutToolName, isPlainToolName, MOST_TOOL_NAME, nameHash, plainToolName } from './tool-name-contract'

/** A tool with what a person set for it and the name a model sees. */
export interface NamedTool extends Omit<Tool, 'subject'> {
  subject: ToolSubject
  /** What its server calls it. */
  ownName: string
  /** The tool's own words, before a person rewrote them. */
  ownDescription: string
}

const MOST_TOLD_NAME = 200
const FOREIGN_LETTERS = /(?![a-zA-Z])[\p{L}\p{N}](?<!\d)/u

/** A name every provider takes that keeps what it says; what cannot be spelled is told apart by a hash. */
function nameFor(name: string): string {
  if (isPlainToolName(name)) return name
  const text = spelled(name)
  const isLost = FOREIGN_LETTERS.test(text)
  if (!/[a-zA-Z0-9]/.test(text)) return `tool_${nameHash(name)}`
  if (text.length > MOST_TOOL_NAME) return cutToolName(plainStart(text, nameHash(name)))
  return isLost ? plainStart(text, nameHash(name)) : plainToolName(text)
}

function plainStart(text: string, hash: string): string {
  const latin = text.replaceAll(/[^a-zA-Z0-9-]+/g, '_')
  const start = plainToolName(latin.slice(0, MOST_TOOL_NAME - hash.length - 7)).replace(/_+$/, '')
  return `${start}_${hash}`
}

/** A name two tools share is prefixed with the server's; what still clashes gets a hash of where it comes from. */
function distinctNames(tools: readonly Tool[]): string[] {
  const shared = (names: readonly string[]): ReadonlySet<string> => {
    const seen = new Set<string>()
    return new Set(names.filter((name) => seen.size === seen.add(name).size))
  }
  const bare = tools.map((tool) => nameFor(tool.name))
  const twice = shared(bare)
  const wanted = tools.map(({ name, serverName }, index) =>
    twice.has(bare[index] ?? '') && serverName !== undefined ? nameFor(`${serverName}__${name}`) : (bare[index] ?? ''),
  )
  const stillTwice = shared(wanted)
  return tools.map(({ subject }, index) => {
    const name = wanted[index] ?? ''
    return stillTwice.has(name) ? `${name.slice(0, MOST_TOOL_NAME - 9)}_${nameHash(subject.id)}` : name
  })
}

/** Sorted by name, so that equal sets are equal bytes in the request. */
export function nameTools(tools: readonly Tool[], settings: ReadonlyMap<string, ToolSetting>): NamedTool[] {
  const names = distinctNames(tools)
  return tools
    .map((tool, index): NamedTool => {
      const { enabledByDefault, defaultPolicy, ...subject } = tool.subject
      const set = settings.get(subject.id)
      return {
        ...tool,
        name: names[index] ?? tool.name,
        ownName: tool.name,
        ownDescription: tool.description,
        description: set?.description ?? tool.description,
        subject: { ...subject, enabled: set?.enabled ?? enabledByDefault, policy: set?.policy ?? defaultPolicy },
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** What a model is told of a tool. A name that could not be kept as it is stands before the description. */
export function offered({ subject, name, ownName, description, schema }: NamedTool) {
  const isTold = ownName.length > MOST_TOOL_NAME || FOREIGN_LETTERS.test(ownName)
  const words = isTold ? [ownName.slice(0, MOST_TOLD_NAME), description].filter(Boolean).join(': ') : description
  return { id: subject.id, name, description: words, schema: fitSchema(schema) }
}

/** The tool a call means: by the name it was offered under, else by what it was called before or at its server. */
export function calledTool(
  tools: Iterable<NamedTool>,
  { name, toolId }: { name: string; toolId?: string },
): NamedTool | undefined {
  const all = [...tools]
  const only = (means: (tool: NamedTool) => boolean): NamedTool | undefined => {
    const [first, ...others] = all.filter(means)
    return others.length === 0 ? first : undefined
  }
  return (
    only((tool) => tool.name === name) ??
    only(({ subject }) => subject.id === toolId) ??
    only((tool) => tool.ownName === name)
  )
}
