// Run by context/memory/crash.test.ts as a process of its own, to be killed in mid-write: saves, edits and deletes until
// then, or builds the space of another embedder.

import { memoryMigrations } from '../context/memory/migrations'
import { openDatabase } from '../storage/open-database'
import { fakeEmbedder, testRoom } from './memory-room-rig'

const [folder = '', start = '0', rebuild] = process.argv.slice(2)
const { database } = await openDatabase({
  dataDir: folder,
  migrations: memoryMigrations,
  nowIso: () => '2026-11-30T12:00:00.000Z',
})
let last = Number(start)
let embedder = fakeEmbedder('letters', 16)
const { room } = testRoom(folder, {
  database,
  embedder: () => embedder,
  ids: () => {
    last += 1
    return `m-${last}`
  },
})
await room.start()
process.stdout.write('ready\n')
if (rebuild !== undefined) await buildAnother()
const alive: string[] = []
for (let round = 0; ; round += 1) {
  const memory = room.save({ text: `Fact ${last} about the cello and ${round}` })
  alive.push(memory.id)
  // Said only after the commit: what the parent has read must be there after the kill.
  process.stdout.write(`saved ${memory.id}\n`)
  const old = alive[alive.length - 4]
  if (round % 3 === 1 && old !== undefined) room.save({ id: old, text: `Changed fact ${old} in round ${round}` })
  if (round % 5 === 4 && old !== undefined) {
    await room.handlers['memory.remove']({ ids: [old] })
    alive.splice(alive.indexOf(old), 1)
    process.stdout.write(`removed ${old}\n`)
  }
  if (round % 7 === 6) await room.handlers['memory.archive']({ ids: [memory.id], archived: true })
  if (round % 4 === 3) await room.idle()
}

/** Told text by text, so that the parent can choose its moment. Never returns. */
async function buildAnother(): Promise<never> {
  for (let at = 0; at < 60; at += 1) room.save({ text: `Fact ${at} about the cello` })
  await room.idle()
  const next = fakeEmbedder('other letters', 32)
  const embed = next.embed.bind(next)
  next.embed = async (texts, options) => {
    const readings = await embed(texts, options)
    for (const text of texts) process.stdout.write(`saved ${text.replaceAll(' ', '_')}\n`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    return readings
  }
  embedder = next
  room.settingsChanged()
  return new Promise(() => setInterval(() => undefined, 1_000))
}
