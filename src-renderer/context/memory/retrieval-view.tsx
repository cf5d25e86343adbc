import { useTranslation } from 'react-i18next'
import type { Retrieval } from '../../../src-main/context/memory/retrieval-contract'
import { RETRIEVAL_PARTS } from '../../../src-main/context/memory/retrieval-contract'
import { formatNumber, formatTokens, langOf } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { Icon } from '../../ui/icon'

/** How a retrieval went: how many of how many, the question, what failed. */
export function RetrievalHead({ retrieval }: { retrieval: Retrieval }) {
  const { t } = useTranslation('memory')
  const { query, degraded, absent, ceiling } = retrieval
  const injected = retrieval.candidates.filter((candidate) => candidate.verdict === 'injected').length
  return (
    <div className="sum">
      <div className="row pop-line">
        <span className="n num">{t('tab.injected', { count: injected, total: formatNumber(retrieval.active) })}</span>
        <span className="grow" />
        <span className="tiny dim num">
          {retrieval.mode === 'all'
            ? t('tab.all')
            : t('tab.topK', { topK: retrieval.topK, mode: t(`mode.${retrieval.mode}`) })}
          {' · '}
          {Math.round(retrieval.elapsedMs)} ms
        </span>
      </div>
      {retrieval.mode !== 'all' && query.draft.trim() !== '' && (
        <p className="small mid ret-query">
          <span className="dim">{t('tab.query')} </span>
          <span lang={langOf(query.draft)}>{query.draft.slice(0, 240)}</span>
          {query.previous && <span className="dim"> {t('tab.previous')}</span>}
          {query.asksPast && <span className="dim"> {t('tab.asksPast')}</span>}
        </p>
      )}
      <p className="tiny dim num">
        {t('tab.ceiling', {
          used: formatTokens(ceiling.used),
          total: formatTokens(ceiling.total),
          each: formatTokens(ceiling.perMemory),
        })}
      </p>
      {absent && <p className="small ret-note">{t(`absent.${absent}`)}</p>}
      {degraded && (
        <p className="small warn-t row ret-note">
          <Icon name="warn" size={14} />
          <span>
            {t(`tab.degraded.${degraded.channel}`)} {inWords(degraded.reason, degraded.words)}
          </span>
        </p>
      )}
    </div>
  )
}

/** The formula of the best candidate, and how many stayed below the list. */
export function RetrievalFoot({ retrieval }: { retrieval: Retrieval }) {
  const { t } = useTranslation('memory')
  const [best] = retrieval.candidates
  const more = retrieval.considered - retrieval.candidates.length
  if (!best || retrieval.mode === 'all') return null
  const formula = RETRIEVAL_PARTS.filter((part) => best.parts[part].weight > 0)
    .map((part) => `${trimmed(best.parts[part].weight)} ${t(`part.${part}`)}`)
    .join(' + ')
  return (
    <p className="small dim ret-foot">
      {t('tab.formula', { formula })} {more > 0 && t('tab.more', { count: more, shown: formatNumber(more) })}
    </p>
  )
}

const trimmed = (weight: number): string => String(Number(weight.toFixed(2)))
