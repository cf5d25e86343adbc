import { expect, it } from 'vitest'
import { sessionPromptsFromCard } from './import-session-prompts'

const card = {
  name: 'Wen $& Mo',
  description: '{{char}} runs the harbour. {{user}} is new.',
  personality: 'dry',
  scenario: '',
  firstMessage: '{{Char}} looks up. "You must be {{USER}}." <BOT> nods to <USER>.',
  alternateGreetings: ['{{char}} waits.', ' ', '<USER> waits.'],
  systemPrompt: '{{original}}Stay in character.',
  postHistoryInstructions: 'Keep {{char}} brief. {{roll}} stays.',
}

it('turns the texts of a card into the prompts of a session, names put in', () => {
  expect(sessionPromptsFromCard(card, '{{char}}')).toStrictEqual({
    title: 'Wen $& Mo',
    topicPrompt:
      'Stay in character.\n\n## Character: Wen $& Mo\nWen $& Mo runs the harbour. {{char}} is new.\n\n## Personality\ndry',
    enhancedPrompt: 'Keep Wen $& Mo brief. {{roll}} stays.',
    firstMessage: 'Wen $& Mo looks up. "You must be {{char}}." Wen $& Mo nods to {{char}}.',
    alternateGreetings: ['Wen $& Mo waits.', '{{char}} waits.'],
  })
})

it('copes with a card that says nothing', () => {
  const empty = {
    ...card,
    name: '',
    description: '',
    personality: '',
    firstMessage: '',
    alternateGreetings: [],
    systemPrompt: '',
    postHistoryInstructions: '',
  }
  expect(sessionPromptsFromCard(empty, 'You')).toStrictEqual({
    title: 'Character',
    topicPrompt: '',
    enhancedPrompt: '',
    firstMessage: '',
    alternateGreetings: [],
  })
})
