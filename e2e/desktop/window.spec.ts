import { expect, test } from '../support/launch-app'
import { electronExecutable } from '../support/running-hosts'

test('links go to the browser after a click, other schemes nowhere, and nothing opens inside', async ({ app }) => {
  await app.electronApp.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    Object.assign(shell, { openExternal: async (url: string) => void opened.push(url) })
  })
  const opened = () => app.electronApp.evaluate(() => Reflect.get(globalThis, 'opened'))
  // The page is replaced only once it stands: its own script looks for the root when it runs.
  await expect(app.page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await app.page.evaluate(() => {
    const names = [
      ['web', 'https://example.invalid/page'],
      ['file', 'file:///etc/passwd'],
      ['mail', 'smb://example.invalid/share'],
    ]
    document.body.innerHTML = names.map(([name, url]) => `<a href="${url}" target="_blank">${name}</a><br>`).join('')
  })
  for (const name of ['file', 'mail', 'web']) await app.page.getByRole('link', { name }).click()
  await expect.poll(opened).toEqual(['https://example.invalid/page'])
  expect(app.electronApp.windows()).toHaveLength(1)
})

test('the window is isolated and comes back where it was', async ({ app }) => {
  const reach = await app.page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer'].filter((name) => name in window),
  )
  expect(reach).toEqual([])
  const isShown = await app.electronApp.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    window?.setBounds({ x: 30, y: 40, width: 1010, height: 720 })
    return window?.isVisible()
  })
  expect(isShown).toBe(true)
  await app.restart()
  const bounds = await app.electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  expect(bounds).toMatchObject({ width: 1010, height: 720 })
})

test('a second start brings the window to the front', async ({ app }) => {
  const shown = await app.electronApp.evaluate(({ app: electron, BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    window?.hide()
    electron.emit('second-instance')
    return [window?.isVisible(), BrowserWindow.getAllWindows().length]
  })
  expect(shown).toEqual([true, 1])
})

test('the menu edits, zooms and shows the data folder', async ({ app }) => {
  const labels = await app.electronApp.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).map((item) => item.label || item.role),
  )
  expect(labels.map((label) => String(label).toLowerCase())).toEqual(
    expect.arrayContaining(['file', 'view', expect.stringMatching(/edit/), expect.stringMatching(/window/)]),
  )
  const canOpen = await app.electronApp.evaluate(
    ({ Menu }) => !!Menu.getApplicationMenu()?.getMenuItemById('open-data'),
  )
  expect(canOpen).toBe(true)
})

test.describe('without a keyring', () => {
  test.skip(electronExecutable().isReal, 'The real runtime asks the real system.')
  test.use({ appEnv: { STAND_IN_KEYRING: 'none' } })

  test('keys stay in memory until the person agrees to a file', async ({ app }) => {
    const draft = { name: 'home', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } as const
    expect(await app.call('connections.key-store', {})).toEqual({ kind: 'memory', canUseFile: true })
    const { id } = await app.call('connections.save', { ...draft, apiKey: 'sk-forgotten-000001' })
    await app.restart()
    const forgotten = (await app.call('connections.list', {})).find((connection) => connection.id === id)
    expect(forgotten).toMatchObject({ hasKey: false, keyStore: 'memory' })

    expect(await app.call('connections.key-store', { allowFile: true })).toMatchObject({ kind: 'file' })
    await app.call('connections.save', { ...draft, id, apiKey: 'sk-remembered-0001' })
    await app.restart()
    const kept = (await app.call('connections.list', {})).find((connection) => connection.id === id)
    expect(kept).toMatchObject({ hasKey: true, keyStore: 'file' })
  })
})
