import { afterEach, expect, test } from 'vitest'
import { type ToolRig, toolRig } from '../testing/tool-rig'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let rig: ToolRig | undefined
afterEach(() => rig?.close())

const addPixel = ({ app }: ToolRig) =>
  app.call('attachments.add', { name: 'chart.png', mediaType: 'image/png', dataBase64: PIXEL })

test('an image for a model that reads none is refused in words, and nothing is stored or sent', async () => {
  rig = await toolRig()
  const { app } = rig
  const session = await app.call('sessions.create', {})
  const { id } = await addPixel(rig)
  const send = app.call('turns.send', { sessionId: session.id, text: 'What is this?', attachments: [id] })
  await expect(send).rejects.toThrow(/not known to read images.*"chart.png"/)
  expect((await app.call('sessions.get', { sessionId: session.id })).messages).toEqual([])
})
