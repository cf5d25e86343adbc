#!/usr/bin/env node
// Takes the place of the electron executable in tests: `launch.mjs [--inspect=0] [--remote-debugging-port=0] <app> [args]`.
// Runs the app's real main bundle on Node; electron-module.ts answers `import 'electron'`.
import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const inspectFlags = []
const appArgs = []
let target
for (const argument of process.argv.slice(2)) {
  if (/^--inspect(-brk)?(=|$)/.test(argument)) inspectFlags.push(argument)
  else if (!target && !argument.startsWith('-')) target = resolve(argument)
  else appArgs.push(argument)
}
if (!target) throw new Error('The folder of the app is missing.')

const isFolder = statSync(target).isDirectory()
const appDir = isFolder ? target : dirname(target)
const entry = isFolder ? join(target, JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')).main) : target

// outside an npm script, `env node` may be the machine's older Node: the project's own runs the app
const isNew = Number(process.versions.node.split('.')[0]) >= 24
const node = isNew ? process.execPath : resolve(here, '../../node_modules/.bin/node')
const register = pathToFileURL(join(here, 'register.ts')).href
const child = spawn(node, [...inspectFlags, '--import', register, entry, ...appArgs], {
  stdio: 'inherit',
  env: { ...process.env, STAND_IN_APP_DIR: appDir },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
