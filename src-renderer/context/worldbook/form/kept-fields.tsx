import { useTranslation } from 'react-i18next'
import type { Origin } from '../../../../src-main/context/worldbook/entry-contract'

export const keptCount = (extra: Readonly<Record<string, unknown>>): number => Object.keys(extra).length

/** Fields of the file that mean nothing here: shown as they are, and exported as they came. */
export function KeptFields({ extra, origin }: { extra: Readonly<Record<string, unknown>>; origin: Origin | null }) {
  const { t } = useTranslation('worldbook')
  const kept = Object.entries(extra)
  const original = Object.entries(origin?.fields ?? {})
  if (kept.length === 0 && original.length === 0) return null
  return (
    <div className="kept">
      {kept.length > 0 && (
        <>
          <p className="sect">{t('kept.title', { count: kept.length })}</p>
          <p className="tiny dim">{t('kept.help')}</p>
          <Fields rows={kept} />
        </>
      )}
      {original.length > 0 && (
        <>
          <p className="sect">{t('kept.original', { format: origin?.format ?? '' })}</p>
          <Fields rows={original} />
        </>
      )}
    </div>
  )
}

const LONGEST = 2000

function Fields({ rows }: { rows: readonly [string, unknown][] }) {
  return (
    <dl className="kept-list">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="mono">{name}</dt>
          <dd className="mono">{written(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
