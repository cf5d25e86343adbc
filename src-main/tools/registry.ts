import type { ToolSubject } from './policy'
import type { ToolSetting } from './repository'
import type { Tool } from './tool'

/** A tool with what a person set for it and the name a model sees. */
export interface NamedTool extends Omit<Tool, 'subject'> {
  subject: ToolSubject
  /** The tool's own words, before a person rewrote them. */
  ownDescription: string
}

const MOST_NAME = 64

/** Providers accept letters, digits, _ and - only. */
function cleanName(name: string): string {
  const cleaned = name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MOST_NAME)
  return cleaned === '' ? 'tool' : cleaned
}

/** A name two tools share is prefixed with the server's; what still clashes is numbered. */
function distinctNames(tools: readonly Tool[]): string[] {
  const count = new Map<string, number>()
  for (const tool of tools) count.set(cleanName(tool.name), (count.get(cleanName(tool.name)) ?? 0) + 1)
  const taken = new Set<string>()
  return tools.map((tool) => {
    const bare = cleanName(tool.name)
    const clash = (count.get(bare) ?? 0) > 1 && tool.serverName !== undefined
    const wanted = clash ? cleanName(`${tool.serverName}__${tool.name}`) : bare
    let name = wanted
    for (let n = 2; taken.has(name); n += 1) name = `${wanted.slice(0, MOST_NAME - 4)}_${n}`
    taken.add(name)
    return name
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
        ownDescription: tool.description,
        description: set?.description ?? tool.description,
        subject: { ...subject, enabled: set?.enabled ?? enabledByDefault, policy: set?.policy ?? defaultPolicy },
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
