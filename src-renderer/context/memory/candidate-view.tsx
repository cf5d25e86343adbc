import { useTranslation } from 'react-i18next'
import type { Memory } from '../../../src-main/context/memory/contract'
import {
  RETRIEVAL_PARTS,
  type RetrievalCandidate,
  type RetrievalPart,
} from '../../../src-main/context/memory/retrieval-contract'
import { openPlace } from '../../app/navigation'
import { formatWhen, langOf } from '../../i18n/format'
import { Mark, type MarkTone } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { matchedWords } from './memory-words'

const PRIORS: readonly RetrievalPart[] = ['recency', 'importance', 'confidence']
const MAIN = RETRIEVAL_PARTS.filter((part) => !PRIORS.includes(part))

/** One candidate of a retrieval: its words, its score taken apart, and what became of it. */
export function CandidateView({ candidate, memory }: { candidate: RetrievalCandidate; memory: Memory | undefined }) {
  const { t } = useTranslation('memory')
  const injected = candidate.verdict === 'injected'
  const text = memory?.text ?? t('tab.gone')
  return (
    <article className={cx('mem', !injected && 'no')} aria-label={t('tab.candidate', { rank: candidate.rank })}>
      <span className="rank num">{candidate.rank}</span>
      <button
        type="button"
        className="txt plain"
        lang={langOf(text)}
        disabled={!memory}
        onClick={() => openPlace('memory', candidate.memoryId)}
      >
        {text.slice(0, 300)}
      </button>
      <span className="score num">{candidate.score.toFixed(2)}</span>
      <Parts candidate={candidate} />
      <p className="v">
        <Mark tone={toneOf(candidate)}>{t(`verdict.${candidate.verdict}`)}</Mark>
        <span className="cut">{whyWords(candidate, memory, t)}</span>
      </p>
    </article>
  )
}

const toneOf = ({ verdict }: RetrievalCandidate): MarkTone => (verdict === 'injected' ? 'ok' : 'plain')

/** Each part as it counts: value times weight, the bar against the weight. The priors stand together. */
function Parts({ candidate: { parts } }: { candidate: RetrievalCandidate }) {
  const { t } = useTranslation('memory')
  const sum = (names: readonly RetrievalPart[], of: (part: RetrievalPart) => number) =>
    names.reduce((total, name) => total + of(name), 0)
  const shown = MAIN.filter((part) => part !== 'glossLexical' || parts.glossLexical.weight > 0)
  const rows = [...shown.map((part) => ({ id: part, names: [part] })), { id: 'priors' as const, names: PRIORS }].map(
    ({ id, names }) => ({
      id,
      score: sum(names, (part) => parts[part].value * parts[part].weight),
      weight: sum(names, (part) => parts[part].weight),
    }),
  )
  return (
    <div className="parts" style={{ gridTemplateColumns: `repeat(${rows.length}, minmax(0, 1fr))` }}>
      {rows.map(({ id, score, weight }) => (
        <div key={id} className="pt" title={t('part.title', { part: t(`part.${id}`), weight: weight.toFixed(2) })}>
          <b className="cut">{t(`part.${id}`)}</b>
          <span className="num">{weight === 0 ? '–' : score.toFixed(2)}</span>
          <div className="meter">
            <i style={{ width: `${weight === 0 ? 0 : Math.min(100, (score / weight) * 100)}%` }} />
          </div>
        </div>
      ))}
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<'memory'>>['t']

function whyWords(candidate: RetrievalCandidate, memory: Memory | undefined, t: Translate): string {
  const words: string[] = []
  if (candidate.past) words.push(t('tab.past'))
  if (candidate.cut) words.push(t('tab.cut'))
  const help = {
    superseded: t('verdict.supersededHelp'),
    expired: t('verdict.supersededHelp'),
    below_margin: t('verdict.below_marginHelp'),
    over_top_k: t('verdict.over_top_kHelp'),
  }
  const { verdict } = candidate
  if (verdict in help) words.push(help[verdict as keyof typeof help])
  words.push(...matchedWords(t, candidate.matched))
  if (memory)
    words.push(`${t(`kind.${memory.kind}`)}, ${t(`source.${memory.source.kind}`)}, ${formatWhen(memory.createdAt)}`)
  return words.join(' · ')
}
