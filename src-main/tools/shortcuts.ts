import { execFile } from 'node:child_process'

/** Runs a program and gives what it printed; rejects when it fails. */
export type Runner = (program: string, args: readonly string[]) => Promise<string>

const PROGRAM = '/usr/bin/shortcuts'
const LIST_LIMIT_MS = 10_000

export interface Shortcuts {
  names: string[]
  reason?: string
  /** The same as commands to save: run like any other command tool. */
  commands: { name: string; description: string; argv: string[] }[]
}

const runner: Runner = (program, args) =>
  new Promise((resolve, reject) => {
    execFile(program, [...args], { timeout: LIST_LIMIT_MS }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })

/** A tool's name made of a shortcut's, which may be any text; numbered where two would be the same. */
function toolName(name: string, taken: Set<string>): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
  const base = `shortcut${words === '' ? '' : `_${words}`}`.slice(0, 60)
  let unique = base
  for (let n = 2; taken.has(unique); n += 1) unique = `${base}_${n}`
  taken.add(unique)
  return unique
}

/** The system's Shortcuts on macOS; an empty list with a reason elsewhere or when they cannot be read. */
export async function listShortcuts(platform: NodeJS.Platform, run: Runner = runner): Promise<Shortcuts> {
  if (platform !== 'darwin') return { names: [], commands: [], reason: 'The Shortcuts app exists on macOS only.' }
  try {
    const names = (await run(PROGRAM, ['list']))
      .split('\n')
      .map((name) => name.trim())
      .filter(Boolean)
    const taken = new Set<string>()
    const commands = names.map((name) => ({
      name: toolName(name, taken),
      description: `Runs the shortcut “${name}” of this Mac.`,
      argv: [PROGRAM, 'run', name],
    }))
    return { names, commands }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { names: [], commands: [], reason: `The shortcuts could not be listed: ${words}` }
  }
}
