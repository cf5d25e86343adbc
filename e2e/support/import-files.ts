import { zipSync } from 'fflate'

/** Files as other apps write them, with content of our own, of any length. */

const WORDS = 'The tide turns at noon and the ferry waits for nobody; 潮水在正午转向，渡船不等人。 '
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textBytes = bytesOf

/** About the given number of characters. */
const line = (number: number, length: number): string => `${number}: ${WORDS.repeat(Math.ceil(length / WORDS.length))}`

export interface ChatSize {
  chats: number
  /** Of one chat. */
  messages: number
  /** Characters of one message, about. */
  length: number
}

interface Picture {
  address: string
  attached?: { id: string; name: string }
}

export const tavernFile = ({ messages, length }: Omit<ChatSize, 'chats'>): string => {
  const lines = [JSON.stringify({ user_name: 'You', character_name: 'Ada', chat_metadata: { integrity: 'ada' } })]
  for (let number = 0; number < messages; number += 1) {
    lines.push(
      JSON.stringify({
        name: number % 2 === 0 ? 'You' : 'Ada',
        is_user: number % 2 === 0,
        mes: line(number, length),
        send_date: 1_714_111_800_000 + number * 1000,
      }),
    )
  }
  return lines.join('\n')
}

/** One conversation of ChatGPT, oldest message first; `pictures` stand in its first message. */
export function chatGptChat(id: string, texts: readonly string[], pictures: readonly Picture[] = []): object {
  const nodes = texts.map((text, index) => [
    `${id}-${index}`,
    {
      id: `${id}-${index}`,
      parent: index === 0 ? 'root' : `${id}-${index - 1}`,
      message: {
        author: { role: index % 2 === 0 ? 'user' : 'assistant' },
        create_time: 1_714_111_800 + index,
        content: {
          content_type: index === 0 && pictures.length > 0 ? 'multimodal_text' : 'text',
          parts: [
            ...(index === 0
              ? pictures.map(({ address }) => ({ content_type: 'image_asset_pointer', asset_pointer: address }))
              : []),
            text,
          ],
        },
        metadata: index === 0 ? { attachments: pictures.flatMap(({ attached }) => attached ?? []) } : {},
      },
    },
  ])
  return {
    title: `Chat ${id}`,
    create_time: 1_714_111_800,
    update_time: 1_714_111_800 + texts.length,
    current_node: `${id}-${texts.length - 1}`,
    mapping: { root: { id: 'root', parent: null, message: null }, ...Object.fromEntries(nodes) },
    conversation_id: id,
  }
}

/** Numbered through all chats, so that every text is another one. */
const texts = ({ messages, length }: ChatSize, chat: number) =>
  Array.from({ length: messages }, (_, index) => line(chat * messages + index, length))

export const chatGptFile = (size: ChatSize): string =>
  JSON.stringify(Array.from({ length: size.chats }, (_, index) => chatGptChat(`g${index}`, texts(size, index))))

export const claudeFile = (size: ChatSize): string =>
  JSON.stringify(
    Array.from({ length: size.chats }, (_, chat) => ({
      uuid: `c${chat}`,
      name: `Talk ${chat}`,
      created_at: '2025-01-01T10:00:00Z',
      updated_at: '2025-01-02T10:00:00Z',
      chat_messages: texts(size, chat).map((text, index) => ({
        uuid: `c${chat}-${index}`,
        sender: index % 2 === 0 ? 'human' : 'assistant',
        text,
        content: [{ type: 'text', text }],
        created_at: new Date(1_735_725_600_000 + index * 1000).toISOString(),
      })),
    })),
  )

/** A file of ours, one item a line as the app writes it. */
export function strataFile(size: ChatSize): string {
  const items: object[] = []
  for (let chat = 0; chat < size.chats; chat += 1) {
    items.push({ type: 'session', id: `s${chat}`, title: `Ours ${chat}`, createdAt: '2025-01-01T10:00:00.000Z' })
    for (const [index, text] of texts(size, chat).entries()) {
      const parentId = index === 0 ? null : `s${chat}-${index - 1}`
      const role = index % 2 === 0 ? 'user' : 'assistant'
      const createdAt = new Date(1_735_725_600_000 + index * 1000).toISOString()
      items.push({ type: 'message', id: `s${chat}-${index}`, parentId, selected: true, role, text, createdAt })
    }
  }
  return `{"format":"strata","version":1,"exportedAt":"","items":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`
}

/** Pictures are packed already: they are only stored. */
export function zipOf(files: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) =>
        typeof content === 'string' ? [name, bytesOf(content)] : [name, [content, { level: 0 as const }]],
      ),
    ),
  )
}

/** The smallest picture there is, of one colour. */
export function onePixel(tail = ''): Uint8Array {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return new Uint8Array(Buffer.concat([Buffer.from(png, 'base64'), Buffer.from(tail)]))
}
