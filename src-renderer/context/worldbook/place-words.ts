import type { TFunction } from 'i18next'
import type { Entry } from '../../../src-main/context/worldbook/entry-contract'

type Placed = Pick<Entry, 'position'> & {
  depth?: number | undefined
  role?: Entry['role'] | undefined
  outletName?: string | undefined
}

/** `before`, `depth 4`, `outlet map`: where an entry's text goes, in a word or two. */
export function placeWords(t: TFunction<'worldbook'>, { position, depth, outletName }: Placed): string {
  if (position === 'at-depth') return t('place.at-depth', { depth: depth ?? 4 })
  if (position === 'outlet') return outletName ? t('place.outletNamed', { name: outletName }) : t('place.outlet')
  return t(`place.${position}`)
}
