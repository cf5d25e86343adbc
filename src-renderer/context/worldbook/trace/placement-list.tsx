import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { POSITIONS } from '../../../../src-main/context/worldbook/entry-contract'
import type { Fired } from '../../../../src-main/context/worldbook/trace-contract'
import { formatTokens } from '../../../i18n/format'
import { Icon } from '../../../ui/icon'
import { placeWords } from '../place-words'
import { refName } from '../verdict-words'

interface Group {
  words: string
  rank: number
  entries: Fired[]
}

/** Where the fired texts go: place by place, low order on top as they are sent. */
export function PlacementList({ fired }: { fired: readonly Fired[] }) {
  const { t } = useTranslation('worldbook')
  const groups = new Map<string, Group>()
  for (const entry of fired.toSorted((a, b) => a.order - b.order)) {
    const role = entry.position === 'at-depth' && entry.role ? `, ${t(`form.roles.${entry.role}`)}` : ''
    const words = placeWords(t, entry) + role
    const group = groups.get(words) ?? { words, rank: POSITIONS.indexOf(entry.position), entries: [] }
    group.entries.push(entry)
    groups.set(words, group)
  }
  return (
    <section className="placements">
      <h3 className="sect">{t('trace.placements')}</h3>
      <ul>
        {[...groups.values()]
          .toSorted((a, b) => a.rank - b.rank)
          .map((group) => (
            <PlacementRow key={group.words} group={group} />
          ))}
      </ul>
    </section>
  )
}

function PlacementRow({ group }: { group: Group }) {
  const [open, setOpen] = useState(false)
  const tokens = group.entries.reduce((sum, entry) => sum + entry.tokens, 0)
  return (
    <li>
      <button type="button" className="placement" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} size={14} />
        <span>{group.words}</span>
        <span className="small dim cut grow">{group.entries.map(refName).join(' · ')}</span>
        <span className="small num">
          <span className="ap">≈</span>
          {formatTokens(tokens)}
        </span>
      </button>
      {open && <pre className="placed mono">{group.entries.map((entry) => entry.content).join('\n')}</pre>}
    </li>
  )
}
