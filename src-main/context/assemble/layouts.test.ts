import { expect, test } from 'vitest'
import { LAYOUTS } from '../contract'
import { LEADING_TAGS } from '../layouts-contract'
import { LAYOUT_SLOTS } from './layouts'

test.each(LAYOUTS)('the tags shown for %s are those of its leading slots', (name) => {
  const leading = LAYOUT_SLOTS[name].slots.filter(({ zone }) => zone.startsWith('leading'))
  const tags = leading.flatMap(({ tag }) => (tag ? [tag] : []))
  expect(LEADING_TAGS[name]).toEqual([...new Set(tags)])
})
