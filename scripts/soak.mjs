// npm run soak [-- --kills 40] [--seed N] [--disk 256] [--no-windows]: the built app under random calls, kills, a disk
// that fills up, and two windows. Everything that was acknowledged must be there afterwards, once. Ends with 1 when a
// fault was found; the seed it prints makes the same choices again.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfNeeded } from './bootstrap/app-build.mjs'
import { findChromium } from './bootstrap/find-chromium.mjs'
import { installPackages } from './bootstrap/npm-packages.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { runProgram, say } from './bootstrap/run-program.mjs'

const SELF = join(ROOT, 'scripts/soak.mjs')

function readOptions() {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      disk: { type: 'string', default: '256' },
      'no-windows': { type: 'boolean', default: false },
    },
  })
  const whole = (name) => {
    const number = Number(values[name])
    if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} takes a whole number, not ${values[name]}.`)
    return number
  }
  return { kills: whole('kills'), seed: whole('seed'), disk: whole('disk'), windows: !values['no-windows'] }
}

async function soak(options) {
  const { runSoak } = await import('./soak/run-soak.mjs')
  const chromium = options.windows ? await findChromium() : undefined
  const faults = await runSoak({ ...options, chromium })
  process.exitCode = faults.length > 0 ? 1 : 0
}

try {
  if (process.env.STRATA_SOAK_INSIDE) await soak(readOptions())
  else {
    readOptions()
    await installPackages()
    await buildIfNeeded()
    process.exitCode = await runProgram(projectNode(), [SELF, ...process.argv.slice(2)], {
      env: { STRATA_SOAK_INSIDE: '1' },
    })
  }
} catch (error) {
  say(error.stack ?? String(error))
  process.exitCode = 1
}
