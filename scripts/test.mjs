// npm test: everything, from a bare clone. Every step runs, whatever the one before it did; the last line is the sum.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './bootstrap/app-build.mjs'
import { findChromium } from './bootstrap/find-chromium.mjs'
import { installPackages } from './bootstrap/npm-packages.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { runProgram, say } from './bootstrap/run-program.mjs'
import { playwrightCount, vitestCount } from './bootstrap/test-counts.mjs'

const REPORTS = join(ROOT, '.cache/test-counts')
const MINUTE = 60_000

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const asCount = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 })
const bin = (path, ...args) => ({ path: join(ROOT, 'node_modules', path), args })

const CHECKS = {
  'format and lint': bin('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  'import rules': bin(
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'src-main',
    'src-preload',
    'src-renderer',
  ),
  'types: main': bin('typescript/bin/tsc', '-p', 'tsconfig.main.json'),
  'types: preload': bin('typescript/bin/tsc', '-p', 'tsconfig.preload.json'),
  'types: renderer': bin('typescript/bin/tsc', '-p', 'tsconfig.renderer.json'),
  'types: e2e': bin('typescript/bin/tsc', '-p', 'tsconfig.e2e.json'),
  'unused code': bin('knip/bin/knip.js'),
}

async function check({ path, args }) {
  return asCount(await runProgram(projectNode(), [path, ...args], { limitMs: 10 * MINUTE }))
}

async function unitTests() {
  const report = join(REPORTS, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const code = await runProgram(projectNode(), [program, ...args], { limitMs: 25 * MINUTE })
  return vitestCount(report, code)
}

async function endToEndTests() {
  const chromium = await findChromium()
  if (!chromium) return asCount(1)
  const report = join(REPORTS, 'playwright.json')
  const program = join(ROOT, 'node_modules/playwright/cli.js')
  const env = { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await runProgram(projectNode(), [program, 'test', '--reporter=list,json'], { env, limitMs: 45 * MINUTE })
  return playwrightCount(report, code)
}

const STEPS = [
  ['build', async () => asCount(await build())],
  ...Object.entries(CHECKS).map(([name, program]) => [name, () => check(program)]),
  ['unit tests', unitTests],
  ['end-to-end tests', endToEndTests],
]

async function runSteps() {
  // a report of an earlier run must not be counted again
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const rows = []
  for (const [name, step] of STEPS) {
    say(`\n── ${name} ──`)
    const started = Date.now()
    const count = await step().catch((error) => {
      say(error.stack ?? String(error))
      return asCount(1)
    })
    rows.push({ name, seconds: Math.round((Date.now() - started) / 1000), ...count })
  }
  return rows
}

/** @returns {never} */
function finish(rows) {
  say('')
  for (const { name, passed, failed, skipped, seconds } of rows) {
    const mark = failed > 0 ? 'FAIL' : 'ok  '
    say(
      `${mark} ${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds} s)`,
    )
  }
  const sum = (field) => rows.reduce((total, row) => total + row[field], 0)
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exit(sum('failed') > 0 ? 1 : 0)
}

try {
  await installPackages()
  projectNode()
} catch (error) {
  say(error.message)
  finish([{ name: 'install', seconds: 0, ...asCount(1) }])
}
finish(await runSteps())
