import { mkdirSync } from 'node:fs'
import { migrations } from '../src-main/app-migrations'
import { indexWholeSession } from '../src-main/sessions/search/search-index'
import type { WriteDatabase } from '../src-main/storage/database'
import { openDatabase } from '../src-main/storage/open-database'
import { putRope } from '../src-main/turns/text-store'

export interface FolderSize {
  chats: number
  messages: number
  /** Messages of the first chat; the others share the rest. */
  longest: number
  memories: number
}

export const LARGE: FolderSize = { chats: 3000, messages: 200_000, longest: 20_000, memories: 20_000 }

const AT = '2026-11-30T12:00:00.000Z'
const WORDS = 'tide ferry harbour kestrel 潮汐 港务长 night table light fog 渡船 落差 code metres at the of a'.split(
  ' ',
)

/** The same words at each run. */
function sentences(): () => string {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  return () => Array.from({ length: 24 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
}

/** Fills a folder as the app would: chats as single branches, a turn and a record for every answer, memories. */
export async function buildLargeFolder(dataDir: string, size: FolderSize = LARGE): Promise<WriteDatabase> {
  mkdirSync(dataDir, { recursive: true })
  const { database } = await openDatabase({ dataDir, migrations, nowIso: () => AT })
  const text = sentences()
  const insertSession = database.prepare(
    `INSERT INTO session (id, title, title_source, temporary, topic_prompt, worldbook_ids, isolation, tool_choices,
       summarise, pinned, archived, created_at, updated_at, message_count, snippet)
     VALUES (?, ?, 'user', 0, '', '[]', 0, '{}', 1, 0, 0, ?, ?, ?, 'tide')`,
  )
  const insertMessage = database.prepare(
    `INSERT INTO message (id, session_id, parent_id, selected, role, text, parts, state, created_at, turn_id, has_attachments)
     VALUES (?, ?, ?, 1, ?, ?, '', 'complete', ?, ?, 0)`,
  )
  const insertTurn = database.prepare(
    "INSERT INTO turn (id, session_id, user_message_id, reply_message_id, trigger, model_id, seed, started_at, frozen) VALUES (?, ?, ?, ?, 'send', 'm', 1, ?, '{}')",
  )
  const insertRecord = database.prepare(
    `INSERT INTO turn_record (message_id, round, turn_id, session_id, sent_at, connection_id, model_id, ledger_root,
       body_root, sheet) VALUES (?, 1, ?, ?, ?, 'c', 'm', ?, ?, zeroblob(300))`,
  )
  const others = Math.floor((size.messages - size.longest) / (size.chats - 1))
  for (let chat = 0; chat < size.chats; chat += 1) {
    const id = `chat-${chat}`
    const count = chat === 0 ? size.longest : others
    const at = new Date(Date.parse(AT) - chat * 3_600_000).toISOString()
    database.transaction(() => {
      insertSession.run(id, `Chat ${chat}`, at, at, count)
      for (let index = 0; index < count; index += 1) {
        const own = `${id}-${index}`
        const isAnswer = index % 2 === 1
        const parent = index === 0 ? null : `${id}-${index - 1}`
        const said = text()
        insertMessage.run(own, id, parent, isAnswer ? 'assistant' : 'user', said, at, isAnswer ? `turn-${own}` : null)
        if (!isAnswer) continue
        insertTurn.run(`turn-${own}`, id, parent, own, at)
        const root = putRope(database, [{ text: said, sourceId: own }])
        insertRecord.run(own, `turn-${own}`, id, at, root, root)
      }
      indexWholeSession(database, id)
    })()
  }
  const insertMemory = database.prepare(
    `INSERT INTO memory (id, text, normal_hash, kind, source_kind, session_id, message_id, importance, confidence,
       entities, created_at, updated_at) VALUES (?, ?, ?, 'fact', 'manual', ?, ?, 0.5, 1, '[]', ?, ?)`,
  )
  database.transaction(() => {
    for (let index = 0; index < size.memories; index += 1) {
      insertMemory.run(`memory-${index}`, text(), `hash-${index}`, `chat-${index % size.chats}`, null, AT, AT)
    }
  })()
  return database
}
