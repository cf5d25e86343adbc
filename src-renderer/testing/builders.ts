import type { Message, Session } from '../../src-main/sessions/contract'

const AT = '2026-11-30T12:00:00+00:00'

export function aSession(fields: Partial<Session> = {}): Session {
  return {
    id: 's1',
    title: 'Tides',
    titleSource: 'user',
    temporary: false,
    folderId: null,
    tagIds: [],
    pinned: false,
    archived: false,
    createdAt: AT,
    updatedAt: AT,
    messageCount: 0,
    snippet: '',
    globalPromptId: null,
    topicPrompt: '',
    enhancedPrompt: null,
    worldbookIds: [],
    isolation: false,
    modelId: null,
    historyLimit: null,
    layout: null,
    toolChoices: {},
    workingFolder: null,
    summarise: true,
    ...fields,
  }
}

export function aMessage(fields: Partial<Message> = {}): Message {
  const id = fields.id ?? 'm1'
  const text = fields.text ?? 'Hello'
  return {
    id,
    sessionId: 's1',
    parentId: null,
    role: 'user',
    text,
    parts: [{ type: 'text', text }],
    attachments: [],
    state: 'complete',
    createdAt: AT,
    siblings: [id],
    ...fields,
  }
}
