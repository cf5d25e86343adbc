// Run by Node as it stands (scripts/seed.mjs), so everything imported here is a type.
import type { Calls } from '../app-contract'
import type { MemorySaveInput } from '../context/memory/contract'
import type { OutputOf, RawInputOf } from '../ipc/contract'
import type { Snippet } from '../sessions/composer-contract'
import type { Folder, Tag } from '../sessions/contract'
import type { WrittenItem } from '../transfer/strata-format'

/** Calls the app; throws with the error's message when a call fails. */
export type SeedCall = <Name extends keyof Calls>(
  name: Name,
  input: RawInputOf<Calls[Name]>,
) => Promise<OutputOf<Calls[Name]>>

interface DemoMessage {
  role: 'user' | 'assistant'
  text: string
  /** Another version of the message before it, hidden behind it. */
  version?: boolean
}

interface DemoSession {
  id: string
  title: string
  minutesAgo: number
  messages: DemoMessage[]
  folder?: string
  tags?: string[]
  prompt?: string
  topicPrompt?: string
  pinned?: boolean
  archived?: boolean
  isolation?: boolean
  /** Bound to the sample worldbook. */
  book?: boolean
}

/** `resources/seed/demo.json` */
export interface DemoContent {
  folders: Folder[]
  tags: Tag[]
  prompts: { id: string; name: string; text: string }[]
  defaultPromptId: string
  sessions: DemoSession[]
  memories: MemorySaveInput[]
  snippets: Omit<Snippet, 'id'>[]
}

export interface SeedOptions {
  call: SeedCall
  content: DemoContent
  /** Milliseconds since 1970; the chats lie before it. */
  now: number
  /** The sample book's file, when the worldbook room is to be filled too. */
  worldbook?: { fileName: string; dataBase64: string }
  /** Messages of the long chat; default 20,000, 0 = none. */
  longMessages?: number
  /** Further short chats, for long lists; default 0. */
  extraSessions?: number
}

export interface SeedReport {
  sessions: number
  messages: number
  prompts: number
  memories: number
  worldbookIds: string[]
  /** Ids of the chats that were there already. */
  existing: number
  longSessionId?: string
  /** Steps a room refused, with its words. */
  leftOut: string[]
}

export const LONG_SESSION_ID = 'demo-logbook'
const MINUTE = 60_000

/** Fills a data folder with the demo. Doing it twice changes nothing more. */
export async function seed(options: SeedOptions): Promise<SeedReport> {
  const { call, content, now } = options
  const sessions = [
    ...content.sessions,
    ...longSession(options.longMessages ?? 20_000),
    ...extras(options.extraSessions),
  ]
  const text = exportText(content, sessions, now)
  const dataBase64 = Buffer.from(text).toString('base64')
  const imported = await call('transfer.import', { fileName: 'demo.strata.json', dataBase64 })
  const report: SeedReport = {
    sessions: imported.sessions.imported,
    messages: imported.messages,
    prompts: imported.prompts,
    memories: 0,
    worldbookIds: [],
    existing: imported.sessions.existing,
    leftOut: [...imported.warnings],
    ...((options.longMessages ?? 20_000) > 0 ? { longSessionId: LONG_SESSION_ID } : {}),
  }
  const attempt = async (what: string, step: () => Promise<void>) => {
    try {
      await step()
    } catch (error) {
      report.leftOut.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await attempt('default prompt', async () => {
    await call('system-prompts.set-default', { id: content.defaultPromptId })
  })
  await attempt('snippets', () => addSnippets(call, content))
  await attempt('worldbook', async () => {
    if (options.worldbook) report.worldbookIds = await addBook(call, content, options.worldbook)
  })
  await attempt('memories', async () => {
    for (const memory of content.memories) {
      await call('memory.save', memory)
      report.memories += 1
    }
  })
  return report
}

async function addSnippets(call: SeedCall, content: DemoContent): Promise<void> {
  const known = new Set((await call('snippets.list', {})).map((snippet) => snippet.name))
  for (const snippet of content.snippets) if (!known.has(snippet.name)) await call('snippets.save', snippet)
}

async function addBook(
  call: SeedCall,
  content: DemoContent,
  file: { fileName: string; dataBase64: string },
): Promise<string[]> {
  const { worldbookIds } = await call('worldbook.import', { ...file, onCollision: 'update' })
  for (const session of content.sessions) {
    if (session.book) await call('sessions.update', { sessionId: session.id, patch: { worldbookIds } })
  }
  return worldbookIds
}

/** The demo in the form of the app's own export: the one way in that carries answers too. */
function exportText(content: DemoContent, sessions: readonly DemoSession[], now: number): string {
  const at = new Date(now).toISOString()
  const items: WrittenItem[] = [
    ...content.folders.map((folder) => ({ type: 'folder' as const, ...folder })),
    ...content.tags.map((tag) => ({ type: 'tag' as const, ...tag })),
    ...content.prompts.map((prompt) => ({ type: 'prompt' as const, ...prompt, createdAt: at, updatedAt: at })),
    ...sessions.flatMap((session) => sessionItems(session, now)),
  ]
  const lines = items.map((item) => JSON.stringify(item)).join(',\n')
  return `{"format":"strata","version":1,"exportedAt":"${at}","items":[\n${lines}\n]}\n`
}

function sessionItems(session: DemoSession, now: number): WrittenItem[] {
  const end = now - session.minutesAgo * MINUTE
  const timeOf = (index: number) => new Date(end - (session.messages.length - 1 - index) * 2 * MINUTE).toISOString()
  const items: WrittenItem[] = [
    {
      type: 'session',
      id: session.id,
      title: session.title,
      titleSource: 'user',
      folderId: session.folder ?? null,
      tagIds: session.tags ?? [],
      globalPromptId: session.prompt ?? null,
      topicPrompt: session.topicPrompt ?? '',
      isolation: session.isolation ?? false,
      pinned: session.pinned ?? false,
      archived: session.archived ?? false,
      createdAt: timeOf(0),
      updatedAt: timeOf(session.messages.length - 1),
    },
  ]
  let above: string | null = null
  let beside: string | null = null
  for (const [index, message] of session.messages.entries()) {
    const id = `${session.id}-${index + 1}`
    const parentId: string | null = message.version ? beside : above
    items.push({
      type: 'message',
      id,
      parentId,
      selected: !message.version,
      role: message.role,
      text: message.text,
      createdAt: timeOf(index),
    })
    if (message.version) continue
    beside = above
    above = id
  }
  return items
}

const WINDS = ['north-west, light', 'south, fresh', 'calm', 'east, backing north', '西南，三级', '北，渐强'] as const
const SIGHTS = [
  'The Kestrel passed the bar with a hand of water to spare.',
  '两条渔船在鲸背外下锚，没有回话。',
  'Fog from four until six; the signal was sounded by hand.',
  '港务长上塔看了一次灯，没有说话。',
  'Forty-one crates on the old quay, and nobody beside them.',
  '灯正常。十二秒，两闪。',
  'A seal on the Whaleback at low water, asleep.',
] as const

const pick = (words: readonly string[], number: number): string => words[number % words.length] ?? ''

/** The keeper's logbook: as long as a chat gets, and every entry a little different. */
function longSession(messages: number): DemoSession[] {
  if (messages <= 0) return []
  const entry = (index: number): DemoMessage => {
    const night = Math.floor(index / 2) + 1
    if (index % 2 === 0) return { role: 'user', text: `Night ${night}: wind ${pick(WINDS, night * 5)}. 请记一条。` }
    const depth = (2.5 + 1.5 * Math.cos((night * 2 * Math.PI) / 14.77)).toFixed(1)
    const more = night % 25 === 0 ? `\n\n| time | depth |\n|---|---|\n| 22:40 | ${depth} m |\n| 23:05 | 1.7 m |` : ''
    return { role: 'assistant', text: `**No. ${night}.** ${pick(SIGHTS, night * 3)} 水深 ${depth} m。${more}` }
  }
  return [
    {
      id: LONG_SESSION_ID,
      title: '守塔日志 The keeper’s logbook',
      minutesAgo: 400,
      folder: 'demo-folder-fogharbour',
      tags: ['demo-tag-novel'],
      messages: Array.from({ length: messages }, (_, index) => entry(index)),
    },
  ]
}

function extras(count = 0): DemoSession[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `demo-extra-${index + 1}`,
    title: `Watch ${index + 1} · ${pick(WINDS, index)}`,
    minutesAgo: 10_000 + index * 90,
    messages: [
      { role: 'user', text: `What was seen on watch ${index + 1}?` },
      { role: 'assistant', text: pick(SIGHTS, index * 3 + 1) },
    ],
  }))
}
