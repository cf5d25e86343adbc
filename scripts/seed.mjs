// npm run seed [-- --data DIR] [--messages 20000] [--sessions 0]: fills a data folder with the demo, through the app's
// own calls. The app must not be running on that folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildIfNeeded } from './bootstrap/app-build.mjs'
import { installPackages } from './bootstrap/npm-packages.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { runProgram, say } from './bootstrap/run-program.mjs'
import { startHost } from './bootstrap/running-host.mjs'

const SELF = join(ROOT, 'scripts/seed.mjs')

/** Started again under the project's Node, which reads TypeScript. */
async function handToProjectNode() {
  await installPackages()
  await buildIfNeeded()
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  return runProgram(projectNode(), [...flags, SELF, ...process.argv.slice(2)], { env: { STRATA_SEED_INSIDE: '1' } })
}

function readOptions() {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, messages: { type: 'string' }, sessions: { type: 'string' } },
  })
  const count = (name, text, byDefault) => {
    const number = text === undefined ? byDefault : Number(text)
    if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} takes a whole number, not ${text}.`)
    return number
  }
  return {
    data: values.data,
    longMessages: count('messages', values.messages, 20_000),
    extraSessions: count('sessions', values.sessions, 0),
  }
}

async function fill() {
  const { data, ...sizes } = readOptions()
  const { seed } = await import(pathToFileURL(join(ROOT, 'src-main/seed/seed.ts')).href)
  const content = JSON.parse(readFileSync(join(ROOT, 'resources/seed/demo.json'), 'utf8'))
  const book = readFileSync(join(ROOT, 'resources/worldbooks/fogharbour.json'))
  const host = await startHost(data)
  try {
    const report = await seed({
      call: host.call,
      content,
      now: Date.now(),
      worldbook: { fileName: 'fogharbour.json', dataBase64: book.toString('base64') },
      ...sizes,
    })
    const { leftOut, ...counts } = report
    say(`Filled ${host.data}: ${JSON.stringify(counts)}`)
    for (const line of leftOut) say(`  left out: ${line}`)
  } finally {
    await host.stop()
  }
}

try {
  if (process.env.STRATA_SEED_INSIDE) await fill()
  else process.exitCode = await handToProjectNode()
} catch (error) {
  say(error.message)
  process.exitCode = 1
}
