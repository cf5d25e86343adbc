import { expect, it } from 'vitest'
import { cleanTitle } from './title'

it.each([
  ['"Ferry times."', 'Ferry times'],
  ['**Ferry times**', 'Ferry times'],
  ['## Ferry *times* and `tides`', 'Ferry times and tides'],
  ['[Ferry times](https://example.org)', 'Ferry times'],
  ['- Ferry times', 'Ferry times'],
  ['1. Ferry times', 'Ferry times'],
  ['---\n_Ferry times_', 'Ferry times'],
  ['《渡船时刻》', '渡船时刻'],
  ['**渡船**时刻。', '渡船时刻'],
  ['use of read_file and 2 * 3', 'use of read_file and 2 * 3'],
  ['```\nFerry times\n```', 'Ferry times'],
  ['***', ''],
])('the title %j becomes %j', (answer, title) => {
  expect(cleanTitle(answer)).toBe(title)
})
