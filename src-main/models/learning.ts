import type { Emit } from '../app-contract'
import type { AppError } from '../ipc/app-error'
import type { Said } from '../ipc/said-contract'
import type { WriteDatabase } from '../storage/database'
import type { ModelClient, ModelTarget, SendOptions } from './client-types'
import { lessonsIn, profileSubject, saveLesson } from './lesson-repository'
import { sentAgainWords } from './lesson-words'
import { type RefusalDetails, refusalDetails } from './model-errors'
import { type Tightened, tighten } from './profiles'
import { isRefusal, readRefusal } from './refusals/read-refusal'
import { findConnection, overrule } from './repository'
import { mergeFits, type RequestFit } from './request-fit'

/** What a refusal teaches, not yet remembered: only what made a difference is. */
export interface Learned<Target = ModelTarget> {
  /** To project for and to ask again. */
  target: Target
  /** One sentence for people. */
  what: Said
  /** Remembers it on the connection. Call it once the changed request was taken. */
  keep(): void
}

export interface LearningDeps {
  database: WriteDatabase
  ids: () => string
  /** ISO 8601. */
  now: () => string
  emit: Emit
}

type Stream = ModelClient['stream']

/** Learns from refusals. What was sent is noted for each failure, because a refusal only counts for what was sent. */
export function createLearning(deps: LearningDeps) {
  const bodies = new WeakMap<AppError, string>()
  return {
    /** The same way to a model, noting the JSON body that led to each failure. */
    noting: (stream: Stream): Stream =>
      async function* (request, target, options) {
        let body = ''
        const onSent: SendOptions['onSent'] = (wire) => {
          body = wire.body
          options.onSent?.(wire)
        }
        for await (const part of stream(request, target, { ...options, onSent })) {
          if (part.type === 'error') bodies.set(part.error, body)
          yield part
        }
      },
    /** Undefined when there is nothing to learn. */
    learn(target: ModelTarget, error: AppError): Learned | undefined {
      const refusal = refusalDetails(error)
      if (!refusal || !isRefusal(refusal)) return undefined
      const tightened = tighten(target.profile, refusal.serverText)
      if (tightened) return learnedRoles(deps, target, refusal, tightened)
      const body = bodies.get(error)
      if (!body) return undefined
      const fit = readRefusal(refusal, { body, kind: target.connection.kind, fit: target.fit ?? {} })
      return fit && learnedFields(deps, target, refusal, fit)
    },
  }
}

function learnedRoles(deps: LearningDeps, target: ModelTarget, refusal: RefusalDetails, step: Tightened): Learned {
  const { changed, what } = step
  const keep = () => {
    remember(deps, target, refusal, [
      { subject: profileSubject(changed), model: '', teaches: { profile: changed, what } },
    ])
    overrule(deps.database, target.connection.id, changed)
    deps.emit('connections.changed', { ids: [target.connection.id] })
  }
  return { target: { ...target, profile: step.profile }, what, keep }
}

const WITHOUT_TOOLS =
  'This model calls no tools, so they are left out from now on. Models → Tools switches them on again.'

function learnedFields(deps: LearningDeps, target: ModelTarget, refusal: RefusalDetails, fit: RequestFit): Learned {
  const { model } = target
  const noTools = fit.leaveOut?.includes('tools') === true
  const keep = () => {
    remember(
      deps,
      target,
      refusal,
      lessonsIn(fit).map((lesson) => ({ subject: lesson.subject, model: model.name, teaches: { fit: lesson.fit } })),
    )
    deps.emit('connections.changed', { ids: [target.connection.id] })
    if (noTools) deps.emit('models.changed', { ids: [model.id] })
  }
  return {
    target: {
      ...target,
      fit: mergeFits(target.fit ?? {}, fit),
      ...(noTools && { model: { ...model, capabilities: { ...model.capabilities, tools: false } } }),
    },
    what: noTools && lessonsIn(fit).length === 1 ? WITHOUT_TOOLS : sentAgainWords(fit),
    keep,
  }
}

function remember(
  deps: LearningDeps,
  target: ModelTarget,
  refusal: RefusalDetails,
  lessons: readonly Pick<Parameters<typeof saveLesson>[1], 'subject' | 'model' | 'teaches'>[],
): void {
  const { database } = deps
  if (!findConnection(database, target.connection.id)) return
  for (const lesson of lessons) {
    saveLesson(database, {
      ...lesson,
      id: deps.ids(),
      connectionId: target.connection.id,
      ...(refusal.status === undefined ? {} : { status: refusal.status }),
      words: refusal.serverText,
      learnedAt: deps.now(),
    })
  }
}
