import { homedir } from 'node:os'
import spawn from 'cross-spawn'
import { schemaProblem } from './arguments'
import { endTree, OWN_GROUP, safeEnvironment } from './child-process'
import type { CommandTool } from './contract'
import { commandTransport, fingerprintOfDefinition } from './definition'
import { masked, type Places, placesNamed, type SecretStore, withKept } from './kept-secrets'
import { redactor } from './mcp/redact'
import { replaceInArguments } from './secret-places'
import type { RawResult, Tool } from './tool'

const PLACEHOLDER = /\{([a-zA-Z_][\w-]*)\}/g
const KILL_AFTER_MS = 1500

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * The argv of one call. Each element is filled in on its own and stays one argument, whatever it holds: no shell ever
 * reads it. An element that is one placeholder alone is left out when its argument is missing.
 */
export function argvOf(template: readonly string[], given: Readonly<Record<string, unknown>>): string[] {
  return template.flatMap((element) => {
    const alone = /^\{([a-zA-Z_][\w-]*)\}$/.exec(element)?.[1]
    if (alone !== undefined) {
      const value = Object.hasOwn(given, alone) ? given[alone] : undefined
      if (value === undefined || value === null) return []
      return Array.isArray(value) ? value.map(written) : [written(value)]
    }
    return [
      element.replaceAll(PLACEHOLDER, (whole, name: string) =>
        Object.hasOwn(given, name) ? written(given[name]) : whole,
      ),
    ]
  })
}

interface Output {
  out: Buffer[]
  err: Buffer[]
  bytes: number
  cut: boolean
}

/** Runs it, bounded in time and output. Standard error follows standard output when the command failed. */
export function runCommand(
  command: CommandTool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<RawResult> {
  const [program, ...args] = argvOf(command.argv, given)
  if (program === undefined || program === '')
    return Promise.resolve({ outcome: 'failed', text: 'The command is empty.' })
  if (signal.aborted) return Promise.resolve({ outcome: 'stopped', text: 'The command was stopped.' })
  if ([program, ...args].some((argument) => argument.includes('\0')))
    return Promise.resolve({ outcome: 'failed', text: 'An argument holds a zero byte, which no command takes.' })
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: command.workingFolder ?? undefined,
      env: safeEnvironment(command.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      detached: OWN_GROUP,
    })
    const output: Output = { out: [], err: [], bytes: 0, cut: false }
    let ended: RawResult['outcome'] | undefined
    let timers: NodeJS.Timeout[] = []
    const finish = (result: RawResult) => {
      for (const timer of timers) clearTimeout(timer)
      timers = []
      signal.removeEventListener('abort', stop)
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve(result)
    }
    const kill = (how: RawResult['outcome']) => {
      if (ended) return
      ended = how
      endTree(child, 'SIGTERM')
      timers.push(setTimeout(() => endTree(child, 'SIGKILL'), KILL_AFTER_MS))
      // A grandchild that left the group may hold the pipes open for ever: it is not waited for.
      timers.push(setTimeout(() => finish(resultOf(output, ended, null, command)), 2 * KILL_AFTER_MS))
    }
    const stop = () => kill('stopped')
    timers.push(setTimeout(() => kill('timed_out'), command.timeoutSeconds * 1000))
    signal.addEventListener('abort', stop, { once: true })
    const read = (into: 'out' | 'err') => (chunk: Buffer) => {
      const room = command.outputLimitBytes - output.bytes
      output.bytes += chunk.length
      if (room > 0) output[into].push(chunk.subarray(0, room))
      if (output.bytes > command.outputLimitBytes) {
        output.cut = true
        kill('failed')
      }
    }
    child.stdout?.on('data', read('out'))
    child.stderr?.on('data', read('err'))
    child.once('error', (error: NodeJS.ErrnoException) =>
      finish({ outcome: 'failed', text: startProblem(error, program, command) }),
    )
    child.once('close', (code) => finish(resultOf(output, ended, code, command)))
  })
}

/** Joined before it is read: a character may lie across two pieces, and the limit may cut the last one. */
const textOf = (pieces: Buffer[]): string =>
  Buffer.concat(pieces)
    .toString()
    .replace(/\uFFFD$/u, '')
    .trimEnd()

function startProblem(error: NodeJS.ErrnoException, program: string, command: CommandTool): string {
  if (error.code === 'ENOENT') {
    const folder =
      command.workingFolder === null ? '' : ` or the working folder ${command.workingFolder} does not exist`
    return `The command “${program}” was not found${folder}.`
  }
  if (error.code === 'EACCES') return `The command “${program}” may not be executed.`
  return `The command could not be started: ${error.message}`
}

function resultOf(
  output: Output,
  ended: RawResult['outcome'] | undefined,
  code: number | null,
  command: CommandTool,
): RawResult {
  const text = [textOf(output.out), code === 0 ? '' : textOf(output.err)].filter(Boolean).join('\n')
  if (output.cut) {
    return {
      outcome: 'failed',
      text: `${text}\n[stopped: more than ${command.outputLimitBytes} bytes of output]`,
      note: 'output limit',
    }
  }
  if (ended === 'timed_out')
    return { outcome: 'timed_out', text: `${text}\n[stopped after ${command.timeoutSeconds} seconds]`.trim() }
  if (ended === 'stopped') return { outcome: 'stopped', text: `${text}\n[stopped]`.trim() }
  if (code === 0) return { outcome: 'completed', text: text === '' ? '(no output)' : text }
  return { outcome: 'failed', text: `${text}\n[exit code ${code ?? 'unknown'}]`.trim() }
}

/** Where a command's secrets stand. */
export function commandPlaces(secretNames: readonly string[]): Places<Pick<CommandTool, 'env' | 'argv'>> {
  const named = placesNamed(secretNames)
  return ({ env, argv }, replace) => ({ env: named(env, replace), argv: replaceInArguments(argv, replace) })
}

export interface CommandDeps {
  secrets: SecretStore
  /** The folder a chat is bound to. */
  folderOf: (sessionId: string) => string | null
}

/** Runs a stored command with its secrets; what it prints of them is blanked out. */
export async function runStored(
  { secrets: store, folderOf }: CommandDeps,
  command: CommandTool,
  given: Readonly<Record<string, unknown>>,
  { sessionId, signal }: { sessionId?: string; signal: AbortSignal },
): Promise<RawResult> {
  const { env, argv } = command
  const places = commandPlaces(command.secretNames)
  const { value, secrets } = await withKept(store, `command/${command.id}`, { env, argv }, places)
  const bound = sessionId === undefined ? null : folderOf(sessionId)
  const workingFolder = command.workingFolder ?? bound ?? homedir()
  const raw = await runCommand({ ...command, ...value, workingFolder }, given, signal)
  return { ...raw, text: redactor(secrets)(raw.text) }
}

export function commandAsTool(command: CommandTool, deps: CommandDeps): Tool {
  const problem = schemaProblem(command.schema)
  const { name, description, schema } = command
  const shown = { ...command, ...masked({ env: command.env, argv: command.argv }, commandPlaces(command.secretNames)) }
  const definition = { name, description, schema, transport: commandTransport(shown) }
  return {
    definition,
    subject: {
      id: `command/${command.id}`,
      fingerprint: fingerprintOfDefinition(definition),
      origin: 'command',
      enabledByDefault: command.enabled,
      defaultPolicy: 'ask',
      ...(problem === undefined ? {} : { unusable: problem }),
    },
    name: command.name,
    serverName: 'command',
    description: command.description,
    schema: command.schema,
    run: (given, context) => runStored(deps, command, given, context),
  }
}
