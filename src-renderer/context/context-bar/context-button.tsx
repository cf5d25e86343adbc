import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { ContextUsage } from '../../../src-main/context/contract'
import { openSettings, showSent, useNavigation } from '../../app/navigation'
import { shortcutLabel } from '../../app/shortcuts'
import { useTranscript } from '../../chat/transcript-store'
import { formatTokens } from '../../i18n/format'
import { useSettings } from '../../settings/settings-store'
import { IconButton, LinkButton } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Icon } from '../../ui/icon'
import { Popover } from '../../ui/popover'
import { openUsage, shownPreview, usePreview } from './preview-store'
import { levelOf } from './thresholds'
import { UsageBar } from './usage-bar'
import { UsagePopover } from './usage-popover'
import { formatOver, formatPercent, spokenUsage } from './usage-words'

/** Stands in the composer's foot: the bar, what opens from it, and the way to the exact request. */
export function ContextButton({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation(['context', 'common'])
  const open = usePreview((state) => state.popoverOpen)
  const state = usePreview()
  const usage = state.sessionId === sessionId ? (shownPreview(state)?.usage ?? null) : null
  const paneOpen = useNavigation((navigation) => navigation.paneOpen && navigation.paneTab === 'sent')
  return (
    <>
      <Popover
        label={t('usage.title')}
        side="top"
        align="end"
        className="usage"
        within=".comp-box"
        open={open}
        onOpen={openUsage}
        trigger={<BarButton usage={usage} error={state.error} aria-label={spokenUsage(usage)} />}
      >
        <UsagePopover sessionId={sessionId} />
      </Popover>
      {usage && usage.window === undefined && <SetWindow />}
      <IconButton
        icon="eye"
        label={t('preview')}
        shortcut={shortcutLabel('request.preview')}
        aria-pressed={paneOpen}
        onClick={() => showSent(null)}
      />
    </>
  )
}

function SetWindow() {
  const { t } = useTranslation('context')
  const own = useTranscript((state) => state.current?.session.modelId)
  const fallback = useSettings((state) => state.settings?.general.defaultModelId)
  const modelId = own ?? fallback
  return (
    <LinkButton onClick={() => openSettings(modelId ? `model:${modelId}` : 'connections')}>
      {t('usage.setWindow')}
    </LinkButton>
  )
}

type BarButtonProps = ComponentProps<'button'> & { usage: ContextUsage | null; error: string }

function BarButton({ usage, error, ...rest }: BarButtonProps) {
  const level = usage ? levelOf(usage) : 0
  return (
    <button
      type="button"
      className={cx('ctx', level === 3 && 'over', level === 2 && 'near')}
      title={usage ? undefined : error || undefined}
      {...rest}
    >
      {usage ? <BarText usage={usage} level={level} /> : <NoBar failed={error !== ''} />}
    </button>
  )
}

function NoBar({ failed }: { failed: boolean }) {
  const { t } = useTranslation('context')
  return (
    <>
      <span className="bar" aria-hidden="true" />
      <span className="dim">{failed ? t('usage.failed') : t('usage.waiting')}</span>
    </>
  )
}

function BarText({ usage, level }: { usage: ContextUsage; level: number }) {
  const { t } = useTranslation('context')
  if (usage.budget === undefined) {
    return (
      <span className="num">
        {usage.quality !== 'reported' && <span className="ap">≈</span>}
        {formatTokens(usage.used)} {t('usage.tokens')}
      </span>
    )
  }
  const percent = t('usage.percent', { percent: formatPercent(usage.percent) })
  return (
    <>
      <UsageBar usage={usage} />
      {level >= 2 && <Icon name="warn" size={14} />}
      {level === 1 && <Icon name="info" size={14} />}
      <span className="num">{level === 3 ? t('usage.over', { tokens: formatOver(usage.over) }) : percent}</span>
      {level === 2 && <span className="ctx-word">{t('usage.full')}</span>}
      {level === 1 && <span className="ctx-word dim">{t('usage.notice')}</span>}
    </>
  )
}
