import { useTranslation } from 'react-i18next'
import { type AbsentBlock, BLOCKS, type LayoutName } from '../../../src-main/context/contract'
import type { Preview } from '../../../src-main/turns/contract'
import { patchOpenSession } from '../../chat/chat-actions'
import { useTranscript } from '../../chat/transcript-store'
import { formatTokens, langOf } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { useSettings } from '../../settings/settings-store'
import { PickButton } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { EmptyState } from '../../ui/empty-state'
import { Icon } from '../../ui/icon'
import { Menu } from '../../ui/menu'
import { shownPreview, usePreview } from '../context-bar/preview-store'
import { levelOf } from '../context-bar/thresholds'
import { UsageBar } from '../context-bar/usage-bar'
import { formatOver, qualityWords } from '../context-bar/usage-words'
import { isPatterned, openEditor } from '../segments'
import { type Section, type Stratum, strataOf } from './strata'

/** The blocks of the next request, live, in the order they are sent. */
export function ContextTab({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('context')
  const state = usePreview()
  const preview = state.sessionId === sessionId ? shownPreview(state) : null
  if (!preview) {
    return (
      <div className="insp-body">
        <EmptyState icon="strata" title={t('tab.empty')}>
          {state.error || t('tab.emptyHelp')}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="insp-body">
      <Summary preview={preview} sessionId={sessionId} />
      {preview.warnings.length > 0 && <Warnings warnings={preview.warnings} />}
      <div className="strata">
        {strataOf(preview).map((section, index) => (
          <SectionView
            key={section.id}
            section={section}
            preview={preview}
            absent={index === 0 ? preview.absent : []}
          />
        ))}
      </div>
    </div>
  )
}

function Summary({ preview, sessionId }: { preview: Preview; sessionId: string | null }) {
  const { t } = useTranslation('context')
  const { usage, sha256 } = preview
  const over = levelOf(usage) === 3
  return (
    <div className="sum">
      <div className="row pop-line">
        <span className={cx('n num', over && 'danger-t')}>
          {usage.quality !== 'reported' && <span className="ap">≈</span>}
          {formatTokens(usage.used)}
        </span>
        <span className="mid num">
          {usage.budget === undefined ? t('usage.tokens') : t('usage.of', { budget: formatTokens(usage.budget) })}
        </span>
        <span className="grow" />
        {over ? (
          <span className="small danger-t strong">{t('usage.over', { tokens: formatOver(usage.over) })}</span>
        ) : (
          <span className="tiny dim">{qualityWords(usage)}</span>
        )}
      </div>
      <UsageBar usage={usage} big />
      <div className="row small sum-foot">
        <span className="dim">{t('tab.layout')}</span>
        <LayoutPicker layout={preview.layout as LayoutName} sessionId={sessionId} />
        <span className="grow" />
        <span className="mono dim" title={`${t('tab.hash')}: ${sha256}`}>
          {shortHash(sha256)}
        </span>
      </div>
    </div>
  )
}

/** `9f3c…e41a` */
export const shortHash = (sha256: string): string => `${sha256.slice(0, 4)}…${sha256.slice(-4)}`

function LayoutPicker({ layout, sessionId }: { layout: LayoutName; sessionId: string | null }) {
  const { t } = useTranslation('context')
  const own = useTranscript((state) => state.current?.session.layout ?? null)
  const general = useSettings((state) => state.settings?.context.layout ?? 'documented')
  if (!sessionId) return <span>{t(`tab.${layout}`)}</span>
  const choose = (next: LayoutName | null) => () => void patchOpenSession(sessionId, { layout: next })
  return (
    <Menu
      label={t('tab.layout')}
      trigger={<PickButton>{t(`tab.${layout}`)}</PickButton>}
      entries={[
        {
          id: 'inherit',
          label: t('tab.inherit', { layout: t(`tab.${general}`) }),
          checked: !own,
          onSelect: choose(null),
        },
        ...(['documented', 'cache-first'] as const).map((name) => ({
          id: name,
          label: t(`tab.${name}`),
          checked: own === name,
          onSelect: choose(name),
        })),
      ]}
    />
  )
}

function Warnings({ warnings }: { warnings: Preview['warnings'] }) {
  return (
    <ul className="warn-list">
      {warnings.map((warning) => (
        <li key={`${warning.code}${warning.message}`}>
          <Icon name="warn" size={14} />
          {inWords(warning.message, warning.words)}
        </li>
      ))}
    </ul>
  )
}

interface SectionViewProps {
  section: Section
  preview: Preview
  absent: readonly AbsentBlock[]
}

/** Rows with their absent neighbours, in documented order, in the first section. */
function SectionView({ section, preview, absent }: SectionViewProps) {
  const { t } = useTranslation('context')
  const order = (block: AbsentBlock['block']) => (block === 'tools' ? BLOCKS.length : BLOCKS.indexOf(block))
  const missing = [...absent].sort((a, b) => order(a.block) - order(b.block))
  return (
    <section>
      <div className="sect">
        <span>{t(`tab.${section.id}`)}</span>
        <span className="num">{formatTokens(section.tokens)}</span>
      </div>
      {section.strata.map((each) => (
        <StratumView key={each.id} stratum={each} preview={preview} />
      ))}
      {missing.map((each) => (
        <AbsentView key={each.block} absent={each} />
      ))}
    </section>
  )
}

function StratumView({ stratum, preview }: { stratum: Stratum; preview: Preview }) {
  const { t } = useTranslation(['context', 'common'])
  const session = useTranscript((state) => state.current?.session ?? null)
  const { segment, tokens } = stratum
  const words = wordsOf(stratum)
  const name = stratum.landmark ? t('tab.landmarks') : t(`common:block.${segment}`)
  return (
    <div className={cx('stratum', `b-${segment}`, isPatterned(segment) && 'p')}>
      <div className="t">
        <b>{name}</b>
        <Beside stratum={stratum} preview={preview} />
        <button
          type="button"
          className="link"
          aria-label={t('table.editBlock', { block: name })}
          onClick={() => openEditor(segment, session)}
        >
          {t('table.edit')}
        </button>
        <span className="n num">
          <span className="ap">≈</span>
          {formatTokens(tokens)}
        </span>
      </div>
      {words && (
        <p className={stratum.labels.length === 1 && segment !== 'draft' ? 'open' : 'cut'} lang={langOf(words)}>
          {words}
        </p>
      )}
    </div>
  )
}

/** What the line below says: the text where there is one, else the names of what is in it. */
function wordsOf({ segment, labels, text, landmark }: Stratum): string {
  if (segment === 'history' || landmark) return ''
  if (segment === 'tools' || segment === 'worldbook' || labels.length > 1) return labels.slice(0, 12).join(' · ')
  return text.trim().slice(0, 400)
}

function Beside({ stratum, preview }: { stratum: Stratum; preview: Preview }) {
  const { t } = useTranslation('context')
  const count = stratum.labels.length
  let words = stratum.tag ?? ''
  if (stratum.segment === 'history') {
    const out = preview.windowStart?.dropped ?? 0
    words = out ? t('tab.ofMessages', { sent: count, total: count + out }) : t('tab.messagesSent', { count })
  } else if (stratum.landmark) words = t('tab.items', { count })
  else if (stratum.segment === 'tools' || (count > 1 && stratum.tag)) {
    words = [stratum.tag, t('tab.items', { count })].filter(Boolean).join(' · ')
  }
  return <span className="mono dim cut grow">{words}</span>
}

function AbsentView({ absent }: { absent: AbsentBlock }) {
  const { t } = useTranslation(['context', 'common'])
  const session = useTranscript((state) => state.current?.session ?? null)
  const name = t(`common:block.${absent.block}`)
  return (
    <div className="stratum absent">
      <div className="t">
        <b className="dim">{name}</b>
        <span className="grow" />
        <button
          type="button"
          className="link"
          aria-label={t('table.editBlock', { block: name })}
          onClick={() => openEditor(absent.block, session)}
        >
          {t('table.edit')}
        </button>
        <span className="n dim">{t(`absent.${absent.reason}`)}</span>
      </div>
      {absent.detail && <p>{inWords(absent.detail, absent.words)}</p>}
    </div>
  )
}
