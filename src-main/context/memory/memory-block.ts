import { asDetail, type Said, type Sentence, said, saidTogether } from '../../ipc/said-contract'
import { framingFor } from '../assemble/templates'
import type { BlockSource, TurnInput } from '../block-source'
import type { AbsentCode, BlockItem, ContextBlock, Verdict } from '../contract'
import { isTopic } from './retrieval/topics'
import type { Retrieval, RetrievalCandidate, RetrievalDegraded } from './retrieval-contract'
import type { Retrieved, Stays } from './retrieve'

const BLOCK = 'memory' as const
const LABEL_CHARACTERS = 80

export interface MemoryBlockDeps {
  retrieve: (turn: {
    draft: string
    previous?: string
    stays: Stays
    topK: number
    mode: 'hybrid' | 'vector' | 'keyword'
    threshold?: number
    now: { epochMs: number; iso: string }
    count: (text: string) => number
    signal: AbortSignal
  }) => Promise<Retrieved>
  /** First words of memories that were left out, for the inspector. */
  labels: (ids: readonly string[]) => ReadonlyMap<string, string>
  /** Writes down what a sent turn retrieved. Previews never come here. */
  recordUse: (retrieval: Retrieval, sent: { sessionId: string; messageId: string }) => void
}

/** The memory block of a turn: what was found, and for everything else why not. Writes nothing until the turn is sent. */
export function createMemorySource(deps: MemoryBlockDeps): BlockSource {
  return {
    block: BLOCK,
    async collect(turn, signal) {
      const { memory } = turn.settings
      if (turn.isolated) return absent('isolated')
      if (turn.temporary) return absent('temporary', 'Temporary chats neither read nor keep memories.')
      if (turn.overrides.blocksOff?.includes(BLOCK)) return absent('what_if')
      if (!memory.enabled) return absent('off')
      const { previous, stays } = askedWith(turn)
      const { retrieval, injected } = await deps.retrieve({
        draft: turn.draft,
        ...(previous === undefined ? {} : { previous }),
        stays,
        topK: turn.overrides.topK ?? memory.topK,
        mode: memory.mode,
        ...(memory.threshold === null ? {} : { threshold: memory.threshold }),
        now: turn.now,
        count: (text) => turn.counter.count(text),
        signal,
      })
      const labels = deps.labels(retrieval.candidates.map((candidate) => candidate.memoryId))
      const rejected = retrieval.candidates
        .filter((candidate) => candidate.verdict !== 'injected')
        .map((candidate) => verdictOf(candidate, labels.get(candidate.memoryId) ?? candidate.memoryId))
      if (injected.length === 0) {
        const reason = retrieval.absent ?? 'nothing_relevant'
        return { ...absent(reason, detailOf(retrieval)), rejected, record: retrieval }
      }
      const items = injected.map(
        (entry, order): BlockItem => ({
          id: entry.row.id,
          label: labels.get(entry.row.id) ?? entry.row.id,
          text: entry.text,
          placement: { at: 'block' },
          cacheHint: retrieval.mode === 'all' ? 'stable' : 'dynamic',
          order,
          why:
            retrieval.mode === 'all'
              ? { code: 'always', detail: 'Top K is 0: every active memory goes in.' }
              : { code: 'retrieved', score: entry.score, ...asDetail(whyOf(retrieval, entry.row.id)) },
        }),
      )
      return {
        block: BLOCK,
        items,
        rejected,
        ownText: false,
        framing: framingFor(BLOCK, turn.language, turn.settings.context.templates, { count: items.length }),
        record: retrieval,
        commit: ({ replyMessageId }) =>
          deps.recordUse(retrieval, { sessionId: turn.sessionId, messageId: replyMessageId }),
      }
    },
  }
}

function absent(reason: AbsentCode, detail?: Said): ContextBlock {
  return {
    block: BLOCK,
    items: [],
    rejected: [],
    ownText: false,
    absent: { block: BLOCK, reason, ...asDetail(detail) },
  }
}

/**
 * The user turn before the newest one on the uncut branch, and what of both was written under isolation. In a chat that
 * is isolated the draft counts as such too: a what-if looks past the switch, and must not send for it.
 */
function askedWith(turn: TurnInput): { previous: string | undefined; stays: Stays } {
  const said = turn.branch.filter((message) => message.role === 'user')
  const isAsked = said.at(-1)?.text === turn.draft
  const asked = isAsked ? said.at(-1) : undefined
  const before = isAsked ? said.at(-2) : said.at(-1)
  const chatIsIsolated = turn.session.isolation && turn.session.worldbookIds.length > 0
  return {
    previous: before?.text.trim() ? before.text : undefined,
    stays: { draft: chatIsIsolated || asked?.isolated === true, previous: before?.isolated === true },
  }
}

function detailOf(retrieval: Retrieval): Sentence | undefined {
  const parts: Said[] = []
  if (retrieval.degraded) parts.push(sentenceOf(retrieval.degraded))
  const best = retrieval.candidates.find(
    (candidate) => candidate.verdict === 'below_margin' || candidate.verdict === 'below_threshold',
  )
  if (retrieval.absent === 'nothing_relevant') {
    parts.push(
      best === undefined
        ? said`None of ${retrieval.active} memories had anything in common with the draft.`
        : said`The best of ${retrieval.active} memories scored ${best.score.toFixed(2)} and did not stand out.`,
    )
  }
  if (retrieval.absent === 'empty_query') parts.push('The draft holds no word to look for.')
  return parts.length > 0 ? saidTogether(parts) : undefined
}

const sentenceOf = ({ reason, words }: RetrievalDegraded): Said => (words ? { text: reason, words } : reason)

function whyOf(retrieval: Retrieval, id: string): Sentence {
  const candidate = retrieval.candidates.find((entry) => entry.memoryId === id)
  const matched = candidate?.matched ?? []
  const words = matched
    .filter((token) => !isTopic(token))
    .slice(0, 6)
    .join(', ')
  const parts: Said[] = [said`rank ${candidate?.rank ?? 0} of ${retrieval.considered}`]
  if (words !== '') parts.push(said`words: ${words}`)
  if (matched.some(isTopic)) parts.push('about the same thing')
  if (candidate?.raw.dense !== undefined) parts.push(said`similarity ${candidate.raw.dense.toFixed(2)}`)
  if (candidate?.past) parts.push('no longer holds; the question asks about the past')
  if (retrieval.degraded) parts.push(sentenceOf(retrieval.degraded))
  return saidTogether(parts, '; ')
}

function verdictOf(candidate: RetrievalCandidate, label: string): Verdict {
  return {
    block: BLOCK,
    sourceId: candidate.memoryId,
    label,
    reason: candidate.verdict,
    score: candidate.score,
    ...(candidate.tokens === undefined ? {} : { tokens: candidate.tokens }),
  }
}

/** A memory's first words. */
export function labelOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length <= LABEL_CHARACTERS ? line : `${[...line].slice(0, LABEL_CHARACTERS).join('')}…`
}
