import { expect, it } from 'vitest'
import { mathText, mayHoldMath } from './math-text'

it.each([
  ['It costs $5 to $10 a night.', 'It costs \\$5 to \\$10 a night.'],
  ['let $x$ be', 'let $x$ be'],
  ['let \\(x^2\\) be', 'let $x^2$ be'],
  ['\\[ a+b \\]', '\n$$\na+b\n$$\n'],
  ['`$HOME` and $', '`$HOME` and \\$'],
  ['already \\$5', 'already \\$5'],
  ['$ x $', '\\$ x \\$'],
])('%j becomes %j', (text, made) => expect(mathText(text)).toBe(made))

it('draws formulas where there are some, not where there are thousands', () => {
  expect(mayHoldMath('no formula')).toBe(false)
  expect(['$x$', '\\(x\\)', '\\[x\\]'].every(mayHoldMath)).toBe(true)
  expect(mayHoldMath('$x$ '.repeat(200))).toBe(true)
  expect(mayHoldMath('$x$ '.repeat(5000))).toBe(false)
})
