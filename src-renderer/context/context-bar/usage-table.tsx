import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AbsentBlock, SegmentUsage } from '../../../src-main/context/contract'
import type { Preview } from '../../../src-main/turns/contract'
import { useTranscript } from '../../chat/transcript-store'
import { inWords } from '../../i18n/said'
import { cx } from '../../ui/class-names'
import { Icon } from '../../ui/icon'
import { Switch } from '../../ui/toggle'
import { isSwitchable, openEditor } from '../segments'
import { openUsage, switchBlock, usePreview } from './preview-store'
import { Swatch } from './usage-bar'
import { contributorName, formatCount, formatShare } from './usage-words'

interface UsageTableProps {
  preview: Preview
  whatIf: Preview | null
}

/** The bar in words: one row a block, foldable to its biggest contributors, then what is absent and why. */
export function UsageTable({ preview, whatIf }: UsageTableProps) {
  const { t } = useTranslation(['context', 'common'])
  const off = usePreview((state) => state.off)
  const shown = new Map((whatIf ?? preview).usage.segments.map((each) => [each.segment, each]))
  const { quality } = (whatIf ?? preview).usage
  const rows = preview.usage.segments.map((base) => ({ base, live: shown.get(base.segment) ?? base }))
  const fresh = (whatIf?.usage.segments ?? []).filter((each) => !rows.some(({ base }) => base.segment === each.segment))
  const isOff = (segment: SegmentUsage['segment']) => isSwitchable(segment) && off.has(segment)
  const absent = (whatIf ?? preview).absent.filter(({ reason }) => reason !== 'what_if')
  return (
    <div className="use-scroll">
      <table className="use">
        <caption className="vh">
          {t('table.shown')}. {t('usage.whatIfHelp')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('table.block')}</th>
            <th scope="col" className="r">
              {t('table.tokens')}
            </th>
            <th scope="col" className="r">
              {t('table.share')}
            </th>
            <th>
              <span className="vh">{t('table.edit')}</span>
            </th>
            <th>
              <span className="vh">{t('usage.whatIfHelp')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...rows, ...fresh.map((live) => ({ base: live, live }))].map(({ base, live }) => (
            <Row
              key={base.segment}
              usage={isOff(base.segment) ? base : live}
              off={isOff(base.segment)}
              quality={quality}
            />
          ))}
          {absent.map((each) => (
            <AbsentRow key={each.block} absent={each} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  usage: SegmentUsage
  off: boolean
  quality: Preview['usage']['quality']
}

function Row({ usage, off, quality }: RowProps) {
  const { t } = useTranslation(['context', 'common'])
  const [open, setOpen] = useState(false)
  const { segment, tokens, share, top, more } = usage
  const name = t(`common:block.${segment}`)
  return (
    <Fragment>
      <tr className={cx(off && 'off')}>
        <td>
          <button type="button" className="exp" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="right" size={12} />
            <Swatch segment={segment} />
            {name}
          </button>
        </td>
        <Figures tokens={tokens} share={share} quality={quality} />
        <td>
          <EditLink segment={segment} name={name} />
        </td>
        <td>
          {isSwitchable(segment) && (
            <Switch
              checked={!off}
              label={t('table.include', { block: name })}
              onValue={(included) => switchBlock(segment, included)}
            />
          )}
        </td>
      </tr>
      {open &&
        top.map((each) => (
          <tr key={each.sourceId} className="sub">
            <td className="cut">{contributorName(each.sourceId, each.label)}</td>
            <Figures tokens={each.tokens} share={tokens ? (share * each.tokens) / tokens : 0} quality={quality} />
            <td />
            <td />
          </tr>
        ))}
      {open && more > 0 && (
        <tr className="sub">
          <td className="dim">{t('table.more', { count: more })}</td>
          <td colSpan={4} />
        </tr>
      )}
    </Fragment>
  )
}

function EditLink({ segment, name }: { segment: SegmentUsage['segment']; name: string }) {
  const { t } = useTranslation('context')
  const session = useTranscript((state) => state.current?.session ?? null)
  return (
    <button
      type="button"
      className="reset edit"
      aria-label={t('table.editBlock', { block: name })}
      onClick={() => {
        openUsage(false)
        openEditor(segment, session)
      }}
    >
      {t('table.edit')}
    </button>
  )
}

function Figures({ tokens, share, quality }: { tokens: number; share: number; quality: RowProps['quality'] }) {
  const { t } = useTranslation('context')
  return (
    <>
      <td className="r num">
        {quality !== 'reported' && <span className="ap">≈</span>}
        {formatCount(tokens, quality)}
      </td>
      <td className="r num mid">{t('usage.percent', { percent: formatShare(share) })}</td>
    </>
  )
}

function AbsentRow({ absent }: { absent: AbsentBlock }) {
  const { t } = useTranslation(['context', 'common'])
  return (
    <tr className="absent line">
      <td colSpan={5}>
        <div className="row dim">
          <Swatch segment={absent.block} />
          <span className="absent-name">{t(`common:block.${absent.block}`)}</span>
          <span className="absent-why">
            <AbsentWords absent={absent} />
          </span>
        </div>
      </td>
    </tr>
  )
}

/** The reason in words, with the figures of this turn. */
export function AbsentWords({ absent }: { absent: AbsentBlock }) {
  const { t } = useTranslation('context')
  return (
    <>
      {t(`absent.${absent.reason}`)}
      {absent.detail && <span className="absent-detail">{inWords(absent.detail, absent.words)}</span>}
    </>
  )
}
