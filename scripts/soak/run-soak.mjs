import { join } from 'node:path'
import Database from 'better-sqlite3'
import { say } from '../bootstrap/run-program.mjs'
import { randomOf } from './random.mjs'
import { dataDisk } from './soak-disk.mjs'
import { freePort, startLife } from './soak-host.mjs'
import { killedLife, quietLife } from './soak-lives.mjs'
import { startModel } from './soak-model.mjs'
import { createTruth } from './soak-truth.mjs'
import { openWindows } from './soak-windows.mjs'

const WINDOWS_CHAT = 'Two windows'

/** The first life: connects the model, makes the chat that both windows show, and opens them. */
async function begin(soak, chromium) {
  const life = await startLife({ data: soak.disk.path, port: soak.port })
  const value = async (name, input) => {
    const reply = await life.call(name, input)
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`)
    return reply.value
  }
  const connection = await value('connections.save', {
    name: 'Soak',
    kind: 'openai-compatible',
    baseUrl: soak.model.url,
  })
  soak.modelId = `${connection.id}/soak`
  await value('settings.update', {
    // background calls would send the messages once more
    patch: {
      recentConversations: { enabled: false },
      userProfile: { enabled: false },
      general: { firstRunDone: true, language: 'en', defaultModelId: soak.modelId, titleFromModel: false },
    },
  })
  if (chromium) {
    const chat = await value('sessions.create', { title: WINDOWS_CHAT, modelId: soak.modelId })
    soak.sessionId = chat.id
    soak.windows = await openWindows({ chromium, life, title: WINDOWS_CHAT })
  }
  await life.stop()
}

function checkDatabase(path, faults) {
  const database = new Database(join(path, 'strata.sqlite'), { readonly: true })
  const answer = database.pragma('integrity_check', { simple: true })
  if (answer !== 'ok') faults.push(`integrity_check: ${answer}`)
  const broken = database.pragma('foreign_key_check')
  if (broken.length > 0) faults.push(`foreign_key_check: ${broken.length} rows`)
  database.close()
}

const worst = (list) => (list.length > 0 ? Math.max(...list) : 0)

function report(soak, options, seconds) {
  const { counts, losses, lossesOnFull, faults, truth, model } = soak
  const late = losses.filter((ms) => ms > 500)
  if (late.length > 0) faults.push(`${late.length} answers lost more than 500 ms (worst ${worst(late)} ms)`)
  say(`seed ${options.seed}, ${seconds} s, disk ${soak.disk.isSmall ? `${options.disk} MB` : 'not limited'}`)
  say(
    `kills ${counts.kills}, ordered ends ${counts.ends}, disk filled ${counts.full} times, starts on it ${counts.fullStarts}`,
  )
  say(
    `calls ${counts.calls}, refused ${counts.refused}, typed in two windows ${counts.typed} (cut in two ${counts.cut})`,
  )
  say(`values checked ${truth.values.size}, messages ${truth.messages.size}, asked of the model ${model.asked.size}`)
  say(
    `answers cut by a kill ${losses.length}, most text lost ${worst(losses)} ms; on a full disk ${lossesOnFull.length}, ${worst(lossesOnFull)} ms`,
  )
  for (const fault of [...new Set(faults)].slice(0, 40)) say(`FAULT ${fault}`)
  say(`${faults.length} faults`)
}

/** Runs until that many kills happened; resolves with what was wrong. */
export async function runSoak(options) {
  const random = randomOf(options.seed)
  const began = Date.now()
  const soak = {
    random,
    disk: dataDisk(options.disk),
    port: await freePort(),
    model: await startModel(random),
    truth: createTruth(),
    faults: [],
    losses: [],
    lossesOnFull: [],
    counts: { calls: 0, refused: 0, kills: 0, ends: 0, full: 0, fullStarts: 0, typed: 0, cut: 0 },
    numbers: { next: 1 },
  }
  try {
    await begin(soak, options.chromium)
    while (soak.counts.kills < options.kills) {
      if (random.chance(0.2)) await quietLife(soak)
      else await killedLife(soak)
      if (soak.counts.kills % 20 === 0) say(`  … ${soak.counts.kills} kills, ${soak.faults.length} faults`)
    }
    await quietLife(soak)
    checkDatabase(soak.disk.path, soak.faults)
  } catch (error) {
    soak.faults.push(error.stack ?? String(error))
  }
  report(soak, options, Math.round((Date.now() - began) / 1000))
  await soak.windows?.browser.close()
  soak.model.close()
  soak.disk.remove()
  return soak.faults
}
