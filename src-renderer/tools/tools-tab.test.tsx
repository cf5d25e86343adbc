// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Session } from '../../src-main/sessions/contract'
import type { ToolListing } from '../../src-main/tools/contract'
import { useNavigation } from '../app/navigation'
import { useTranscript } from '../chat/transcript-store'
import '../i18n/i18n'
import { aSession } from '../testing/builders'
import { fakeStrata } from '../testing/fake-strata'
import { TipProvider } from '../ui/tooltip'
import { ToolButton } from './tool-button'
import { useTools } from './tool-store'
import { aServer, aTool } from './tool-test-data'
import { ToolsTab } from './tools-tab'

let strata: ReturnType<typeof fakeStrata>
let session: Session

beforeEach(() => {
  session = aSession({ toolChoices: { 'mcp/s1/other': 'off' } })
  useNavigation.setState({ sessionId: 's1' })
  useTranscript.setState({
    current: { sessionId: 's1', session, messages: [], hasMore: false, total: 0 },
    state: 'ready',
  })
  strata = fakeStrata({
    'sessions.update': ({ patch }: { patch: Partial<Session> }) => ({ ...session, ...patch }),
    'tools.list': () => useTools.getState().tools,
    'mcp.list': () => [],
    'commands.list': () => [],
  })
})
afterEach(cleanup)

const have = (tools: ToolListing[]) =>
  useTools.setState({ ...useTools.getInitialState(), tools, sessionId: 's1' }, true)
const show = () =>
  render(
    <TipProvider>
      <ToolButton sessionId="s1" />
      <ToolsTab sessionId="s1" />
    </TipProvider>,
  )

it('says what is exposed, what it costs, and why the rest is not', () => {
  have([
    aTool({ tokens: 600 }),
    aTool({ id: 'mcp/s1/other', name: 'other', available: false, reason: 'server_down', reasonDetail: 'It crashed.' }),
  ])
  show()
  expect(screen.getByText('1 tool exposed')).toBeTruthy()
  expect(screen.getByText(/pier · MCP · Its server is not running: It crashed./)).toBeTruthy()
  expect(screen.getByRole('button', { name: '1 tool' })).toBeTruthy()
})

it('keeps a choice for this chat beside the others', async () => {
  have([aTool()])
  show()
  fireEvent.click(screen.getByRole('button', { name: /^echo in this chat/ }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Run without asking here' }))
  await waitFor(() =>
    expect(strata.inputsOf('sessions.update')).toEqual([
      { sessionId: 's1', patch: {}, change: { toolChoices: { 'mcp/s1/echo': 'allow' } } },
    ]),
  )
})

it('switches a tool off for this chat from the message field, and back to what holds everywhere', async () => {
  have([aTool(), aTool({ id: 'mcp/s1/other', name: 'other', available: false, reason: 'tool_disabled' })])
  show()
  fireEvent.click(screen.getByRole('button', { name: '1 tool' }))
  const popover = await screen.findByRole('dialog', { name: 'Tools of this message' })
  fireEvent.click(within(popover).getByRole('switch', { name: 'echo in this chat' }))
  await waitFor(() => expect(strata.inputsOf('sessions.update')).toHaveLength(1))
  expect(strata.inputsOf('sessions.update')[0]).toMatchObject({ change: { toolChoices: { 'mcp/s1/echo': 'off' } } })
  fireEvent.click(within(popover).getByRole('switch', { name: 'other in this chat' }))
  await waitFor(() => expect(strata.inputsOf('sessions.update')).toHaveLength(2))
  expect(strata.inputsOf('sessions.update')[1]).toMatchObject({ change: { toolChoices: { 'mcp/s1/other': null } } })
})

it('switches a whole server for this chat, and keeps no choice that says what holds everywhere', async () => {
  have([aTool()])
  useTools.setState({ servers: [aServer(), aServer({ id: 's9', name: 'gone', enabled: false })] })
  show()
  const servers = within(screen.getByRole('region', { name: 'Servers in this chat' }))
  expect(servers.getAllByRole('switch')).toHaveLength(1)
  fireEvent.click(servers.getByRole('switch', { name: 'pier in this chat' }))
  await waitFor(() => expect(strata.inputsOf('sessions.update')).toHaveLength(1))
  expect(strata.inputsOf('sessions.update')[0]).toMatchObject({
    change: { toolChoices: { 'mcp/s1': 'off' } },
  })
  cleanup()
  session = aSession({ toolChoices: { 'mcp/s1': 'off' } })
  useTranscript.setState({
    current: { sessionId: 's1', session, messages: [], hasMore: false, total: 0 },
    state: 'ready',
  })
  have([aTool()])
  useTools.setState({ servers: [aServer()] })
  show()
  const off = screen.getByRole('switch', { name: 'pier in this chat' })
  expect(off.getAttribute('aria-checked')).toBe('false')
  fireEvent.click(off)
  await waitFor(() => expect(strata.inputsOf('sessions.update')).toHaveLength(2))
  expect(strata.inputsOf('sessions.update')[1]).toMatchObject({ change: { toolChoices: { 'mcp/s1': null } } })
})

it('says that an isolated chat withholds them all', async () => {
  have([aTool({ available: false, reason: 'isolated' })])
  show()
  fireEvent.click(screen.getByRole('button', { name: 'Tools withheld' }))
  expect((await screen.findByRole('dialog')).textContent).toContain('This chat is isolated')
  expect(screen.queryByRole('switch')).toBeNull()
})
