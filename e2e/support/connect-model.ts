import type { Calls } from '../../src-main/app-contract'
import type { OutputOf, RawInputOf } from '../../src-main/ipc/contract'
import type { ModelServer } from './model-server'

/** The app, in a window or without one. */
interface Callable {
  call<Name extends keyof Calls>(name: Name, input: RawInputOf<Calls[Name]>): Promise<OutputOf<Calls[Name]>>
}

/** Connects the app to the scripted server and makes its first model the default. Returns the model's id. */
export async function connectModel(app: Callable, server: ModelServer): Promise<string> {
  const { id } = await app.call('connections.save', {
    name: 'Scripted',
    kind: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
    apiKey: 'sk-scripted-000000000001',
  })
  const [model] = await app.call('models.refresh', { connectionId: id })
  if (!model) throw new Error('The model server lists no model.')
  await app.call('settings.update', { patch: { general: { defaultModelId: model.id, titleFromModel: false } } })
  return model.id
}

/** The newest message of a session, as it is stored now. */
export async function newestMessage(app: Callable, sessionId: string) {
  const { messages } = await app.call('sessions.get', { sessionId })
  const message = messages.at(-1)
  if (!message) throw new Error('The session has no message.')
  return message
}
