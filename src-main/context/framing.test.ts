import { afterEach, expect, test } from 'vitest'
import { runningApp, type TestApp } from '../testing/running-app'
import { TEMPLATE_DEFAULTS } from './templates-contract'

let app: TestApp | undefined
afterEach(() => app?.close())

test('every layer that others may have written says in its own tag what it is', async () => {
  app = await runningApp()
  await app.call('connections.save', { name: 'Dry run', kind: 'dry-run' })
  await app.call('settings.update', { patch: { general: { promptLanguage: 'en' }, memory: { topK: 0 } } })
  await app.call('memory.save', { text: 'Keeps two otters.' })
  await app.call('user-profile.save', { overview: 'Writes about harbours.' })
  const other = await app.call('sessions.create', { title: 'Ferry' })
  await app.call('recent-conversations.save', { sessionId: other.id, text: 'The ferry grounds at noon.' })
  const { ledger } = await app.call('turns.preview', { sessionId: null, draft: 'Hello' })
  const text = ledger.map((span) => span.text).join('')
  for (const tag of ['memory', 'recent_conversation_memory', 'user_profile_memory'] as const) {
    expect(text).toContain(`<${tag}>\n${TEMPLATE_DEFAULTS.en[tag]}\n`)
  }
})
