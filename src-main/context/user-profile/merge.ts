import { z } from 'zod'
import { AppError } from '../../ipc/app-error'
import type { ProfileFact } from './contract'
import type { ProfileContent } from './repository'

const proposalSchema = z.object({
  overview: z.string().max(20_000).optional(),
  facts: z
    .array(
      z.object({
        category: z.string().max(200).default('other'),
        statement: z.string().min(1).max(2000),
        confidence: z.number().min(0).max(1).default(0.6),
        /** Id of a known fact that this one replaces. */
        replaces: z.string().optional(),
      }),
    )
    .max(100)
    .default([]),
})
export type ProfileProposal = z.output<typeof proposalSchema>

const MOST_FACTS = 300

/** Reads the model's JSON, with or without a code fence or words around it. */
export function readProposal(answer: string): ProfileProposal {
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  const said = () =>
    new AppError(
      'model.rejected',
      'The model did not answer with the JSON a profile needs. It is tried again; another background model can be chosen in Settings.',
    )
  if (from === -1 || to <= from) throw said()
  let value: unknown
  try {
    value = JSON.parse(answer.slice(from, to + 1))
  } catch (cause) {
    throw new AppError('model.rejected', said().message, { cause })
  }
  const parsed = proposalSchema.safeParse(value)
  if (!parsed.success) throw said()
  return parsed.data
}

const normal = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim()

/** Adds to what is known instead of rewriting it: a fact seen again gains evidence, a replaced one makes way. */
export function mergeProfile(
  known: ProfileContent,
  proposal: ProfileProposal,
  seen: { at: string; sessionIds: readonly string[]; newId: () => string; isOverviewShown?: boolean },
): ProfileContent {
  const facts = known.facts.map((fact) => ({ ...fact }))
  for (const proposed of proposal.facts) {
    const same = facts.find((fact) => normal(fact.statement) === normal(proposed.statement))
    if (same) {
      same.evidenceCount += 1
      same.lastSeen = seen.at
      same.confidence = Math.min(1, Math.max(same.confidence, proposed.confidence))
      same.sourceSessions = [...new Set([...same.sourceSessions, ...seen.sessionIds])].slice(-20)
      continue
    }
    const fresh: ProfileFact = {
      id: seen.newId(),
      category: proposed.category,
      statement: proposed.statement.trim(),
      confidence: proposed.confidence,
      evidenceCount: 1,
      firstSeen: seen.at,
      lastSeen: seen.at,
      sourceSessions: [...seen.sessionIds].slice(-20),
    }
    const replaced = facts.findIndex((fact) => fact.id === proposed.replaces)
    if (replaced === -1) facts.push(fresh)
    else facts.splice(replaced, 1, fresh)
  }
  const overview = proposal.overview?.trim()
  const kept = overview === undefined || overview === '' || overview === known.overview
  const sessions = kept ? known.overviewSessions : overviewSessionsOf(known, seen)
  return {
    overview: kept ? known.overview : overview,
    facts: facts.slice(0, MOST_FACTS),
    ...(sessions === undefined ? {} : { overviewSessions: sessions }),
  }
}

/** A new overview is made of the one it was shown and of what was read. One a person wrote is theirs: it stays untraced. */
function overviewSessionsOf(
  known: ProfileContent,
  seen: { sessionIds: readonly string[]; isOverviewShown?: boolean },
): string[] | undefined {
  if (seen.isOverviewShown === false || known.overview === '') return [...seen.sessionIds]
  return known.overviewSessions && [...new Set([...known.overviewSessions, ...seen.sessionIds])]
}
