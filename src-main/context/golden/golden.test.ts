import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../ipc/said-contract'
import { PROFILES } from '../../testing/turn-builders'
import { assemble } from '../assemble/assemble'
import { ledgerOf, notCountedIn } from '../assemble/ledger'
import { project } from '../assemble/project'
import { appPrefix } from '../assemble/templates'
import { usageOf } from '../assemble/usage'
import { collectBlocks } from '../collect-blocks'
import { type GoldenCase, goldenSchema, sourcesOf, turnOf } from './golden-case'
import { printRequest } from './print-request'

const folder = import.meta.dirname

/** Late rooms are late at once. */
const hurried = {
  set: (run: () => void) => setTimeout(run, 20),
  clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
}

async function requestOf(golden: GoldenCase): Promise<string> {
  const turn = turnOf(golden)
  const blocks = await collectBlocks(sourcesOf(golden), turn, 3000, hurried)
  const assembled = assemble({ turn, blocks })
  const prefix = appPrefix(turn.language, turn.settings.context.templates)
  const printed = golden.profiles.map((name) => {
    const { messages, trace } = project(assembled.entries, PROFILES[name], {
      appPrefix: prefix,
      cache: assembled.cache,
    })
    const ledger = ledgerOf(messages, [], turn.counter.count, () => '')
    const window = turn.contextWindow === undefined ? {} : { window: turn.contextWindow }
    const limits = { ...window, reserved: turn.reservedOutput }
    const usage = usageOf(ledger, limits, 'estimated', notCountedIn(messages))
    return `# profile ${name}, layout ${assembled.layout}\n\n${printRequest({ messages, trace: trace.map(textOf), ledger }, assembled, usage)}\n`
  })
  return `# ${golden.about}\n\n${printed.join('\n\n')}`
}

/** A changed request fails here; `npx vitest run src-main/context/golden -u` writes the new one. */
describe('golden requests', () => {
  const cases = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  it.each(cases.map((entry) => entry.name))('%s', async (name) => {
    const golden = goldenSchema.parse(JSON.parse(readFileSync(join(folder, name, 'turn.json'), 'utf8')))
    await expect(await requestOf(golden)).toMatchFileSnapshot(join(folder, name, 'request.txt'))
  })
})
