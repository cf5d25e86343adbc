import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { useUnsaved } from './unsaved'

/** What could not be saved, why, and the ways on. Nothing is shown while all is well. */
export function UnsavedNotice() {
  const { t } = useTranslation(['app', 'common'])
  const unsaved = useUnsaved((state) => state.unsaved)
  if (unsaved.length === 0) return null
  return (
    <section className="unsaved-notice" aria-label={t('unsaved.label')} role="alert">
      {unsaved.map(({ id, name, why, retry, discard }) => (
        <div key={id} className="row">
          <Icon name="warn" size={14} />
          <span>{t('unsaved.text', { name, why })}</span>
          <span className="grow" />
          <Button small onClick={retry}>
            {t('common:retry')}
          </Button>
          <Button small tone="ghost" onClick={discard}>
            {t('unsaved.discard')}
          </Button>
        </div>
      ))}
    </section>
  )
}
