import type { StrataApp } from './launch-app'
import type { ModelServer } from './model-server'

/** Connects the app to the scripted server and makes its first model the default. Returns the model's id. */
export async function connectModel(app: StrataApp, server: ModelServer): Promise<string> {
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
export async function newestMessage(app: StrataApp, sessionId: string) {
  const { messages } = await app.call('sessions.get', { sessionId })
  const message = messages.at(-1)
  if (!message) throw new Error('The session has no message.')
  return message
}
