import { setTimeout as pause } from 'node:timers/promises'
import { actAtRandom } from './soak-calls.mjs'
import { checkMessages, checkValues, checkWire } from './soak-checks.mjs'
import { startLife } from './soak-host.mjs'
import { TOKEN } from './soak-model.mjs'
import { checkTyped, typeAtRandom } from './soak-windows.mjs'

const PEOPLE = ['ann', 'bob', 'cat']
const REST_LIMIT_MS = 60_000

/** What waits in the windows' chat: the draft, then the queue. */
async function waitingTexts(life, sessionId) {
  const draft = await life.call('drafts.get', { sessionId })
  const queue = await life.call('queue.list', { sessionId })
  return [draft.value, ...(queue.value ?? [])].flatMap((each) => (each ? [each.text] : []))
}

/** Stored messages, queue and draft of the windows' chat, by token and as texts: all of one moment. */
async function windowsChat(life, sessionId) {
  const kept = await waitingTexts(life, sessionId)
  const { value } = await life.call('sessions.get', { sessionId })
  // the next of the queue may have gone between two readings
  if (String(await waitingTexts(life, sessionId)) !== String(kept)) return windowsChat(life, sessionId)
  const sent = (value?.messages ?? []).filter(({ role }) => role === 'user').map(({ text }) => text)
  const stored = new Map()
  for (const token of sent.flatMap((text) => text.match(TOKEN) ?? [])) stored.set(token, (stored.get(token) ?? 0) + 1)
  return { texts: [...sent, ...kept], stored, waiting: kept.flatMap((text) => text.match(TOKEN) ?? []) }
}

/** Waits until no turn runs. */
async function atRest(life) {
  const limit = Date.now() + REST_LIMIT_MS
  for (;;) {
    const { ok, value } = await life.call('turns.running', {})
    if (ok && value.length === 0) return true
    if (Date.now() > limit) return false
    await pause(200)
  }
}

/** Starts the app and holds everything it shows against the truth. */
async function startAndCheck(soak) {
  const life = await startLife({ data: soak.disk.path, port: soak.port })
  const { truth, model, faults, killedAt } = soak
  // what a full disk did not take was kept in memory only: a kill loses it, and that is counted apart
  const losses = soak.killedFull ? soak.lossesOnFull : soak.losses
  await checkValues(life, truth, faults)
  await checkMessages({ life, truth, model, faults, killedAt, losses })
  return life
}

/** Starts everybody; `end.at` (ms) is when they stop, and may be moved. */
function actAll(soak, life, end) {
  const { truth, random, faults, counts, modelId, windows, sessionId } = soak
  const people = PEOPLE.map((who) => actAtRandom({ who, life, truth, random, faults, end, modelId, counts }))
  const pages = windows?.pages ?? []
  const typing =
    pages.length > 0 ? typeAtRandom({ pages, sessionId, truth, random, end, counts, numbers: soak.numbers }) : null
  return [Promise.all(people), typing]
}

/** A life that ends with a kill at a random moment, at times on a disk that filled up meanwhile. */
export async function killedLife(soak) {
  const { random, disk, counts, faults } = soak
  const life = await startAndCheck(soak)
  const last = random.between(150, 4000)
  const end = { at: Number.POSITIVE_INFINITY }
  const [people, typing] = actAll(soak, life, end)
  const fills = disk.isSmall && random.chance(0.25)
  await pause(fills ? last / 2 : last)
  if (fills) {
    disk.fill()
    counts.full += 1
    await pause(last / 2)
  }
  if (life.exited()) faults.push(`the app ended by itself: ${JSON.stringify(life.exited())} ${life.words()}`)
  soak.killedAt = Date.now()
  soak.killedFull = fills || disk.isFull()
  end.at = soak.killedAt
  await life.kill()
  counts.kills += 1
  await people
  await typing
  if (!fills) return
  // half of the time the app starts while the disk is still full: it has to open and read
  if (random.chance(0.5)) {
    counts.fullStarts += 1
    await startsOnFullDisk(soak)
  }
  disk.free()
}

async function startsOnFullDisk(soak) {
  try {
    const life = await startLife({ data: soak.disk.path, port: soak.port })
    const listed = await life.call('sessions.list', { limit: 5 })
    if (!listed.ok) soak.faults.push(`on a full disk sessions.list: ${listed.error.code} ${listed.error.message}`)
    await life.kill()
  } catch (error) {
    soak.faults.push(`on a full disk: ${error.message}`)
  }
}

/** A life without a kill: everything comes to rest and is checked, then the app is asked to end. */
export async function quietLife(soak) {
  const { random, truth, model, faults, counts, disk } = soak
  const life = await startAndCheck(soak)
  const lasts = random.between(1000, 4000)
  const [people, typing] = actAll(soak, life, { at: Date.now() + lasts })
  if (disk.isSmall && random.chance(0.3)) {
    await pause(lasts / 3)
    disk.fill()
    counts.full += 1
    await pause(lasts / 3)
    disk.free()
  }
  await people
  await typing
  if (!(await atRest(life))) faults.push(`turns still run after ${REST_LIMIT_MS / 1000} s`)
  await checkValues(life, truth, faults)
  await checkMessages({ life, truth, model, faults, losses: [], atRest: true })
  if (soak.sessionId) {
    // a window that lost the app in the middle of a message asks what became of it, and keeps its words as a draft
    await pause(3000)
    if (!(await atRest(life))) faults.push(`turns still run after ${REST_LIMIT_MS / 1000} s`)
    checkTyped({ truth, ...(await windowsChat(life, soak.sessionId)), faults, counts })
  }
  checkWire(truth, model, faults)
  const how = await life.stop()
  if (how?.code !== 0) faults.push(`asked to end, the app ended with ${JSON.stringify(how ?? 'nothing')}`)
  soak.killedAt = undefined
  counts.ends += 1
}
