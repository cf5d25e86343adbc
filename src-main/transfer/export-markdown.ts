import type { Message, MessagePart, Session } from '../sessions/contract'

/** A fence longer than any in the text, so that it cannot end early. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const plainValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `<details><summary>Reasoning</summary>\n\n${part.text}\n\n</details>`
    case 'tool': {
      const result = part.result === undefined ? '' : `\n\n${fenced(part.result)}`
      return `Tool \`${part.name}\` (${part.state.replace('_', ' ')})\n\n${fenced(plainValue(part.arguments), 'json')}${result}`
    }
    case 'note':
      return `*${part.text}*`
    case 'round':
      return ''
  }
}

function messageText(message: Message): string {
  const who = message.role === 'user' ? 'User' : `Assistant${message.modelId ? ` (${message.modelId})` : ''}`
  const files = message.attachments.map((attachment) => `- ${attachment.name} (${attachment.mediaType})`).join('\n')
  const state = message.state === 'complete' ? '' : `*${message.state}*`
  const body = message.parts.map(partText).filter((text) => text.trim() !== '')
  return [`## ${who} · ${message.createdAt}`, ...body, files, state].filter((text) => text !== '').join('\n\n')
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

/** The visible branch, for reading. What only the JSON export keeps: other versions, settings, files. */
export function sessionMarkdown(session: Session, messages: readonly Message[]): string {
  const prompt = session.topicPrompt.trim() === '' ? [] : [`**Topic prompt**\n\n${quoted(session.topicPrompt)}`]
  return `${[`# ${session.title || 'Untitled chat'}`, ...prompt, ...messages.map(messageText)].join('\n\n')}\n`
}

/** A name every file system takes, without its ending. */
export function fileNameOf(title: string): string {
  const name = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what file systems refuse
    .replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
  return [...name].slice(0, 60).join('').trim() || 'chat'
}
