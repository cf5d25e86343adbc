import type { CardFields, SessionPrompts } from '../contract'

/**
 * Puts names where a card says {{char}}, {{user}} or their older forms, in any case and in one pass. `{{original}}` would be
 * the prompt of the app the card came from; here the layers add up, so it expands to nothing.
 */
function withNames(text: string, char: string, user: string): string {
  const names: Record<string, string> = {
    '{{char}}': char,
    '<bot>': char,
    '{{user}}': user,
    '<user>': user,
    '{{original}}': '',
  }
  return text
    .replace(/\{\{(?:char|user|original)\}\}|<(?:bot|user)>/gi, (macro) => names[macro.toLowerCase()] ?? '')
    .trim()
}

/** Turns a card's own texts into the prompts of a new session. `user` is what the person is called. */
export function sessionPromptsFromCard(card: CardFields, user: string): SessionPrompts {
  const char = card.name.trim()
  const text = (part: string) => withNames(part, char, user)
  const parts: [string, string][] = [
    ['', text(card.systemPrompt)],
    [char === '' ? 'Character' : `Character: ${char}`, text(card.description)],
    ['Personality', text(card.personality)],
    ['Scenario', text(card.scenario)],
  ]
  return {
    title: char === '' ? 'Character' : char,
    topicPrompt: parts
      .filter(([, body]) => body !== '')
      .map(([heading, body]) => (heading === '' ? body : `## ${heading}\n${body}`))
      .join('\n\n'),
    enhancedPrompt: text(card.postHistoryInstructions),
    firstMessage: text(card.firstMessage),
    alternateGreetings: card.alternateGreetings.map(text).filter((greeting) => greeting !== ''),
  }
}
