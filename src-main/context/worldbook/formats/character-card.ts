import { said, saidTogether } from '../../../ipc/said-contract'
import type { CardFields } from '../contract'
import { asText, type Fields, isFields, own } from './coerce'
import type { Notes } from './notes'

const NEWEST_CARD = 3

/** A card by its looks: a known `spec`, a book inside, or the fields that every version has. */
export function isCard(root: Fields): boolean {
  const spec = own(root, 'spec')
  if (typeof spec === 'string' && spec.startsWith('chara_card')) return true
  const data = own(root, 'data')
  const body = isFields(data) ? data : root
  if (isFields(own(body, 'character_book'))) return true
  return typeof own(body, 'name') === 'string' && typeof own(body, 'first_mes') === 'string'
}

export interface Card {
  /** `character_card_v1` … */
  format: string
  fields: CardFields
  book: Fields | undefined
}

function versionOf(root: Fields, notes: Notes): number {
  const spec = own(root, 'spec')
  if (typeof spec !== 'string') return isFields(own(root, 'data')) ? 2 : 1
  const named = Number(/_v(\d+)$/.exec(spec)?.[1])
  const version = Number.parseFloat(asText(own(root, 'spec_version')) ?? '')
  const newest = Math.max(Number.isNaN(named) ? 0 : named, Number.isNaN(version) ? 0 : version)
  if (newest > NEWEST_CARD) {
    notes.warn(
      'newer_version',
      said`The card follows version ${newest}, newer than 3. What is known was read; check the texts.`,
    )
  }
  return Number.isNaN(named) ? 3 : named
}

/** Texts of a card that have no place in a session here; their loss should not be silent. */
const LEFT_OUT: readonly [string, string][] = [
  ['mes_example', 'example messages'],
  ['group_only_greetings', 'group greetings'],
  ['creator_notes', "creator's notes"],
]

function noteLeftOut(data: Fields, notes: Notes): void {
  const found = LEFT_OUT.filter(([name]) => {
    const value = own(data, name)
    return Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value.trim() !== ''
  })
  if (found.length === 0) return
  notes.warn(
    'card_left_out',
    said`Not taken over from the card: ${saidTogether(
      found.map(([, words]) => words),
      ', ',
    )}.`,
  )
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((member) => asText(member) ?? []) : []

/** Reads a character card of any version; in V2 and V3 the texts under `data` win over copies at the root. */
export function readCard(root: Fields, notes: Notes): Card {
  const version = versionOf(root, notes)
  const inner = own(root, 'data')
  const data = isFields(inner) ? { ...root, ...inner } : root
  const text = (name: string) => asText(own(data, name)) ?? ''
  noteLeftOut(data, notes)
  const book = own(data, 'character_book')
  return {
    format: `character_card_v${version}`,
    fields: {
      name: text('name'),
      description: text('description'),
      personality: text('personality'),
      scenario: text('scenario'),
      firstMessage: text('first_mes'),
      alternateGreetings: textsOf(own(data, 'alternate_greetings')),
      systemPrompt: text('system_prompt'),
      postHistoryInstructions: text('post_history_instructions'),
    },
    book: isFields(book) ? book : undefined,
  }
}
