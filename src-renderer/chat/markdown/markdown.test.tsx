// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import '../../i18n/i18n'
import { TipProvider } from '../../ui/tooltip'
import { Markdown } from './markdown'
import { tableToCsv } from './table-view'

afterEach(cleanup)

const show = (text: string, streaming = false) =>
  render(
    <TipProvider>
      <Markdown text={text} streaming={streaming} />
    </TipProvider>,
  ).container

/** Ways to smuggle script through Markdown, from the usual lists. */
const CORPUS = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit=1">',
  '<svg onload=window.hit=1>',
  '<svg><script>window.hit=1</script></svg>',
  '<iframe src="javascript:window.hit=1"></iframe>',
  '<a href="javascript:window.hit=1">x</a>',
  '[x](javascript:window.hit=1)',
  '[x](JaVaScRiPt:window.hit=1)',
  '[x](javascript&colon;window.hit=1)',
  '[x](&#x6A;avascript:window.hit=1)',
  '[x](java\nscript:window.hit=1)',
  '[x]( javascript:window.hit=1)',
  '[x](data:text/html,<script>window.hit=1</script>)',
  '[x](vbscript:msgbox)',
  '[x](file:///etc/passwd)',
  '![x](javascript:window.hit=1)',
  '![x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '![x"onerror="window.hit=1](x)',
  '<https://example.org/" onclick="window.hit=1>',
  '[ref]\n\n[ref]: javascript:window.hit=1',
  '<details open ontoggle=window.hit=1>',
  '<math><mtext></mtext><script>window.hit=1</script></math>',
  '<form action="javascript:window.hit=1"><button>x</button></form>',
  '<object data="javascript:window.hit=1"></object>',
  '<style>@import "javascript:window.hit=1"</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:window.hit=1">',
  '`<img src=x onerror=window.hit=1>`',
  '```html\n<script>window.hit=1</script>\n```',
  '$\\href{javascript:window.hit=1}{x}$',
  '| <img src=x onerror=window.hit=1> |\n|---|\n| <script>window.hit=1</script> |',
  '[^1]\n\n[^1]: <img src=x onerror=window.hit=1>',
]

describe('text that tries to run', () => {
  it.each(CORPUS)('stays text: %s', (text) => {
    const page = show(text)
    expect(page.querySelectorAll('script, iframe, object, embed, form, base, meta, style, link, details')).toHaveLength(
      0,
    )
    for (const element of page.querySelectorAll('*')) {
      for (const attribute of element.attributes) expect(attribute.name.startsWith('on')).toBe(false)
    }
    for (const link of page.querySelectorAll('a')) {
      expect(link.getAttribute('href') ?? '#').toMatch(/^(?:https?:|mailto:|#)/)
    }
    for (const image of page.querySelectorAll('img')) {
      expect(image.getAttribute('src')).toMatch(/^data:image\/(?:png|jpeg|gif|webp);/)
    }
    expect('hit' in window).toBe(false)
  })
})

describe('Markdown', () => {
  it('shows HTML as the text it is', () => {
    show('a <b>bold</b> claim')
    expect(screen.getByText(/a <b>bold<\/b> claim/)).toBeTruthy()
  })

  it('opens links outside', () => {
    show('[book](https://example.org/tides)')
    const link = screen.getByRole('link', { name: 'book' })
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toContain('noopener')
  })

  it('does not fetch pictures from servers', () => {
    const page = show('![tide chart](https://example.org/a.png)')
    expect(page.querySelector('img')).toBeNull()
    expect(screen.getByRole('link', { name: /tide chart/ }).getAttribute('href')).toBe('https://example.org/a.png')
  })

  it('finds link definitions in another block', () => {
    show('see [the book][b]\n\nmore\n\n[b]: https://example.org/b')
    expect(screen.getByRole('link', { name: 'the book' }).getAttribute('href')).toBe('https://example.org/b')
  })

  it('keeps the elements of finished blocks while text is appended', () => {
    const view = (text: string) => (
      <TipProvider>
        <Markdown text={text} streaming />
      </TipProvider>
    )
    const { container, rerender } = render(view('first\n\nsec'))
    const first = container.querySelector('p')
    rerender(view('first\n\nsecond **half'))
    expect(container.querySelector('p')).toBe(first)
    expect(container.querySelector('strong')?.textContent).toBe('half')
  })

  it('draws half a table as a table', () => {
    const page = show('| a | b |\n|-', true)
    expect(page.querySelectorAll('th')).toHaveLength(2)
  })

  it('survives 10,000 nested quotes and one line of 2 MB', () => {
    expect(show(`${'>'.repeat(10_000)} deep`).textContent).toContain('deep')
    cleanup()
    expect(show('x'.repeat(2_000_000)).textContent).toHaveLength(2_000_000)
  })

  it('shows code with its language and a way to copy it', () => {
    show('```python\nprint(1)\n```')
    expect(screen.getByText('python')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy()
    expect(screen.getByText(/print\(1\)/)).toBeTruthy()
  })

  it('gives a table away as CSV', () => {
    const page = show('| a | b |\n|---|---|\n| 1, 2 | say "hi" |')
    const table = page.querySelector('table')
    expect(table && tableToCsv(table)).toBe('a,b\r\n"1, 2","say ""hi"""')
  })
})

describe('links', () => {
  it.each([
    '[x](http://[)',
    '<http://[>',
    '[x](javascript:alert(1))',
    '[x](#%zz)',
    '[x](http://%zz)',
    '[x](https://)',
    '![x](http://[)',
    '[x](mailto:)',
    'see http://[ and https://%zz',
  ])('one that leads nowhere is text: %s', (text) => {
    const box = show(text)
    expect(box.querySelectorAll('a')).toHaveLength(0)
    expect(box.textContent).toMatch(/x|http/)
  })

  it('an address of a person opens where mail is written, in no new page', () => {
    const link = show('[write](mailto:ann@example.org?subject=Hi)').querySelector('a')
    expect(link?.getAttribute('href')).toBe('mailto:ann@example.org?subject=Hi')
    expect(link?.hasAttribute('target')).toBe(false)
  })
})
