import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Segment } from '../../../src-main/context/contract'
import type { Session } from '../../../src-main/sessions/contract'
import type { Preview } from '../../../src-main/turns/contract'
import { call } from '../../api/client'
import { formatTokens } from '../../i18n/format'
import { useSettings } from '../../settings/settings-store'
import { Icon, type IconName } from '../../ui/icon'

const HELD = [
  ['time', 'clock'],
  ['memory', 'memory'],
  ['recent_conversation_memory', 'chat'],
  ['user_profile_memory', 'user'],
  ['tools', 'tool'],
] as const satisfies readonly (readonly [Segment, IconName])[]

/** What isolation keeps back, with what it would cost: the same turn previewed without isolation. */
export function Withheld({ session }: { session: Session }) {
  const { t } = useTranslation('context')
  const letTime = useSettings((state) => state.settings?.isolation.sendTime ?? false)
  const [open, setOpen] = useState<Preview | null>(null)
  const [isolated, setIsolated] = useState<Preview | null>(null)
  const { id } = session
  useEffect(() => {
    let current = true
    const ask = (isolation: boolean) => call('turns.preview', { sessionId: id, overrides: { isolation } })
    void Promise.all([ask(false), ask(true)]).then(
      ([without, within]) => {
        if (!current) return
        setOpen(without)
        setIsolated(within)
      },
      () => undefined, // the names alone say enough
    )
    return () => {
      current = false
    }
  }, [id])
  const tokens = (segment: Segment) => open?.usage.segments.find((each) => each.segment === segment)?.tokens ?? 0
  const traffic = (isolated?.rejected ?? []).filter(({ block, reason }) => block === 'history' && reason === 'isolated')
  const count = traffic.reduce((sum, verdict) => sum + (verdict.count ?? 1), 0)
  return (
    <ul className="held">
      {HELD.filter(([segment]) => segment !== 'time' || !letTime).map(([segment, icon]) => (
        <li key={segment}>
          <Icon name={icon} size={14} />
          <span className="cut">{t(`drawer.held.${segment}`)}</span>
          <span className="grow" />
          {open && <span className="num dim">{formatTokens(tokens(segment))}</span>}
        </li>
      ))}
      <li>
        <Icon name="split" size={14} />
        <span className="cut">{t('drawer.held.tool_traffic')}</span>
        <span className="grow" />
        {isolated && <span className="num dim">{count}</span>}
      </li>
    </ul>
  )
}
