import { describe, expect, it } from 'vitest'
import { createLinkGate, isExternalLink } from './link-gate'

describe('the way out to the browser', () => {
  it.each([
    ['https://example.com/a?b#c', true],
    ['http://127.0.0.1:1234/', true],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['smb://host/share', false],
    ['ms-settings:', false],
    ['//no-scheme', false],
    ['mailto:ann@example.org?subject=Hi', true],
    ['mailto:ann@example.org?attach=/etc/passwd', false],
    ['mailto:ann@example.org?Attachment=x', false],
    [`mailto:ann@example.org?body=${'x'.repeat(3000)}`, false],
    ['http://[', false],
    ['%zz', false],
    ['', false],
  ])('%s: %s', (url, expected) => {
    expect(isExternalLink(url)).toBe(expected)
  })

  it('opens once for a gesture, and only for a short while', () => {
    let time = 0
    const gate = createLinkGate(() => time)
    const link = 'https://example.com/'
    expect(gate.lets(link)).toBe(false)
    gate.gesture()
    expect([gate.lets('file:///x'), gate.lets(link), gate.lets(link)]).toEqual([false, true, false])
    gate.gesture()
    time = 2001
    expect(gate.lets(link)).toBe(false)
  })
})
