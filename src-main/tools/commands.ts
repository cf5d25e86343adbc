import { execFile } from 'node:child_process'
import spawn from 'cross-spawn'
import { schemaProblem } from './arguments'
import type { CommandTool } from './contract'
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
  return new Promise((resolve) => {
    const own = process.platform !== 'win32'
    const child = spawn(program, args, {
      cwd: command.workingFolder ?? undefined,
      env: { ...process.env, ...command.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own, so that children of the command end with it.
      detached: own,
    })
    const output = { out: '', err: '', bytes: 0, cut: false }
    let ended: RawResult['outcome'] | undefined
    const kill = (how: RawResult['outcome']) => {
      ended ??= how
      const end = (name: NodeJS.Signals) => {
        try {
          if (own && child.pid !== undefined) process.kill(-child.pid, name)
          else child.kill(name)
        } catch (error) {
          // Already gone: exactly what was wanted.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
      end('SIGTERM')
      setTimeout(() => child.exitCode === null && end('SIGKILL'), KILL_AFTER_MS).unref()
    }
    const timer = setTimeout(() => kill('timed_out'), command.timeoutSeconds * 1000)
    const stop = () => kill('stopped')
    signal.addEventListener('abort', stop, { once: true })
    const read = (into: 'out' | 'err') => (chunk: Buffer) => {
      const room = command.outputLimitBytes - output.bytes
      output.bytes += chunk.length
      if (room > 0) output[into] += chunk.subarray(0, room).toString()
      if (output.bytes > command.outputLimitBytes && !output.cut) {
        output.cut = true
        kill('failed')
      }
    }
    child.stdout?.on('data', read('out'))
    child.stderr?.on('data', read('err'))
    const finish = (result: RawResult) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(result)
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      finish({ outcome: 'failed', text: startProblem(error, program, command) }),
    )
    child.once('close', (code) => finish(resultOf(output, ended, code, command)))
  })
}

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
  output: { out: string; err: string; cut: boolean },
  ended: RawResult['outcome'] | undefined,
  code: number | null,
  command: CommandTool,
): RawResult {
  const text = [output.out.trimEnd(), code === 0 ? '' : output.err.trimEnd()].filter(Boolean).join('\n')
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

export function commandAsTool(command: CommandTool): Tool {
  const problem = schemaProblem(command.schema)
  return {
    subject: {
      id: `command/${command.id}`,
      origin: 'command',
      enabledByDefault: command.enabled,
      defaultPolicy: 'ask',
      ...(problem === undefined ? {} : { unusable: problem }),
    },
    name: command.name,
    serverName: 'command',
    description: command.description,
    schema: command.schema,
    run: (given, context) => runCommand(command, given, context.signal),
  }
}

/** The system's Shortcuts on macOS. */
export function listShortcuts(platform: NodeJS.Platform): Promise<{ names: string[]; reason?: string }> {
  if (platform !== 'darwin') return Promise.resolve({ names: [], reason: 'The Shortcuts app exists on macOS only.' })
  return new Promise((resolve) => {
    execFile('shortcuts', ['list'], { timeout: 10_000 }, (error, stdout) => {
      if (error) resolve({ names: [], reason: `The shortcuts could not be listed: ${error.message}` })
      else
        resolve({
          names: stdout
            .split('\n')
            .map((name) => name.trim())
            .filter(Boolean),
        })
    })
  })
}
