// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandTool, McpServer, ToolListing } from '../../src-main/tools/contract'
import { useNavigation } from '../app/navigation'
import { draftOf, useDrafts } from '../composer/draft-store'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { TipProvider } from '../ui/tooltip'
import { PromptDialog } from './prompt-dialog'
import { argumentsOf } from './schema-view'
import { useTools } from './tool-store'
import { aCommand, aServer, aTool } from './tool-test-data'
import { useToolView } from './tool-view-store'
import { ToolsPage } from './tools-page'

let tools: ToolListing[]
let servers: McpServer[]
let commands: CommandTool[]
let shortcuts: { name: string; description: string; argv: string[] }[]
let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  tools = [
    aTool(),
    aTool({
      id: 'built-in/search_memory',
      origin: 'built-in',
      name: 'search_memory',
      available: false,
      reason: 'active_retrieval_off',
      policy: 'allow',
    }),
  ]
  servers = [
    aServer({ prompts: [{ name: 'greet', description: 'A greeting' }] }),
    aServer({ id: 's2', name: 'wreck', state: 'failed', lastError: 'The command “nope” was not found.' }),
  ]
  commands = []
  shortcuts = []
  useTools.setState(useTools.getInitialState(), true)
  useToolView.setState(useToolView.getInitialState(), true)
  useNavigation.setState({ place: 'tools', placeTarget: null, sessionId: null, listOpen: true })
  useDrafts.setState({ drafts: {} })
  strata = fakeStrata({
    'tools.list': () => tools,
    'mcp.list': () => servers,
    'commands.list': () => commands,
    'commands.shortcuts': () => ({ names: [], commands: shortcuts }),
    'commands.save': (input: CommandTool) => ({ ...input, id: 'c1', env: {}, enabled: true }),
    'commands.test': () => ({ outcome: 'completed', output: 'three notes', elapsedMs: 12 }),
    'tools.set': () => aTool(),
    'tools.propose-description': () => ({ description: 'Says a message again.' }),
    'mcp.log': () => ({ lines: ['spawn nope ENOENT'] }),
    'mcp.restart': ({ id }: { id: string }) => servers.find((server) => server.id === id),
    'mcp.save': (input: McpServer) => ({ ...aServer(), ...input, id: 's1' }),
    'mcp.prompt': () => ({ text: 'Greet the harbour master.' }),
    'mcp.import': ({ json, dryRun }: { json: string; dryRun?: boolean }) => {
      if (!json.startsWith('{')) throw new Error('This is no JSON: line 1.')
      return {
        servers: [aServer({ id: dryRun ? '' : 's3', name: 'files', secretNames: ['TOKEN'] })],
        skipped: [{ name: 'pier', reason: 'A server with this name is there already.' }],
      }
    },
    'drafts.save': () => ({ saved: true }),
  })
})
afterEach(cleanup)

const show = () =>
  render(
    <TipProvider>
      <ToolsPage />
      <PromptDialog />
    </TipProvider>,
  )
const row = async (name: string) => {
  const cell = await screen.findByRole('button', { name: new RegExp(`^${name}`) })
  return cell.closest('tr') as HTMLElement
}

describe('the tool centre', () => {
  it('lists tools with cost, permission and the reason why one is not there', async () => {
    show()
    expect((await row('echo')).textContent).toContain('≈55')
    expect((await row('echo')).textContent).toContain('exposed')
    const search = await row('search_memory')
    expect(search.textContent).toContain('searching off')
    fireEvent.click(within(search).getByRole('button'))
    expect(screen.getByText('The model may not search memories by itself')).toBeTruthy()
    expect(screen.getByText(/1 of 2 exposed/)).toBeTruthy()
  })

  it('switches a tool off and changes its permission for all chats', async () => {
    show()
    fireEvent.click(within(await row('echo')).getByRole('switch'))
    fireEvent.change(within(await row('echo')).getByRole('combobox'), { target: { value: 'deny' } })
    await waitFor(() =>
      expect(strata.inputsOf('tools.set')).toEqual([
        { toolId: 'mcp/s1/echo', enabled: false },
        { toolId: 'mcp/s1/echo', policy: 'deny' },
      ]),
    )
  })

  it('shows the general permission where a chat has its own', async () => {
    useNavigation.setState({ sessionId: 'chat' })
    strata = fakeStrata({
      'mcp.list': () => servers,
      'commands.list': () => [],
      'tools.list': ({ sessionId }: { sessionId?: string }) => [aTool({ policy: sessionId ? 'allow' : 'ask' })],
    })
    show()
    expect((within(await row('echo')).getByRole('combobox') as HTMLSelectElement).value).toBe('ask')
  })

  it('proposes a description, and keeps it only when told to', async () => {
    show()
    fireEvent.click(within(await row('echo')).getByRole('button'))
    const details = screen.getByRole('region', { name: 'echo' })
    expect(details.textContent).toContain('Message to echo')
    fireEvent.click(within(details).getByRole('button', { name: 'Propose better words' }))
    const field = await within(details).findByDisplayValue('Says a message again.')
    expect(strata.inputsOf('tools.set')).toEqual([])
    fireEvent.change(field, { target: { value: 'Says a message once more.' } })
    fireEvent.click(within(details).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(strata.inputsOf('tools.set')).toEqual([
        { toolId: 'mcp/s1/echo', description: 'Says a message once more.' },
      ]),
    )
  })
})

it('puts no proposal over words typed while it was made', async () => {
  let answer: (made: unknown) => void = () => undefined
  strata.answer('tools.propose-description', () => new Promise((resolve) => (answer = resolve)))
  show()
  fireEvent.click(within(await row('echo')).getByRole('button'))
  const details = screen.getByRole('region', { name: 'echo' })
  fireEvent.click(within(details).getByRole('button', { name: 'Propose better words' }))
  fireEvent.change(within(details).getByRole('textbox'), { target: { value: 'My own words.' } })
  answer({ description: 'Says a message again.' })
  await within(details).findByRole('button', { name: 'Propose better words' })
  expect(within(details).getByDisplayValue('My own words.')).toBeTruthy()
  fireEvent.click(within(details).getByRole('button', { name: 'Cancel' }))
})

it('switches a server or a command without writing the rest of it back', async () => {
  commands = [aCommand]
  useToolView.setState({ view: 's1' })
  show()
  fireEvent.click(await screen.findByRole('switch', { name: 'Enabled' }))
  await waitFor(() => expect(strata.inputsOf('mcp.save')).toEqual([{ id: 's1', enabled: false }]))
  cleanup()
  useToolView.setState({ view: 'command' })
  show()
  fireEvent.click(await screen.findByRole('switch'))
  await waitFor(() =>
    expect(strata.inputsOf('commands.save')).toEqual([{ id: aCommand.id, enabled: !aCommand.enabled }]),
  )
})

describe('servers', () => {
  it('shows what went wrong and what the server said', async () => {
    show()
    fireEvent.click(await screen.findByRole('button', { name: /^wreck/ }))
    expect(screen.getByRole('alert').textContent).toContain('The command “nope” was not found.')
    expect(await screen.findByText('spawn nope ENOENT')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Start and test' }))
    await waitFor(() => expect(strata.inputsOf('mcp.restart')).toEqual([{ id: 's2' }]))
  })

  it('reads pasted JSON before anything is added', async () => {
    show()
    await row('echo')
    fireEvent.click(screen.getByRole('button', { name: 'Add servers' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add servers' })
    const field = within(dialog).getByRole('textbox', { name: 'Configuration' })
    fireEvent.change(field, { target: { value: 'nonsense' } })
    expect(await within(dialog).findByText('This is no JSON: line 1.')).toBeTruthy()
    fireEvent.change(field, { target: { value: '{"mcpServers":{}}' } })
    const found = await within(dialog).findByRole('list', { name: 'What was found' })
    expect(found.textContent).toContain('files')
    expect(found.textContent).toContain('secret: TOKEN')
    expect(found.textContent).toContain('A server with this name is there already.')
    expect(strata.inputsOf('mcp.import').every((input) => (input as { dryRun?: boolean }).dryRun)).toBe(true)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add 1 server' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(strata.inputsOf('mcp.import').at(-1)).toEqual({ json: '{"mcpServers":{}}' })
    expect(strata.inputsOf('mcp.restart')).toEqual([{ id: 's3' }])
  })

  it('is added by form, arguments line by line and keys as secrets', async () => {
    show()
    await row('echo')
    useToolView.setState({ dialog: { kind: 'server', server: null, how: 'form' } })
    const dialog = await screen.findByRole('dialog', { name: 'Add servers' })
    const fill = (label: string, value: string) =>
      fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
    fill('Name', 'files')
    fill('Command', 'npx')
    fill('Arguments', '-y\nserver files')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add a line' }))
    fireEvent.change(within(dialog).getAllByLabelText('Name')[1] as HTMLElement, { target: { value: 'API_KEY' } })
    fill('Value', 'k1')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save and start' }))
    await waitFor(() =>
      expect(strata.inputsOf('mcp.save')).toEqual([
        {
          name: 'files',
          selectedForChat: true,
          secretNames: ['API_KEY'],
          transport: { kind: 'stdio', command: 'npx', args: ['-y', 'server files'], env: { API_KEY: 'k1' } },
        },
      ]),
    )
  })

  it('offers its texts for the message field', async () => {
    show()
    fireEvent.click(await screen.findByRole('button', { name: /^pier/ }))
    fireEvent.click(screen.getByRole('button', { name: 'greet' }))
    expect(await screen.findByText('Greet the harbour master.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Insert into the message' }))
    expect(draftOf(null).text).toBe('Greet the harbour master.')
    expect(useNavigation.getState().place).toBe('chats')
  })
})

describe('a text a server offers', () => {
  const openPrompt = async (asked: NonNullable<McpServer['prompts']>[number]) => {
    servers = [aServer({ prompts: [asked] })]
    show()
    fireEvent.click(await screen.findByRole('button', { name: /^pier/ }))
    fireEvent.click(await screen.findByRole('button', { name: asked.name }))
    return within(await screen.findByRole('dialog', { name: asked.name }))
  }

  it('asks for each argument by its name, and is read once the required ones are there', async () => {
    const dialog = await openPrompt({
      name: 'route',
      arguments: [
        { name: 'from', description: 'The port you leave', required: true },
        { name: 'via', required: false },
      ],
    })
    expect(dialog.getByText('The port you leave')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Read it' }).hasAttribute('disabled')).toBe(true)
    expect(strata.inputsOf('mcp.prompt')).toEqual([])
    fireEvent.change(dialog.getByLabelText('from (required)'), { target: { value: 'Porto' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Read it' }))
    expect(await dialog.findByText('Greet the harbour master.')).toBeTruthy()
    expect(strata.inputsOf('mcp.prompt')).toEqual([{ id: 's1', prompt: 'route', arguments: { from: 'Porto' } }])
    fireEvent.change(dialog.getByLabelText('via'), { target: { value: 'Lisbon' } })
    expect(dialog.getByRole('button', { name: 'Insert into the message' }).hasAttribute('disabled')).toBe(true)
  })

  it('is read at once where it takes nothing', async () => {
    const dialog = await openPrompt({ name: 'greet' })
    expect(await dialog.findByText('Greet the harbour master.')).toBeTruthy()
    expect(dialog.getByText('It takes no arguments.')).toBeTruthy()
  })
})

describe('commands', () => {
  it('are offered from the shortcuts of the system, each once', async () => {
    shortcuts = [
      { name: 'shortcut_log_water', description: 'Logs water.', argv: ['/usr/bin/shortcuts', 'run', 'Log Water'] },
      { name: 'shortcut_lights', description: 'Lights.', argv: ['/usr/bin/shortcuts', 'run', 'Lights'] },
    ]
    commands = [{ ...aCommand, name: 'lights', argv: ['/usr/bin/shortcuts', 'run', 'Lights'] }]
    show()
    fireEvent.click(await screen.findByRole('button', { name: /^Commands/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'From Shortcuts' }))
    const known = await screen.findByRole('menuitemcheckbox', { name: 'Lights' })
    expect(known.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Log Water' }))
    await waitFor(() => expect(strata.inputsOf('commands.save')).toEqual([shortcuts[0]]))
  })

  it('are written as an argument list and run once for a test', async () => {
    show()
    fireEvent.click(await screen.findByRole('button', { name: /^Commands/ }))
    fireEvent.click(screen.getAllByRole('button', { name: 'Add a command' })[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'Add a command' })
    const fill = (label: string, value: string) =>
      fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
    fill('Name', 'find_notes')
    fill('Argument list', 'grep\n-r\n{words}')
    fill('Arguments, as JSON Schema', '{"type":')
    expect(within(dialog).getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
    fill('Arguments, as JSON Schema', '{"type":"object","properties":{"words":{"type":"string"}}}')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save and test' }))
    await waitFor(() =>
      expect(strata.inputsOf('commands.save')[0]).toMatchObject({
        name: 'find_notes',
        argv: ['grep', '-r', '{words}'],
        workingFolder: null,
        timeoutSeconds: 30,
      }),
    )
    const test = await screen.findByRole('region', { name: 'Test' })
    fireEvent.change(within(test).getByRole('textbox'), { target: { value: '{"words":"tide"}' } })
    fireEvent.click(within(test).getByRole('button', { name: 'Run once' }))
    expect(await within(test).findByText('three notes')).toBeTruthy()
    expect(strata.inputsOf('commands.test')).toEqual([{ id: 'c1', arguments: { words: 'tide' } }])
  })
})

it('reads the arguments out of a schema, and nothing out of a broken one', () => {
  expect(
    argumentsOf({ properties: { a: { type: 'array', items: { type: 'string' } }, b: { enum: ['x', 2] }, c: 7 } }),
  ).toEqual([
    { name: 'a', type: 'string[]', required: false, description: '' },
    { name: 'b', type: 'x | 2', required: false, description: '' },
    { name: 'c', type: '', required: false, description: '' },
  ])
  expect(argumentsOf('none')).toEqual([])
})
