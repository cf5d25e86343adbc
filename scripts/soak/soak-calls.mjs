/** Codes a call may be refused with during a soak; any other refusal is a fault. */
const EXPECTED = new Set(['busy', 'conflict', 'storage.full', 'storage.locked'])

/** One person's random calls on things of their own, until the app ends or `end.at` has come. Faults go to `faults`. */
export async function actAtRandom({ who, life, truth, random, faults, end, modelId, counts }) {
  const own = truth.values.get(`things ${who}`) ?? { sessions: [], memories: [], prompts: [], snippets: [], next: 1 }
  truth.values.set(`things ${who}`, own)
  const token = () => `soak-${who}-${own.next++}`
  const tell = (name, reply) => {
    counts.calls += 1
    if (reply.ok) return
    counts.refused += 1
    if (!EXPECTED.has(reply.error.code)) faults.push(`${name}: ${reply.error.code} ${reply.error.message}`)
  }
  const call = async (name, input) => {
    const reply = await life.call(name, input)
    tell(name, reply)
    return reply
  }

  /** Makes a thing and keeps its id, or changes one of those made before. */
  const save = async (kind, list, name, fields) => {
    const value = token()
    const id = list.length > 0 && random.chance(0.6) ? random.pick(list) : undefined
    if (id) return truth.change(`${kind} ${id}`, value, () => call(name, { id, ...fields(value) }))
    const reply = await call(name, fields(value))
    if (reply.ok) {
      list.push(reply.value.id)
      truth.values.set(`${kind} ${reply.value.id}`, { allowed: [value] })
    }
    return reply
  }

  const send = async () => {
    const sessionId = random.pick(own.sessions)
    if (!sessionId) return
    const text = token()
    await truth.message(text, sessionId, () => call('turns.send', { sessionId, text: `Tell me of ${text}.` }))
  }
  const search = () => call('memory.search', { query: 'which boat leaves at dawn' })

  const actions = [
    () => save('memory', own.memories, 'memory.save', (text) => ({ text: `The ${text} boat leaves at dawn.` })),
    () => save('prompt', own.prompts, 'system-prompts.save', (text) => ({ name: text, text })),
    () => save('snippet', own.snippets, 'snippets.save', (text) => ({ name: text, text })),
    async () => {
      const reply = await call('sessions.create', { title: token(), modelId })
      if (!reply.ok) return
      own.sessions.push(reply.value.id)
      truth.values.set(`session ${reply.value.id}`, { allowed: [undefined] })
    },
    async () => {
      const sessionId = random.pick(own.sessions)
      if (!sessionId) return
      const topicPrompt = token()
      const patch = { sessionId, patch: { topicPrompt } }
      await truth.change(`session ${sessionId}`, topicPrompt, () => call('sessions.update', patch))
    },
    async () => {
      const sessionId = random.pick(own.sessions)
      if (!sessionId) return
      const text = token()
      await truth.message(text, sessionId, () => call('messages.append', { sessionId, text: `Note ${text}.` }))
    },
    send,
    send,
    send,
    async () => {
      const running = await call('turns.running', {})
      const turn = running.ok && random.pick(running.value)
      if (turn && random.chance(0.3)) await call('turns.stop', { turnId: turn.turnId })
    },
    () => call('sessions.list', { limit: 50 }),
    () => (random.chance(0.1) ? search() : undefined),
    async () => {
      const sessionId = random.pick(own.sessions)
      if (sessionId) await call('turns.preview', { sessionId, draft: 'What is due next?' })
    },
  ]

  while (Date.now() < end.at && !life.exited()) {
    try {
      await random.pick(actions)()
    } catch (error) {
      // the connection breaks at a kill; a value under way stays open then
      if (life.exited()) return
      if (!(error instanceof TypeError)) throw error
      return
    }
  }
}
