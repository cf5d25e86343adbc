import { expect, it } from 'vitest'
import { plainText } from './plain-text'

it('takes the marks off and leaves code alone', () => {
  const text =
    '## Head\n\nSome **bold** and *soft* `code`, a [link](https://e.org).\n\n```ts\nconst a = **b**\n```\n\n> quoted'
  expect(plainText(text)).toBe('Head\n\nSome bold and soft code, a link.\n\nconst a = **b**\n\nquoted')
})
