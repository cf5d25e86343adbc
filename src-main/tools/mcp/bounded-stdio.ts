import type { ChildProcess } from 'node:child_process'
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import spawn from 'cross-spawn'
import { endTree, OWN_GROUP, safeEnvironment } from '../child-process'

/** One line of JSON may be this long; a server that writes more without a line break is cut off. */
const MOST_LINE_BYTES = 64 * 1024 * 1024
const MOST_BAD_LINES = 200
const KILL_AFTER_MS = 2000
/** More in one second is a flood no model asked for. */
const MOST_MESSAGES = 5000
/** Of standard error in one second; a server that says more waits for the next. */
const MOST_LOG_BYTES = 512 * 1024
const MOST_LOG_LINE = 64 * 1024
/** After the end of the process, for what is still in the pipes. */
const LAST_WORDS_MS = 500

export interface StdioServer {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd?: string
}

/**
 * Standard input and output of a child process as an MCP transport, with bounds the official one lacks: on the length of
 * a line, and on how much garbage is put up with. The environment is the SDK's safe subset plus what the person set.
 */
export class BoundedStdio implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  private child: ChildProcess | undefined
  /** The line that has begun, in pieces: joined once, whatever its length. */
  private line: Buffer[] = []
  private lineBytes = 0
  private badLines = 0
  private logBytes = 0
  private logRest = Buffer.alloc(0)
  private messages = 0
  private second = 0
  private readonly server: StdioServer
  private readonly onStderr: (text: string) => void

  constructor(server: StdioServer, onStderr: (text: string) => void) {
    this.server = server
    this.onStderr = onStderr
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { command, args, env, cwd } = this.server
      const child = spawn(command, [...args], {
        env: safeEnvironment(env),
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        windowsHide: true,
        detached: OWN_GROUP,
        ...(cwd === undefined ? {} : { cwd }),
      })
      this.child = child
      child.once('spawn', resolve)
      child.on('error', (error) => {
        reject(error)
        this.onerror?.(error)
      })
      child.once('close', (code, signal) => this.ended(child, signal ?? `code ${code ?? '?'}`))
      // A child of its own may keep the pipes open after it.
      child.once('exit', (code, signal) => {
        setTimeout(() => this.ended(child, signal ?? `code ${code ?? '?'}`), LAST_WORDS_MS)
      })
      child.stdin?.on('error', (error) => this.onerror?.(error))
      child.stderr?.on('data', (chunk: Buffer) => this.readLog(chunk))
      child.stdout?.on('data', (chunk: Buffer) => this.read(chunk))
    })
  }

  private ended(child: ChildProcess, how: string): void {
    if (this.child !== child) return
    this.child = undefined
    endTree(child, 'SIGKILL')
    if (this.logRest.length > 0) this.log(Buffer.from('\n'))
    this.onStderr(`(ended with ${how})\n`)
    this.onclose?.()
  }

  /** Whole lines: what lies across two pieces, a secret for one, could not be recognised in either. */
  private log(chunk: Buffer): void {
    const joined = Buffer.concat([this.logRest, chunk])
    const end = joined.length > MOST_LOG_LINE ? joined.length : joined.lastIndexOf(10) + 1
    this.logRest = joined.subarray(end)
    if (end > 0) this.onStderr(joined.subarray(0, end).toString())
  }

  /** A server that floods its log waits: its pipe is read again when the second is over. */
  private readLog(chunk: Buffer): void {
    this.log(chunk)
    this.logBytes += chunk.length
    const pipe = this.child?.stderr
    if (this.logBytes < MOST_LOG_BYTES || !pipe || pipe.isPaused()) return
    pipe.pause()
    setTimeout(() => {
      this.logBytes = 0
      pipe.resume()
    }, 1000).unref()
  }

  private read(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.line.push(chunk.subarray(from, at))
      from = at + 1
      const line = Buffer.concat(this.line).toString()
      this.line = []
      this.lineBytes = 0
      if (line.trim() !== '' && !this.take(line)) return
    }
    if (from === chunk.length) return
    this.line.push(from === 0 ? chunk : chunk.subarray(from))
    this.lineBytes += chunk.length - from
    if (this.lineBytes > MOST_LINE_BYTES) {
      this.giveUp(`It wrote more than ${MOST_LINE_BYTES / 1024 / 1024} MB without a line break.`)
    }
  }

  /** False when the server was given up. */
  private take(line: string): boolean {
    const second = Math.floor(performance.now() / 1000)
    this.messages = second === this.second ? this.messages + 1 : 1
    this.second = second
    if (this.messages > MOST_MESSAGES) {
      this.giveUp(`It sent more than ${MOST_MESSAGES} messages within a second.`)
      return false
    }
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch (error) {
      this.badLines += 1
      if (this.badLines > MOST_BAD_LINES) {
        this.giveUp('It keeps writing lines that are no MCP messages. Logs belong on standard error.')
        return false
      }
      this.onerror?.(new Error(`A line that is no MCP message: ${line.slice(0, 200)}`, { cause: error }))
      return true
    }
    this.onmessage?.(message)
    return true
  }

  private giveUp(reason: string): void {
    this.onStderr(`${reason}\n`)
    this.onerror?.(new Error(reason))
    this.line = []
    this.lineBytes = 0
    this.child?.stdout?.removeAllListeners('data')
    if (this.child) endTree(this.child, 'SIGKILL')
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.child?.stdin
      if (!stdin?.writable) {
        reject(new Error('The server is not running.'))
        return
      }
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Asks by closing its input, then with SIGTERM, then with SIGKILL. */
  async close(): Promise<void> {
    const { child } = this
    if (child?.pid === undefined) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const wait = () =>
      Promise.race([
        ended.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(resolve, KILL_AFTER_MS, false)),
      ])
    child.stdin?.end()
    endTree(child, 'SIGTERM')
    if (!(await wait())) {
      endTree(child, 'SIGKILL')
      await wait()
    }
  }
}
