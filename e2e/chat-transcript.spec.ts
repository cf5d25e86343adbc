import { messageField, messageMenu, transcript, watchClipboard } from './support/chat-steps'
import { expect, test } from './support/launch-app'
import { storeChat } from './support/stored-chat'
import { openChat, readyToChat, say } from './support/window-steps'

/** Each of these runs `window.owned` or leaves the page where HTML, addresses or diagrams are taken at their word. */
const HOSTILE = [
  '<script>window.owned = 1</script>',
  '<img src=x onerror="window.owned=2">',
  '<svg onload="window.owned=3"><animate onbegin="window.owned=3" attributeName="x"/></svg>',
  '<iframe srcdoc="<script>parent.owned=4</script>"></iframe>',
  '[click](javascript:window.owned=5)',
  '[click](JaVaScRiPt&#58;window.owned=6)',
  '[click](<java\tscript:window.owned=7>)',
  '[click](data:text/html;base64,PHNjcmlwdD5wYXJlbnQub3duZWQ9ODwvc2NyaXB0Pg==)',
  '![x](javascript:window.owned=9)',
  '![x" onerror="window.owned=10](https://127.0.0.1:9/x.png)',
  '<a href="javascript:window.owned=11">here</a>',
  '<math><mtext><style><img src onerror=window.owned=12></style></mtext></math>',
  '<details open ontoggle="window.owned=13">x</details>',
  '<form action="javascript:window.owned=14"><button>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:window.owned=15">',
  '<base href="https://127.0.0.1:9/">',
  '<link rel="stylesheet" href="https://127.0.0.1:9/x.css">',
  '$\\href{javascript:window.owned=16}{x}$ $\\htmlData{x=1}{y}$ $\\includegraphics{https://127.0.0.1:9/x.png}$',
  '```mermaid\ngraph TD\nA["<img src=x onerror=window.owned=17>"] --> B\nclick A "javascript:window.owned=18"\n```',
  '```html\n</code></pre><script>window.owned=19</script>\n```',
  '[ref]\n\n[ref]: javascript:window.owned=20 "x"',
  'autolink <javascript:window.owned=21> and <vbscript:x>',
  '| a |\n|---|\n| <img src=x onerror=window.owned=22> |',
  '[^1]\n\n[^1]: <img src=x onerror=window.owned=23>',
  '&lt;script&gt;window.owned=24&lt;/script&gt;',
  '\u202e<script>window.owned=25</script>',
]

test('nothing in an answer or a question runs, loads or leaves the page', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const messages = HOSTILE.flatMap((text) => [
    { role: 'user' as const, text },
    { role: 'assistant' as const, text },
  ])
  await storeChat(app, { id: 'hostile', title: HOSTILE[1] ?? '', messages: messages.slice(0, 30) })
  await storeChat(app, { id: 'hostile-2', title: 'The other half', messages: messages.slice(30) })
  const strange: string[] = []
  app.page.on('request', (request) => {
    if (request.url().includes('127.0.0.1:9/')) strange.push(request.url())
  })
  for (const id of ['hostile', 'hostile-2']) {
    await app.page.locator(`[data-session="${id}"]`).click()
    const log = transcript(app.page)
    await expect(log.locator('.msg').last()).toBeVisible()
    for (let screen = 0; screen < 12; screen++) {
      await log.evaluate((area) => area.scrollBy(0, -area.clientHeight * 0.8))
      await app.page.waitForTimeout(60)
      const found = await log.evaluate((area) => ({
        elements: area.querySelectorAll('script, iframe, object, embed, form, meta, base, link, style').length,
        handlers: [...area.querySelectorAll('*')].filter((node) =>
          [...node.attributes].some(({ name }) => name.startsWith('on')),
        ).length,
        addresses: [...area.querySelectorAll('[href], [src], [action]')]
          .flatMap((node) => ['href', 'src', 'action'].map((name) => node.getAttribute(name) ?? ''))
          .filter((address) => /^\s*(?:java|vb)script:|^data:text/i.test(address)),
      }))
      expect(found).toEqual({ elements: 0, handlers: 0, addresses: [] })
    }
  }
  expect(await app.page.evaluate(() => Reflect.get(window, 'owned'))).toBeUndefined()
  expect(strange).toEqual([])
})

const RICH = [
  'See the note.[^1]',
  '| time | depth |\n|---|---|\n| 22:40 | 1,7 m |\n| 23:05 | 2.1 m |',
  '```mermaid\nthis is no diagram at all {{{\n```',
  '```mermaid\ngraph TD\nA[Pier] --> B[Ferry]\n```',
  '```ts\nconst depth: number = 1.7\n```',
  'Depth is $d = 1.7$.',
  '[^1]: Measured at the pier.',
].join('\n\n')

test('tables, diagrams, code, formulas and footnotes are drawn and can be taken along', async ({
  app,
  modelServer,
}) => {
  await readyToChat(app, modelServer)
  await storeChat(app, {
    id: 'rich',
    title: 'Rich text',
    messages: [
      { role: 'user', text: 'Show me' },
      { role: 'assistant', text: RICH },
    ],
  })
  await openChat(app.page, 'Rich text')
  const answer = app.page.locator('.msg').last()
  // all of it is drawn before anything is clicked: a diagram that comes late moves what stands around it
  await expect(answer.locator('math, .katex').first()).toBeAttached()
  await expect(answer.getByText('This diagram cannot be drawn')).toBeVisible()
  await expect(answer.locator('.code').getByText('this is no diagram at all')).toBeVisible()
  await expect(answer.getByText('Measured at the pier.')).toBeVisible()
  const diagram = answer.getByRole('button', { name: /Enlarge/ })
  await expect(diagram).toBeVisible()

  const all = await watchClipboard(app.page)
  const copied = () => expect.poll(async () => (await all()).at(-1) ?? '')
  await answer.getByRole('button', { name: 'Copy as CSV' }).click()
  await copied().toBe('time,depth\r\n22:40,"1,7 m"\r\n23:05,2.1 m')
  await answer.getByRole('button', { name: 'Copy code' }).last().click()
  await copied().toContain('const depth')
  await messageMenu(app.page, answer, 'Copy as plain text')
  await copied().toMatch(/^(?!.*\|---\|).*See the note/s)
  await answer.getByRole('button', { name: 'Copy as Markdown' }).click()
  await copied().toBe(RICH)

  await diagram.click()
  await expect(app.page.getByRole('dialog')).toBeVisible()
  await app.page.keyboard.press('Escape')
  await expect(app.page.getByRole('dialog')).toBeHidden()
})

test('the transcript follows the end only while the reader is there', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  const filler = Array.from({ length: 60 }, (_, n) => ({
    role: n % 2 ? ('assistant' as const) : ('user' as const),
    text: `Line ${n}.\n\n`.repeat(6),
  }))
  await storeChat(app, { id: 'long', title: 'Long talk', messages: filler })
  await openChat(app.page, 'Long talk')
  const log = transcript(app.page)
  const fromEnd = () => log.evaluate((area) => Math.round(area.scrollHeight - area.scrollTop - area.clientHeight))
  await expect.poll(fromEnd).toBeLessThan(40)

  modelServer.answer({ text: 'One more line.\n\n'.repeat(120), pieceLength: 40, holdAfter: 20 })
  await say(app.page, 'Go on')
  await expect(log.getByText('One more line.').first()).toBeVisible()
  await expect.poll(fromEnd).toBeLessThan(40)

  await log.evaluate((area) => area.scrollBy(0, -900))
  const button = app.page.getByRole('button', { name: 'New text below' })
  await expect(button).toBeVisible()
  const top = await log.evaluate((area) => area.scrollTop)
  modelServer.release()
  await expect.poll(async () => (await app.call('turns.running', {})).length).toBe(0)
  expect(Math.abs((await log.evaluate((area) => area.scrollTop)) - top)).toBeLessThan(3)
  await app.page.getByRole('button', { name: 'To the end' }).click()
  await expect.poll(fromEnd).toBeLessThan(40)
})

test('find in chat walks the branch in order and names the other versions', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await storeChat(app, {
    id: 'tides',
    title: 'Tides',
    messages: [
      { role: 'user', text: 'When is the ferry due?' },
      { role: 'assistant', text: 'The ferry is due at ten.', hidden: true },
      { role: 'assistant', text: '渡船十一点到。The ferry, that is.', below: 0 },
      { role: 'user', text: 'Thanks' },
    ],
  })
  await openChat(app.page, 'Tides')
  await app.page.keyboard.press('ControlOrMeta+f')
  const bar = app.page.getByRole('search')
  const field = bar.getByRole('searchbox').or(bar.getByRole('textbox'))
  await expect(field).toBeFocused()
  await field.fill('ferry')
  await expect(bar.getByRole('status')).toContainText('0 of 2 messages')
  await expect(bar.getByRole('status')).toContainText('1 more in other versions')
  await field.press('Enter')
  await expect(bar.getByRole('status')).toContainText('1 of 2')
  await field.press('Enter')
  await field.press('Enter')
  await expect(bar.getByRole('status')).toContainText('1 of 1 in other versions')
  await expect(transcript(app.page).getByText('The ferry is due at ten.')).toBeVisible()
  await field.fill('十一')
  await expect(bar.getByRole('status')).toContainText('in other versions')
  await field.press('Escape')
  await expect(bar).toBeHidden()
})

test('a selected passage is quoted into the message field', async ({ app, modelServer }) => {
  await readyToChat(app, modelServer)
  await storeChat(app, {
    id: 'quote',
    title: 'Quoting',
    messages: [
      { role: 'user', text: 'Tell me' },
      { role: 'assistant', text: 'The lamp turns twice a minute.' },
    ],
  })
  await openChat(app.page, 'Quoting')
  const answer = app.page.locator('.msg').last()
  await answer.getByText('The lamp turns').selectText()
  await messageMenu(app.page, answer, 'Quote in the message field')
  await expect(messageField(app.page)).toHaveValue('> The lamp turns twice a minute.\n\n')
  await expect(messageField(app.page)).toBeFocused()
})
