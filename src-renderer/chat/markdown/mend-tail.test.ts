import { describe, expect, it } from 'vitest'
import { mendTail } from './mend-tail'

describe('mendTail', () => {
  it.each([
    ['some **bol', 'some **bol**'],
    ['some **', 'some '],
    ['a `cod', 'a `cod`'],
    ['an *emph', 'an *emph*'],
    ['~~gone', '~~gone~~'],
    ['see [the boo', 'see the boo'],
    ['see [the book](https://exa', 'see the book'],
    ['look ![a pic](https://e', 'look '],
    ['a paragraph\n--', 'a paragraph'],
    ['a paragraph\n=', 'a paragraph'],
    ['text\n- ', 'text'],
    ['**a** and *b* and `c`', '**a** and *b* and `c`'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['中文**重点', '中文**重点**'],
  ])('%j shows as %j', (text, shown) => expect(mendTail(text)).toBe(shown))

  it('draws a table from its first row on', () => {
    expect(mendTail('| a | b |')).toBe('| a | b |\n| --- | --- |')
    expect(mendTail('| a | b |\n|--')).toBe('| a | b |\n| --- | --- |')
    expect(mendTail('| a | b |\n| --- | --- |\n| 1')).toBe('| a | b |\n| --- | --- |\n| 1')
  })
})
