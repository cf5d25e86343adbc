import { asMessage, type Said, said, saidTogether } from '../ipc/said-contract'
import type { LearnedThing } from './contract'
import { type Lesson, lessonsIn } from './lesson-repository'
import type { RequestFit } from './request-fit'

function fitWords(fit: RequestFit): Said {
  const [path] = fit.leaveOut ?? []
  if (path === 'tools') return said`Tools are not sent`
  if (path !== undefined) return said`${path} is not sent`
  for (const [from, to] of Object.entries(fit.rename ?? {})) return said`${from} is sent as ${to}`
  for (const [name, number] of Object.entries(fit.most ?? {})) return said`${name} is ${number} at most`
  if (fit.emptyContent) return said`Beside tool calls stands an empty text, not null`
  if (fit.reasoningBack === 'demanded') return said`The thinking of earlier answers goes back`
  if (fit.reasoningBack === 'refused') return said`The thinking of earlier answers is not sent`
  return said`A request never ends with the model’s own words`
}

/** One line a lesson, as the connection's page lists it. */
export const lessonLines = (fit: RequestFit): Said[] => lessonsIn(fit).map((lesson) => fitWords(lesson.fit))

/** Told on the turn when a refused request goes again. */
export const sentAgainWords = (fit: RequestFit): Said =>
  said`The server refused this request, so it was sent again in another way: ${saidTogether(lessonLines(fit), '; ')}. Settings → Connections lists what was learned.`

export function shownLesson({ id, model, teaches, status, words, learnedAt }: Lesson): LearnedThing {
  const { text, words: said } = lessonSentence(teaches.fit, teaches.what)
  return {
    id,
    at: learnedAt,
    what: text,
    ...(said && { words: said }),
    ...(model === '' ? {} : { model }),
    ...(status === undefined ? {} : { status }),
    said: words,
  }
}

function lessonSentence(fit: RequestFit | undefined, what: string | undefined) {
  const { message, words } = asMessage(fit ? saidTogether(lessonLines(fit), '; ') : (what ?? ''))
  return { text: message, words }
}
