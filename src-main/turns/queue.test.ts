import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../e2e/support/model-server'
import type { MessagePart } from '../sessions/contract'
import { runningApp, type TestApp } from '../testing/running-app'

let server: ModelServer
let app: TestApp
let sessionId: string
/** On a busy machine; nothing here is timed. */
const PATIENT = { timeout: 15_000 }

beforeEach(async () => {
  server = await startModelServer()
  app = await runningApp()
  const { id } = await app.call('connections.save', {
    name: 'Scripted',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
  })
  const [model] = await app.call('models.refresh', { connectionId: id })
  await app.call('settings.update', {
    patch: {
      general: { defaultModelId: model?.id ?? null, titleFromModel: false },
      recentConversations: { enabled: false },
      context: { sendTime: false },
    },
  })
  sessionId = (await app.call('sessions.create', {})).id
})
afterEach(async () => {
  await app.close()
  await server.close()
})

/** The newest message of every request as it left, without what the layers put before it. */
const asked = () =>
  server.requests.map(({ body }) => {
    const { content } = (body as { messages: { content: string }[] }).messages.at(-1) ?? { content: '' }
    return content.split('</system-reminder>').at(-1)?.trim()
  })
const add = (text: string, more: object = {}) => app.call('queue.add', { sessionId, text, ...more })
const waiting = async () => (await app.call('queue.list', { sessionId })).map(({ text }) => text)
const idle = () => expect.poll(async () => (await app.call('turns.running', {})).length, PATIENT).toBe(0)

/** A chat in which an answer is being written until `server.release()`. */
async function busyChat(): Promise<string> {
  server.answer({ text: 'Still writing this answer.', holdAfter: 2 })
  const { turnId } = await app.call('turns.send', { sessionId, text: 'first' })
  await app.event('turn.delta', (delta) => delta.turnId === turnId)
  return turnId
}

describe('what waits', () => {
  test('goes out one by one in its order, each once, when an answer has ended well', async () => {
    await busyChat()
    await add('second')
    const dropped = await add('dropped')
    const last = await add('last')
    const third = await add('thrid')
    await app.call('queue.change', { id: third.id, text: 'third' })
    await app.call('queue.move', { id: third.id, before: last.id })
    await app.call('queue.remove', { id: dropped.id })
    expect(await waiting()).toEqual(['second', 'third', 'last'])
    server.release()
    await expect.poll(() => asked().length, PATIENT).toBe(4)
    await idle()
    expect(asked()).toEqual(['first', 'second', 'third', 'last'])
    expect(await waiting()).toEqual([])
    await expect(app.call('queue.send', { id: third.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('may be changed while the one before it is being sent', async () => {
    await busyChat()
    await add('second')
    const third = await add('third')
    server.answer({ text: 'Answer to the second.', holdAfter: 1 })
    server.release()
    await expect.poll(() => asked().length, PATIENT).toBe(2)
    await app.call('queue.change', { id: third.id, text: 'third, changed' })
    await add('fourth')
    expect(await waiting()).toEqual(['third, changed', 'fourth'])
    server.release()
    await expect.poll(() => asked().length, PATIENT).toBe(4)
    expect(asked().slice(2)).toEqual(['third, changed', 'fourth'])
  })

  test('stays after a stop and after a failure, until somebody sends one', async () => {
    const turnId = await busyChat()
    const second = await add('second')
    await add('third')
    await app.call('turns.stop', { turnId })
    await idle()
    expect(await waiting()).toEqual(['second', 'third'])
    server.answer({ error: { status: 400, message: 'No.' } })
    const { turnId: refused } = await app.call('queue.send', { id: second.id })
    await app.event('turn.failed', (payload) => payload.turnId === refused)
    expect(await waiting()).toEqual(['third'])
    const [third] = await app.call('queue.list', { sessionId })
    await app.call('queue.send', { id: third?.id ?? '' })
    await idle()
    // the second one was never answered, so the third leaves together with it
    expect(asked()).toEqual(['first', expect.stringContaining('second'), expect.stringMatching(/second\s+third$/)])
  })

  test('that cannot be sent waits with the reason, holds up what stands behind it, and no more', async () => {
    await busyChat()
    await add(`far too long ${'word '.repeat(60_000)}`)
    await add('behind it')
    server.release()
    await idle()
    await expect
      .poll(async () => (await app.call('queue.list', { sessionId }))[0]?.held?.message, PATIENT)
      .toMatch(/does not fit/)
    expect(asked()).toEqual(['first'])
    const [long] = await app.call('queue.list', { sessionId })
    const changed = await app.call('queue.change', { id: long?.id ?? '', text: 'short now' })
    expect(changed.held).toBeUndefined()
    await app.call('queue.send', { id: changed.id })
    await expect.poll(() => asked().length, PATIENT).toBe(3)
    expect(asked().slice(1)).toEqual(['short now', 'behind it'])
  })

  test('survives a restart, and nothing of it goes out by itself then', async () => {
    const turnId = await busyChat()
    await add('second')
    await app.call('turns.stop', { turnId })
    app = await app.restart()
    expect(await waiting()).toEqual(['second'])
    await add('third')
    await idle()
    expect(asked()).toEqual(['first'])
  })

  test('carries its files, and comes back into the field before what was typed since', async () => {
    const turnId = await busyChat()
    const file = await app.call('attachments.add', {
      name: 'tide.txt',
      mediaType: 'text/plain',
      dataBase64: Buffer.from('low at noon').toString('base64'),
      sessionId,
    })
    await app.call('drafts.save', { sessionId, text: 'see the file and more', attachments: [file.id] })
    const queued = await add('see the file', { attachments: [file.id], fromDraft: true })
    expect(await app.call('drafts.get', { sessionId })).toMatchObject({ text: ' and more', attachments: [] })
    await app.call('turns.stop', { turnId })
    app = await app.restart()
    expect((await app.call('queue.list', { sessionId }))[0]?.attachments).toEqual([file])
    await app.call('queue.take', { id: queued.id })
    const draft = await app.call('drafts.get', { sessionId })
    expect(draft).toMatchObject({ text: 'see the file\n and more', attachments: [file], queue: [] })
    await app.call('turns.send', { sessionId, text: draft.text, attachments: [file.id], fromDraft: true })
    await idle()
    expect(asked().at(-1)).toContain('low at noon')
    expect(await app.call('drafts.get', { sessionId })).toMatchObject({ text: '', attachments: [] })
  })

  test('alone, added when the answer has just ended, goes out at once', async () => {
    await busyChat()
    server.release()
    await idle()
    await add('a moment late')
    await expect.poll(() => asked().length, PATIENT).toBe(2)
  })
})

test('a draft saved on what is no longer there is refused, and the newer one stays', async () => {
  const { revision } = await app.call('drafts.save', { sessionId, text: 'one' })
  await app.call('drafts.save', { sessionId, text: 'one and two', revision })
  await expect(app.call('drafts.save', { sessionId, text: 'one or three', revision })).rejects.toMatchObject({
    code: 'conflict',
    details: { revision: revision + 1 },
  })
  expect((await app.call('drafts.get', { sessionId })).text).toBe('one and two')
  await app.event('drafts.changed', (change) => change.ids[0] === sessionId && change.revision === revision + 1)
})

test('a running answer is read whole at any moment: what comes after it adds up, once', async () => {
  const pieces = Array.from({ length: 60 }, (_, index) => `${index} `)
  server.answer({ text: pieces.join(''), pauseMs: 4 })
  const { turnId } = await app.call('turns.send', { sessionId, text: 'count' })
  for (const wait of [0, 7, 13, 40]) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const [running] = await app.call('turns.running', {})
    const told = app.events.flatMap(({ name, payload }) =>
      name === 'turn.delta' && (payload as { turnId: string }).turnId === turnId
        ? [payload as { text: string; seq: number }]
        : [],
    )
    const before = told.filter(({ seq }) => seq <= (running?.seq ?? 0))
    expect(before.map(({ text }) => text).join('')).toBe(running?.text)
    const textOf = (parts: readonly MessagePart[] = []) =>
      parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    expect(textOf(running?.parts)).toBe(running?.text)
  }
  await app.event('turn.done', (payload) => payload.turnId === turnId)
})

test('nothing of a temporary chat reaches the folder, also when the caller does not say that it is one', async () => {
  const secret = 'QUIET-CANARY-5417'
  const { id } = await app.call('sessions.create', { temporary: true })
  const file = await app.call('attachments.add', {
    name: 'secret.txt',
    mediaType: 'text/plain',
    dataBase64: Buffer.from(`${secret} file`).toString('base64'),
    sessionId: id,
  })
  await app.call('drafts.save', { sessionId: id, text: `${secret} draft`, attachments: [file.id] })
  server.answer({ text: `${secret} answer`, holdAfter: 1 })
  await app.call('turns.send', { sessionId: id, text: `${secret} question`, attachments: [file.id] })
  await app.call('queue.add', { sessionId: id, text: `${secret} waits` })
  const [running] = await app.call('turns.running', {})
  await app.call('sessions.remove', { sessionIds: [id] })
  await expect
    .poll(
      async () => {
        // the request may still be on its way to the server
        server.release()
        return (await app.call('turns.running', {})).length
      },
      { timeout: 15_000 },
    )
    .toBe(0)
  await app.call('turns.stop', { turnId: running?.turnId ?? '' })
  for (const [name, input] of [
    ['drafts.save', { sessionId: id, text: secret }],
    ['queue.add', { sessionId: id, text: secret }],
    ['attachments.add', { name: 'a', mediaType: 'text/plain', dataBase64: 'YQ==', sessionId: id }],
  ] as const) {
    expect(await app.app.call(name, input)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  }
  const files = readdirSync(app.dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(app.dataDir, name))
  const holding = files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(secret))
  expect(holding).toEqual([])
})

test('words that went out from one window do not go out again with what another one wrote behind them', async () => {
  await app.call('drafts.save', { sessionId, text: 'When is low water?' })
  const base = 'When is low water?'
  // both windows show the words; one sends them, the other has not heard of it yet
  await app.call('turns.send', { sessionId, text: base, fromDraft: { base, rest: '' } })
  await idle()
  const late = { sessionId, text: `${base} And high water?`, fromDraft: { base, rest: '' } }
  for (const name of ['turns.send', 'queue.add', 'messages.append'] as const) {
    await expect(app.call(name, late)).rejects.toMatchObject({ code: 'conflict' })
  }
  expect(asked()).toEqual([base])
  expect(await waiting()).toEqual([])
  // what was added behind the words meanwhile stays, and so does what was typed after Enter
  await app.call('drafts.save', { sessionId, text: 'One.\nTwo, of another window' })
  await app.call('turns.send', { sessionId, text: 'One. Mine', fromDraft: { base: 'One.', rest: '' } })
  expect((await app.call('drafts.get', { sessionId })).text).toBe('Two, of another window')
  await idle()
  // its window never heard that this was saved
  const saveId = 'save-0003'
  await app.call('drafts.save', { sessionId, text: 'Three', saveId })
  await app.call('turns.send', {
    sessionId,
    text: 'Three and four',
    fromDraft: { base: '', tried: [{ id: saveId, text: 'Three' }], rest: 'five' },
  })
  expect(await app.call('drafts.get', { sessionId })).toMatchObject({ text: 'five', saves: [saveId] })
  await idle()
  // saved, not heard of, and sent from elsewhere: gone is not the same as never saved
  await app.call('drafts.save', { sessionId, text: 'Six', saveId: 'save-0006' })
  await app.call('turns.send', { sessionId, text: 'Six', fromDraft: { base: 'Six', rest: '' } })
  await idle()
  const unaware = { base: '', tried: [{ id: 'save-0006', text: 'Six' }], rest: '' }
  await expect(app.call('turns.send', { sessionId, text: 'Six and seven', fromDraft: unaware })).rejects.toMatchObject({
    code: 'conflict',
  })
})
