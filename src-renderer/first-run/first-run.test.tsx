// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ConnectionTest } from '../../src-main/models/contract'
import { settingsSchema } from '../../src-main/settings/contract'
import '../i18n/i18n'
import { useModels } from '../models/model-store'
import { useSettings } from '../settings/settings-store'
import { fakeStrata } from '../testing/fake-strata'
import { TipProvider } from '../ui/tooltip'
import { FirstRun } from './first-run'
import { useFirstRun } from './first-run-store'

const MODEL = {
  id: 'c1/deepseek-chat',
  connectionId: 'c1',
  name: 'deepseek-chat',
  contextWindow: 128_000,
  capabilities: { tools: true, vision: false, pdf: false, reasoning: true, promptCache: true },
  windowSource: 'server',
  available: true,
}
let test: ConnectionTest
let strata: ReturnType<typeof fakeStrata>

beforeEach(() => {
  test = { ok: true, models: [{ id: 'deepseek-chat', name: 'deepseek-chat' }], latencyMs: 412 }
  strata = fakeStrata({
    'connections.detect': () => [{ name: 'Ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434', models: 4 }],
    'connections.key-store': () => ({ kind: 'os', canUseFile: false }),
    'connections.test': () => test,
    'connections.save': () => ({ id: 'c1', name: 'DeepSeek', kind: 'openai-compatible' }),
    'connections.list': () => [{ id: 'c1', name: 'DeepSeek', kind: 'openai-compatible' }],
    'models.refresh': () => [MODEL],
    'models.list': () => [MODEL],
    'settings.update': () => settingsSchema.parse({ general: { firstRunDone: true } }),
  })
  useSettings.setState({ settings: settingsSchema.parse({}) })
  useModels.setState({ connections: [], models: [], loaded: true })
  useFirstRun.setState({ going: false })
  render(
    <TipProvider>
      <FirstRun />
    </TipProvider>,
  )
})
afterEach(cleanup)

const typeKey = () => fireEvent.change(screen.getByLabelText('API key'), { target: { value: 'sk-test' } })

it('keeps a connection only once its test has passed, then offers its models', async () => {
  typeKey()
  fireEvent.click(screen.getByRole('button', { name: 'Test' }))
  await screen.findByText('Answered in 412 ms. 1 model found.')
  expect(screen.getByText('128k tokens, reported')).toBeTruthy()
  expect(screen.getByText('tools, reasoning, prompt cache')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Start chatting' }))
  await waitFor(() =>
    expect(strata.inputsOf('settings.update')).toEqual([
      { patch: { general: { firstRunDone: true, defaultModelId: 'c1/deepseek-chat' } } },
    ]),
  )
})

it('shows why a test failed, and keeps nothing', async () => {
  test = { ok: false, models: [], latencyMs: 20, message: 'The key was refused. Check it and test again.' }
  typeKey()
  fireEvent.click(screen.getByRole('button', { name: 'Test' }))
  await screen.findByText('The key was refused. Check it and test again.')
  expect(strata.inputsOf('connections.save')).toEqual([])
  expect(screen.queryByRole('button', { name: 'Start chatting' })).toBeNull()
})

it('finds servers on this computer', async () => {
  await screen.findByText('4 models')
  expect(screen.getAllByText('not running')).toHaveLength(2)
  fireEvent.click(screen.getByRole('radio', { name: /Ollama/ }))
  expect((screen.getByLabelText('Address') as HTMLInputElement).value).toBe('http://127.0.0.1:11434')
})
