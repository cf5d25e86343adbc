import { TOKEN } from './soak-model.mjs'

async function value(life, name, input) {
  const reply = await life.call(name, input)
  if (!reply.ok) throw new Error(`${name}: ${reply.error.code} ${reply.error.message}`)
  return reply.value
}

async function readAll(life, name, input, field) {
  const all = []
  let cursor
  do {
    const page = await value(life, name, { ...input, limit: 1000, ...(cursor ? { cursor } : {}) })
    all.push(...page[field])
    cursor = page.nextCursor
  } while (cursor)
  return all
}

function compare(truth, kind, found, faults) {
  for (const [key, { allowed }] of truth.values) {
    if (!allowed || !key.startsWith(`${kind} `)) continue
    const id = key.slice(kind.length + 1)
    const text = found.get(id)
    const is = text === undefined ? undefined : (text.match(TOKEN)?.[0] ?? undefined)
    if (text === undefined || !allowed.includes(is)) {
      faults.push(`${kind} ${id}: found ${is ?? (text === undefined ? 'nothing' : 'an empty text')}, not ${allowed}`)
    }
  }
}

/** Every stored thing against what was acknowledged. Adds what is wrong to `faults`. */
export async function checkValues(life, truth, faults) {
  const memories = await readAll(life, 'memory.list', { status: 'all' }, 'memories')
  const sessions = await readAll(life, 'sessions.list', { view: 'all' }, 'sessions')
  const prompts = await value(life, 'system-prompts.list', {})
  const snippets = await value(life, 'snippets.list', {})
  compare(truth, 'memory', new Map(memories.map(({ id, text }) => [id, text])), faults)
  compare(truth, 'session', new Map(sessions.map(({ id, topicPrompt }) => [id, topicPrompt ?? ''])), faults)
  compare(truth, 'prompt', new Map(prompts.map(({ id, text }) => [id, text])), faults)
  compare(truth, 'snippet', new Map(snippets.map(({ id, text }) => [id, text])), faults)
}

/** The times a message is stored, by its token, over every branch of a chat. */
function tokensOf(messages) {
  const counts = new Map()
  for (const { role, text } of messages) {
    if (role !== 'user') continue
    for (const token of text.match(TOKEN) ?? []) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  return counts
}

/**
 * Messages of the chats that changed: each acknowledged one once, none twice, no answer still being written unless a
 * turn runs. `killedAt` (ms) is when the last life ended: what was sent 500 ms before must be in the answer.
 */
export async function checkMessages({ life, truth, model, faults, killedAt, losses, atRest }) {
  const chats = new Map()
  for (const [token, entry] of truth.messages) {
    if (entry.checked) continue
    chats.set(entry.sessionId, [...(chats.get(entry.sessionId) ?? []), token])
  }
  const running = new Set((await value(life, 'turns.running', {})).map(({ sessionId }) => sessionId))
  for (const [sessionId, tokens] of chats) {
    const { messages } = await value(life, 'sessions.get', { sessionId })
    const stored = tokensOf(messages)
    for (const token of tokens) {
      const entry = truth.messages.get(token)
      const times = stored.get(token) ?? 0
      if (times > 1) faults.push(`message ${token} is stored ${times} times`)
      if (entry.state === 'acknowledged' && times === 0) faults.push(`message ${token} was acknowledged and is lost`)
      if (entry.state === 'refused' && times > 0) faults.push(`message ${token} was refused and is stored`)
      if (entry.state !== 'typed') entry.checked = true
    }
    if (running.has(sessionId)) continue
    checkAnswers({ messages, faults, killedAt, model, losses, atRest })
    for (const message of messages) await checkStreaming(life, message, faults)
  }
}

/** A window may have sent a message since the running turns were read: an answer is stuck if it is so at a second look. */
async function checkStreaming(life, { id, sessionId, state }, faults) {
  if (state !== 'streaming') return
  const running = await value(life, 'turns.running', {})
  const now = await value(life, 'messages.get', { messageId: id })
  if (now.state !== 'streaming' || running.some((turn) => turn.messageId === id)) return
  faults.push(`an answer in ${sessionId} is streaming and nothing runs`)
}

function checkAnswers({ messages, faults, killedAt, model, losses, atRest }) {
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    if (message.state === 'failed' && String(message.error?.code).startsWith('model.')) {
      faults.push(`an answer blames the model: ${message.error.code} ${message.error.message}`)
    }
    const token = messages[at - 1]?.text.match(TOKEN)?.at(-1)
    const pieces = token && model.answers.get(token)
    if (!pieces || pieces.checked) continue
    pieces.checked = true
    const whole = pieces.at(-1)?.length ?? 0
    if (message.state === 'complete' && message.text.length < whole - 1) {
      faults.push(`the answer to ${token} is complete with ${message.text.length} of ${whole} characters`)
    }
    // what a stopped answer did not take any more is no loss
    if (killedAt === undefined || atRest || message.state !== 'interrupted') continue
    // trailing white space may be trimmed on display: a piece counts as kept with one character less
    const firstLost = pieces.find(({ length, at: sentAt }) => length > message.text.length + 1 && sentAt <= killedAt)
    losses.push(firstLost ? killedAt - firstLost.at : 0)
  }
}

/** No message may have reached the model more often than it was sent. */
export function checkWire(truth, model, faults) {
  for (const [token, times] of model.asked) {
    if (truth.messages.has(token) && times > 1 && !truth.messages.get(token).toldTwice) {
      truth.messages.get(token).toldTwice = true
      faults.push(`message ${token} reached the model ${times} times`)
    }
  }
}
