import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Retrieval } from '../../../src-main/context/memory/retrieval-contract'
import { call } from '../../api/client'
import { formatNumber, formatTokens } from '../../i18n/format'
import { useJobs } from '../../jobs/job-store'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { IconButton, LinkButton } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Icon, type IconName } from '../../ui/icon'
import { showError } from '../../ui/toast'
import { Switch } from '../../ui/toggle'
import { useLeftText } from '../text-editor/use-left-text'
import { openImport } from './import-dialog'
import { openMemoryForm } from './memory-form-store'
import { openMemoryView, useMemories } from './memory-store'
import type { ListView, MemoryView } from './memory-views'
import { useProposals } from './proposal-store'
import { StatusLine } from './status-line'
import { useLayerCounts } from './use-layer-counts'

const LISTS: readonly { view: ListView; icon: IconName }[] = [
  { view: 'active', icon: 'memory' },
  { view: 'fact', icon: 'file' },
  { view: 'preference', icon: 'user' },
  { view: 'episode', icon: 'clock' },
  { view: 'instruction', icon: 'prompt' },
  { view: 'past', icon: 'redo' },
  { view: 'archived', icon: 'archive' },
]

/** The left column: the views with their numbers, the other layers, and what retrieval does. */
export function MemorySide() {
  const { t } = useTranslation('memory')
  const counts = useMemories((state) => state.counts)
  const proposals = useProposals((state) => state.proposals.length)
  const layers = useLayerCounts()
  const jobs = useJobs((state) => state.unfinished)
  return (
    <>
      <div className="side-top">
        <b className="strong side-name">{t('title')}</b>
        <span className="grow" />
        <IconButton icon="down2" label={t('import.open')} onClick={openImport} />
        <IconButton icon="plus" label={t('new')} onClick={() => openMemoryForm({})} />
      </div>
      <div className="side-list">
        <div className="grp sect">{t('side.memories')}</div>
        {LISTS.map(({ view, icon }) => (
          <ViewRow key={view} view={view} icon={icon} count={counts[view]} />
        ))}
        <ViewRow view="proposals" icon="check" count={proposals || undefined} />
        <div className="grp sect">{t('side.layers')}</div>
        <ViewRow view="recent-conversations" icon="chat" count={layers.summaries} />
        <ViewRow view="user-profile" icon="user" count={layers.facts} />
        <div className="grp sect">{t('side.work')}</div>
        <ViewRow view="search" icon="search" />
        <ViewRow view="jobs" icon="bolt" count={jobs || undefined} />
        <div className="grp sect">{t('side.retrieval')}</div>
        <RetrievalSettings />
      </div>
    </>
  )
}

function ViewRow({ view, icon, count }: { view: MemoryView; icon: IconName; count?: number | undefined }) {
  const { t } = useTranslation('memory')
  const current = useMemories((state) => state.view === view)
  return (
    <button
      type="button"
      className="ses one view-row"
      aria-current={current ? 'true' : undefined}
      onClick={() => openMemoryView(view)}
    >
      <b className="row cut">
        <span className="dim">
          <Icon name={icon} size={14} />
        </span>
        <span className="cut">{t(`view.${view}`)}</span>
      </b>
      <span className="tiny dim num">{count === undefined ? '' : formatNumber(count)}</span>
    </button>
  )
}

const MOST_TOP_K = 200

function RetrievalSettings() {
  const { t } = useTranslation('memory')
  const memory = useSettings((state) => state.settings?.memory)
  const change = (patch: Record<string, unknown>) => void updateSettings({ memory: patch }).catch(showError)
  if (!memory) return null
  return (
    <div className="mini">
      <SideSwitch label={t('side.use')} checked={memory.enabled} onValue={(enabled) => change({ enabled })} />
      <TopK value={memory.topK} />
      <AllCost />
      <SideSwitch label={t('side.write')} checked={memory.write} onValue={(write) => change({ write })} />
      <SideSwitch
        label={t('side.active')}
        checked={memory.activeRetrieval}
        onValue={(activeRetrieval) => change({ activeRetrieval })}
      />
      <div className="row">
        <span>{t('side.embedder')}</span>
        <span className="grow" />
        <LinkButton onClick={() => openMemoryView('search')}>{t(`embedder.short.${memory.embedder.kind}`)}</LinkButton>
      </div>
      <StatusLine />
    </div>
  )
}

function SideSwitch({
  label,
  checked,
  onValue,
}: {
  label: ReactNode & string
  checked: boolean
  onValue(on: boolean): void
}) {
  return (
    <div className="row">
      <span>{label}</span>
      <span className="grow" />
      <Switch label={label} checked={checked} onValue={onValue} />
    </div>
  )
}

function TopK({ value }: { value: number }) {
  const { t } = useTranslation('memory')
  const read = (text: string) => (text.trim() === '' ? Number.NaN : Math.round(Number(text)))
  const typed = useLeftText({
    id: 'setting:memory.topK',
    name: t('side.topK'),
    stored: String(value),
    fits: (text) => read(text) >= 0 && read(text) <= MOST_TOP_K,
    save: (text) => updateSettings({ memory: { topK: read(text) } }),
  })
  return (
    <div className="row">
      <label htmlFor="memory-top-k">{t('side.topK')}</label>
      <span className="grow" />
      <TextField
        id="memory-top-k"
        className="top-k"
        figures
        inputMode="numeric"
        value={typed.value}
        onChange={(event) => typed.change(event.target.value)}
        onBlur={typed.leave}
        onKeyDown={(event) => event.key === 'Enter' && typed.leave()}
      />
    </div>
  )
}

/** What Top K 0 would send now: asked of the assembler itself. */
function AllCost() {
  const { t } = useTranslation('memory')
  const active = useMemories((state) => state.counts.active)
  const enabled = useSettings((state) => state.settings?.memory.enabled)
  const [ceiling, setCeiling] = useState<Retrieval['ceiling'] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of memories costs something else
  useEffect(() => {
    if (!enabled) return setCeiling(null)
    let gone = false
    call('turns.preview', { sessionId: null, draft: '?', overrides: { topK: 0 } }).then(
      ({ memory }) => !gone && setCeiling((memory as Retrieval | null)?.ceiling ?? null),
      () => setCeiling(null),
    )
    return () => {
      gone = true
    }
  }, [active, enabled])
  return (
    <p className="tiny dim">
      {ceiling
        ? t('side.allCost', { used: formatTokens(ceiling.used), total: formatTokens(ceiling.total) })
        : t('side.all')}
    </p>
  )
}
