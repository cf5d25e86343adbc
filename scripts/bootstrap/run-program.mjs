import { spawn } from 'node:child_process'
import { ROOT } from './project-node.mjs'

let talk = process.stdout

/** From now on everything said, and the output of every program run, goes to stderr: stdout is for the answer alone. */
export function keepStdoutClean() {
  talk = process.stderr
}

/** Says something to the person. */
export function say(text) {
  talk.write(`${text}\n`)
}

/**
 * Runs a program to its end, its output streaming through.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, limitMs?: number, waiting?: string, quiet?: boolean, shell?: boolean }} options
 *   `waiting`: said again every 15 seconds, for programs that are silent while they work. `quiet`: drop the output.
 * @returns {Promise<number>} the exit code; 124 when the time limit was reached, 127 when it could not be started
 */
export function runProgram(program, args, { env = {}, limitMs, waiting, quiet = false, shell = false } = {}) {
  return new Promise((done) => {
    const started = Date.now()
    const seconds = () => Math.round((Date.now() - started) / 1000)
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: quiet ? 'ignore' : ['ignore', talk, process.stderr],
      shell,
    })
    const beat = waiting ? setInterval(() => say(`  … ${waiting} (${seconds()} s)`), 15_000) : undefined
    let expired = false
    const limit = limitMs
      ? setTimeout(() => {
          expired = true
          child.kill('SIGTERM')
          setTimeout(() => child.kill('SIGKILL'), 5000).unref()
        }, limitMs)
      : undefined
    const end = (code) => {
      clearInterval(beat)
      clearTimeout(limit)
      done(expired ? 124 : code)
    }
    child.on('error', (error) => {
      say(`  ${program} could not be started: ${error.message}`)
      end(127)
    })
    child.on('exit', (code, signal) => end(code ?? (signal ? 1 : 0)))
  })
}

/**
 * Hands over to a program that lives as long as the person wants: Ctrl+C and a stop signal reach it, and it decides
 * when it is done. Its exit code becomes ours.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, onLine?: (line: string) => void }} options `onLine` takes over its stdout
 */
export function handOver(program, args, { env = {}, onLine } = {}) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['inherit', onLine ? 'pipe' : 'inherit', 'inherit'],
  })
  // Ctrl+C goes to the whole group, so the child has it already
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGTERM'))
  // a shell between npm and us takes npm's signal and dies without passing it on: then we have a new parent
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  if (onLine && child.stdout) {
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    })
  }
  child.on('error', (error) => {
    say(`${program} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
