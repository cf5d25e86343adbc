import { expect, it } from 'vitest'
import { sessionMigrations } from '../src-main/sessions/migrations'
import { compactIndex } from '../src-main/sessions/search/search-index'
import { createSessionStore } from '../src-main/sessions/session-store'
import { memoryDatabase } from '../src-main/testing/memory-database'

const MESSAGES = 100_000
const SESSIONS = 600
const QUERIES = [
  '的',
  '港务长',
  '潮汐',
  '潮',
  'ferry',
  'the',
  'kestrel draws',
  'f',
  'tide table 22:40',
  'sessionStore',
  '没有这个词',
  'zzzz',
]

/** Words drawn with falling frequency, as in real text. Seeded: the same corpus each time. */
function corpus(): () => string {
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const latin =
    'the a of ferry tide harbour kestrel draws metres at night table light fog sessionStore code 22:40 low'.split(' ')
  const chinese = [...'的潮汐港务长渡船雾沙洲灯塔满水位低落差小时夜晚船员不说请在了是我有他这来']
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(items.length * random() ** 2)]
  return () =>
    random() < 0.5
      ? Array.from({ length: 60 }, () => `${pick(latin)}${random() < 0.3 ? Math.floor(random() * 5000) : ''}`).join(' ')
      : Array.from({ length: 150 }, () => pick(chinese)).join('')
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

it('search over 100,000 messages, and opening a chat of 20,000', async () => {
  const database = memoryDatabase(sessionMigrations)
  let last = 0
  const ids = () => {
    last += 1
    return `m${last}`
  }
  const store = createSessionStore({ database, dataDir: '/nowhere', ids, now: Date.now, emit: () => {} })
  const text = corpus()
  const built = performance.now()
  const longest = 's0'
  const createdAt = new Date().toISOString()
  for (let index = 0; index < SESSIONS; index += 1) {
    const sessionId = `s${index}`
    const size = index === 0 ? 20_000 : Math.ceil((MESSAGES - 20_000) / (SESSIONS - 1))
    const messages = Array.from({ length: size }, (_, n) => ({
      id: `${sessionId}-${n}`,
      sessionId,
      parentId: n > 0 ? `${sessionId}-${n - 1}` : null,
      role: n % 2 ? ('assistant' as const) : ('user' as const),
      text: text(),
      createdAt,
      selected: true,
    }))
    await store.importSession({
      session: { id: sessionId, title: `Chat ${index} ${text().slice(0, 20)}`, createdAt },
      messages,
    })
  }
  await store.cleaned()
  const seconds = ((performance.now() - built) / 1000).toFixed(1)
  process.stdout.write(`built ${MESSAGES} messages in ${seconds} s\n`)
  const all: number[] = []
  for (const query of QUERIES) {
    const times: number[] = []
    let total = 0
    for (let run = 0; run < 20; run += 1) {
      const start = performance.now()
      total = store.search({ query, limit: 50 }).total
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    all.push(...times)
    process.stdout.write(
      `${query.padEnd(20)} ${String(total).padStart(7)} hits  p50 ${quantile(times, 0.5).toFixed(1)} ms  p95 ${quantile(times, 0.95).toFixed(1)} ms\n`,
    )
  }
  all.sort((a, b) => a - b)
  process.stdout.write(
    `all queries: p50 ${quantile(all, 0.5).toFixed(1)} ms, p95 ${quantile(all, 0.95).toFixed(1)} ms\n`,
  )
  const measure = (name: string, act: () => unknown) => {
    const start = performance.now()
    act()
    process.stdout.write(`${name}: ${(performance.now() - start).toFixed(1)} ms\n`)
  }
  measure('page of 200 in a 20,000-message chat, cold', () => store.branchPage(longest, { limit: 200 }))
  measure('branch of 20,000, cold', () => store.branchOf(longest))
  measure('branch of 20,000, warm', () => expect(store.branchOf(longest)).toHaveLength(20_000))
  const leaf = store.leafOf(longest)?.id ?? null
  measure('append one, then the branch', () => {
    store.insertMessage({ sessionId: longest, role: 'user', text: 'one more', parentId: leaf })
    store.branchOf(longest)
  })
  measure('list of 200 sessions', () => store.listSessions({}))
  const other = store.listSessions({}).sessions.at(-1)?.id ?? ''
  measure('purge one chat', () => store.purge([other]))
  let longestStep = 0
  let at = performance.now()
  for (const _step of compactIndex(database)) {
    longestStep = Math.max(longestStep, performance.now() - at)
    at = performance.now()
  }
  process.stdout.write(`longest step of compacting the index: ${longestStep.toFixed(1)} ms\n`)
}, 600_000)
