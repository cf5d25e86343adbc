import { project } from '../context/assemble/project'
import type { ProjectedRequest, RequestEntry } from '../context/request-contract'
import { withoutSecrets } from '../context/secrets'
import { AppError } from '../ipc/app-error'
import type { BackgroundModel } from '../models/contract'
import type { Settings } from '../settings/contract'
import { type Attempt, askLearning } from './learn-from-refusals'
import type { ModelTarget, TurnModels } from './ports'

const NO_FILES = async (): Promise<Uint8Array> => {
  throw new Error('A background call carries no files.')
}

const entriesOf = (instruction: string, text: string): RequestEntry[] => [
  {
    kind: 'leading',
    group: 'stable',
    parts: [
      {
        type: 'text',
        pieces: [{ segment: 'app', sourceId: 'background', label: 'Background instruction', text: instruction }],
      },
    ],
  },
  {
    kind: 'message',
    role: 'user',
    messageId: 'background',
    parts: [{ type: 'text', pieces: [{ segment: 'history', sourceId: 'background', label: 'Material', text }] }],
  },
]

/** Titles, summaries and the profile, none of them with secrets: the same projection and learning as a turn, none of its blocks or tools. */
export function createBackgroundModel(models: TurnModels, settings: () => Settings): BackgroundModel {
  const requestFor = (target: ModelTarget, entries: RequestEntry[], maxOutputTokens: number): ProjectedRequest => {
    const { messages, trace } = project(entries, target.profile, { appPrefix: '' })
    return { messages, tools: [], maxOutputTokens, trace }
  }
  return {
    async complete({ modelId, instruction, text, maxOutputTokens, signal }) {
      const { backgroundModelId, defaultModelId } = settings().general
      const chosen = modelId ?? backgroundModelId ?? defaultModelId ?? models.fallbackModel()
      if (chosen === undefined)
        throw new AppError('not_found', 'No model is chosen for background work. Pick one in Settings → General.')
      const entries = entriesOf(instruction, withoutSecrets(text))
      const target = await models.target(chosen)
      if (target.connection.kind === 'dry-run')
        throw new AppError('conflict', 'The dry run asks no model, so it writes no titles and summaries.')
      const { answer, error } = await askLearning(models, target, (to) =>
        oneCall(models, requestFor(to, entries, maxOutputTokens), to, signal),
      )
      if (error) throw error
      return answer.trim()
    },
  }
}

async function oneCall(
  models: TurnModels,
  request: ProjectedRequest,
  target: ModelTarget,
  signal: AbortSignal,
): Promise<Attempt & { answer: string }> {
  let answer = ''
  const end = () => ({ answer, spoke: answer !== '', stopped: signal.aborted })
  for await (const part of models.stream(request, target, { signal, readFile: NO_FILES, onSent: () => undefined })) {
    if (part.type === 'text') answer += part.text
    if (part.type === 'text-was-reasoning') answer = ''
    if (part.type === 'error') return { ...end(), error: part.error }
  }
  return end()
}
