import { expect, it } from 'vitest'
import { migrate } from '../storage/open-database'
import { memoryDatabase } from '../testing/memory-database'
import { addPiece } from './answer-pieces'
import { readMessages } from './message-rows'
import { sessionMigrations } from './migrations'

const upTo = (name: string) => sessionMigrations.slice(0, sessionMigrations.findIndex((m) => m.name === name) + 1)
const after = (name: string) => sessionMigrations.slice(upTo(name).length)

const SESSION = `INSERT INTO session (id, title, title_source, temporary, topic_prompt, worldbook_ids, isolation, tool_choices,
  summarise, pinned, archived, created_at, updated_at, message_count, snippet)
  VALUES ('s', 't', 'user', 0, '', '[]', 0, '{}', 1, 0, 0, '2026', '2026', 0, '')`

it('later migrations leave the rows of the first ones as they are', () => {
  const database = memoryDatabase(upTo('sessions/001-tables'))
  database.exec(SESSION)
  database.exec("INSERT INTO tag VALUES ('x', 'n', '#000000'); INSERT INTO session_tag VALUES ('s', 'x')")
  migrate(database, after('sessions/001-tables').slice(0, 1), () => 'now')
  database.exec(`INSERT INTO message (id, session_id, selected, role, text, parts, state, created_at, has_attachments)
    VALUES ('m', 's', 1, 'user', 'old words', '', 'complete', '2026', 0)`)
  migrate(database, after('sessions/002-messages'), () => 'now')
  expect(database.prepare('SELECT id, title, unread FROM session').all()).toEqual([{ id: 's', title: 't', unread: 0 }])
  expect(database.prepare('SELECT text FROM message').all()).toEqual([{ text: 'old words' }])
  expect(database.prepare("SELECT count(*) AS n FROM message_index WHERE message_index MATCH 'old'").get()).toEqual({
    n: 1,
  })
})

it('deleting a session takes messages, links, draft and index with it', () => {
  const database = memoryDatabase(sessionMigrations)
  database.exec(SESSION)
  database.exec(`
    INSERT INTO tag VALUES ('x', 'n', '#000000'); INSERT INTO session_tag VALUES ('s', 'x');
    INSERT INTO message (id, session_id, selected, role, text, parts, state, created_at, has_attachments)
      VALUES ('m', 's', 1, 'user', 'words', '', 'complete', '2026', 0);
    INSERT INTO message_blob VALUES ('m', 'hash');
    INSERT INTO message_index (rowid, tokens) VALUES (1, 'words');
    INSERT INTO session_index (rowid, tokens) VALUES (4, 'title');
    INSERT INTO draft VALUES ('s', 'half', '[]', '[]'); INSERT INTO draft_revision VALUES ('s', 4, '[]');
    INSERT INTO queued_message (id, session_id, position, text, attachment_ids, created_at)
      VALUES ('q', 's', 1, 'next', '[]', '2026');
    DELETE FROM session;
  `)
  for (const table of ['message', 'session_tag', 'message_blob', 'draft', 'draft_revision', 'queued_message']) {
    expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get(), table).toEqual({ n: 0 })
  }
  expect(database.prepare("SELECT count(*) AS n FROM message_index WHERE message_index MATCH 'words'").get()).toEqual({
    n: 0,
  })
  expect(database.prepare("SELECT count(*) AS n FROM session_index WHERE session_index MATCH 'title'").get()).toEqual({
    n: 0,
  })
})

it('messages of chats that are isolated count as written under isolation, those of others do not', () => {
  const database = memoryDatabase(upTo('sessions/007-arriving'))
  const session = (id: string, books: string, isolation: number) =>
    database.exec(SESSION.replace("('s',", `('${id}',`).replace("'[]', 0,", `'${books}', ${isolation},`))
  session('held', '["b"]', 1)
  session('bookless', '[]', 1)
  session('open', '["b"]', 0)
  for (const id of ['held', 'bookless', 'open']) {
    database.exec(`INSERT INTO message (id, session_id, selected, role, text, parts, state, created_at, has_attachments)
      VALUES ('m-${id}', '${id}', 1, 'user', 'words', '', 'complete', '2026', 0)`)
  }
  migrate(database, after('sessions/007-arriving'), () => 'now')
  expect(database.prepare('SELECT id FROM message WHERE isolated = 1').all()).toEqual([{ id: 'm-held' }])
})

it('pieces of answers go with their message, and old answers have none', () => {
  const database = memoryDatabase(upTo('sessions/007-arriving'))
  database.exec(SESSION)
  const row = (id: string, state: string) =>
    database.exec(`INSERT INTO message (id, session_id, selected, role, text, parts, state, created_at, has_attachments)
      VALUES ('${id}', 's', 1, 'assistant', 'old words', '', '${state}', '2026', 0)`)
  row('done', 'complete')
  row('running', 'streaming')
  migrate(database, after('sessions/007-arriving'), () => 'now')
  expect(readMessages(database, ['done', 'running']).map(({ text }) => text)).toEqual(['old words', 'old words'])
  addPiece(database, 'running', { part: 0, text: ' and new ones' })
  expect(readMessages(database, ['running'])[0]?.text).toBe('old words and new ones')
  database.exec("DELETE FROM message WHERE id = 'running'")
  expect(database.prepare('SELECT count(*) AS n FROM answer_piece').get()).toEqual({ n: 0 })
})

it('messages that waited in a draft become rows in their order, and words of no chat stay in the field', () => {
  const database = memoryDatabase(upTo('sessions/007-arriving'))
  database.exec(SESSION)
  database.exec(`INSERT INTO draft VALUES ('s', 'half a word', '["f"]', '["one","two","one"]');
    INSERT INTO draft VALUES ('', 'typed', '[]', '["lost?","no"]'); INSERT INTO draft VALUES ('gone', 'x', '[]', '["y"]')`)
  migrate(database, after('sessions/007-arriving'), () => 'now')
  const rows = database.prepare('SELECT id, session_id, text, held FROM queued_message ORDER BY position').all()
  expect(rows).toMatchObject(['one', 'two', 'one'].map((text) => ({ session_id: 's', text, held: null })))
  expect(new Set((rows as { id: string }[]).map(({ id }) => id)).size).toBe(3)
  const draft = (id: string) => database.prepare('SELECT text, queue FROM draft WHERE session_id = ?').get(id)
  expect(draft('s')).toEqual({ text: 'half a word', queue: '[]' })
  expect(draft('')).toEqual({ text: 'lost?\nno\ntyped', queue: '[]' })
})
