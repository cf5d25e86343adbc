import { expect, it } from 'vitest'
import type { Session } from './contract'
import { patchOfChange } from './session-change'

const session = {
  worldbookIds: ['a', 'b'],
  tagIds: [],
  toolChoices: { one: 'on', two: 'off' },
} as unknown as Session

it('changes lists on what is stored, so that two windows do not take back each other', () => {
  expect(
    patchOfChange(session, {
      worldbookIds: { add: ['b', 'c'], remove: ['a'] },
      tagIds: { add: ['t'] },
      toolChoices: { two: null, three: 'ask' },
    }),
  ).toEqual({ worldbookIds: ['b', 'c'], tagIds: ['t'], toolChoices: { one: 'on', three: 'ask' } })
  expect(patchOfChange(session, {})).toEqual({})
})
