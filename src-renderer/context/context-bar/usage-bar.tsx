import type { ContextUsage, Segment } from '../../../src-main/context/contract'
import { cx } from '../../ui/class-names'
import { isPatterned } from '../segments'
import { barParts } from './bar-parts'

/** The segmented bar. Hidden from readers: the table beside it is its text. */
export function UsageBar({ usage, big }: { usage: ContextUsage; big?: boolean }) {
  const { parts, mark } = barParts(usage)
  return (
    <span className={cx('bar', big && 'big')} aria-hidden="true">
      {parts.map((part) => (
        <span
          key={`${part.kind}:${part.segment ?? ''}`}
          className={
            part.segment
              ? cx('seg', `b-${part.segment}`, isPatterned(part.segment) && 'pat', part.kind === 'excess' && 'excess')
              : part.kind === 'free'
                ? 'seg-free'
                : 'seg-res'
          }
          style={{ flexGrow: part.grow }}
        />
      ))}
      {mark !== undefined && <span className="bar-mark" style={{ left: `${mark.toFixed(2)}%` }} />}
    </span>
  )
}

export function Swatch({ segment }: { segment: Segment }) {
  return <span className={cx('sw seg', `b-${segment}`, isPatterned(segment) && 'pat')} aria-hidden="true" />
}
