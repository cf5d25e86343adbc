import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runningApp } from '../testing/running-app'
import { type DemoContent, LONG_SESSION_ID, seed } from './seed'

const RESOURCES = join(import.meta.dirname, '../../resources')
const content = JSON.parse(readFileSync(join(RESOURCES, 'seed/demo.json'), 'utf8')) as DemoContent

it('fills a fresh folder through the calls, and a second time changes nothing', async () => {
  const app = await runningApp()
  onTestFinished(() => app.close())
  const options = {
    call: app.call,
    content,
    now: Date.parse('2026-11-30T12:00:00Z'),
    longMessages: 300,
    extraSessions: 5,
  }
  const report = await seed(options)
  expect(report).toMatchObject({
    sessions: content.sessions.length + 6,
    prompts: 3,
    existing: 0,
    longSessionId: LONG_SESSION_ID,
  })
  const { sessions } = await app.call('sessions.list', { view: 'all' })
  expect(sessions).toHaveLength(content.sessions.length + 6)
  expect(sessions.filter((session) => session.pinned).map((session) => session.title)).toContain('第三幕 · 渡船搁浅')
  const long = await app.call('sessions.get', { sessionId: LONG_SESSION_ID, limit: 10 })
  expect(long).toMatchObject({ total: 300, hasMore: true })
  const act = await app.call('sessions.get', { sessionId: 'demo-act-three' })
  expect(act.messages.find((message) => message.siblings.length > 1)?.text).toContain('雨把潮位牌')
  expect(act.session.globalPromptId).toBe('demo-prompt-harbour-editor')
  expect((await app.call('sessions.search', { query: '停航' })).total).toBeGreaterThan(0)
  const again = await seed(options)
  expect(again).toMatchObject({ sessions: 0, existing: report.sessions })
  expect(await app.call('snippets.list', {})).toHaveLength(content.snippets.length)
})
