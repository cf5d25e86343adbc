// Run by tools/crash.test.ts as a process of its own, to be killed in mid-turn: the app over a folder, calls by message.

import { runningApp } from './running-app'

const [folder = ''] = process.argv.slice(2)
const { app } = await runningApp(folder)
app.subscribe((event) => process.send?.({ event }))
process.on('message', async (message: { id: number; name: string; input: unknown }) => {
  process.send?.({ id: message.id, reply: await app.call(message.name, message.input) })
})
process.send?.({ ready: true })
