import { useTranslation } from 'react-i18next'
import type { Session } from '../../../../src-main/sessions/contract'
import { formatTokens } from '../../../i18n/format'
import { useSettings } from '../../../settings/settings-store'
import { Icon, type IconName } from '../../../ui/icon'
import { useWithheld, WITHHELD, type WithheldKind } from './withheld'

const ICONS: Record<WithheldKind, IconName> = {
  time: 'clock',
  memory: 'memory',
  recent_conversation_memory: 'chat',
  user_profile_memory: 'user',
  tools: 'tool',
  tool_traffic: 'split',
}

/** What an isolated chat keeps out, with the tokens each would have taken now. */
export function WithheldList({ session }: { session: Session }) {
  const { t } = useTranslation('worldbook')
  const found = useWithheld(session, true)
  const letTime = useSettings((state) => state.settings?.isolation.sendTime ?? false)
  const kinds = WITHHELD.filter((kind) => kind !== 'time' || !letTime)
  return (
    <ul className="held" aria-label={t('isolation.withheld')}>
      {kinds.map((kind) => {
        const figures = found?.find((each) => each.kind === kind)
        const counted = figures && figures.count > 0 && (kind === 'tools' || kind === 'tool_traffic')
        return (
          <li key={kind}>
            <Icon name={ICONS[kind]} size={14} />
            <span className="cut">
              {counted ? t(`isolation.counted.${kind}`, { count: figures.count }) : t(`isolation.held.${kind}`)}
            </span>
            <span className="grow" />
            {figures && <span className="num dim">{formatTokens(figures.tokens)}</span>}
          </li>
        )
      })}
    </ul>
  )
}
