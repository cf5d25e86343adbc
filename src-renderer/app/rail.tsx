import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/icon'
import { Tip } from '../ui/tooltip'
import { openPlace, toggleList, useNavigation } from './navigation'
import { PLACES, type Place } from './places'

function RailButton({ place }: { place: Place }) {
  const { t } = useTranslation('app')
  const current = useNavigation((state) => state.place === place.id)
  return (
    <Tip text={t(place.titleKey)} side="right">
      <button
        type="button"
        className="rail-b"
        aria-label={t(place.titleKey)}
        aria-current={current ? 'page' : undefined}
        onClick={() => (current ? toggleList() : openPlace(place.id))}
      >
        <Icon name={place.icon} size={18} />
      </button>
    </Tip>
  )
}

export function Rail() {
  const { t } = useTranslation('app')
  return (
    <nav id="rail" aria-label={t('sections')}>
      <span className="brand" aria-hidden="true">
        <Icon name="strata" size={20} />
      </span>
      {PLACES.filter((place) => !place.last).map((place) => (
        <RailButton key={place.id} place={place} />
      ))}
      <span className="grow" />
      {PLACES.filter((place) => place.last).map((place) => (
        <RailButton key={place.id} place={place} />
      ))}
    </nav>
  )
}
