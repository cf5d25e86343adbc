import { useTranslation } from 'react-i18next'
import { SELECTIVE_LOGICS } from '../../../../src-main/context/worldbook/entry-contract'
import { useSettings } from '../../../settings/settings-store'
import { Mark } from '../../../ui/badge'
import { LinkButton } from '../../../ui/button'
import { Checkbox, Select } from '../../../ui/field'
import { Segmented } from '../../../ui/toggle'
import { useOpenBook } from '../editor/open-book'
import type { EntryPartProps } from './entry-form'
import { FormRow } from './form-row'
import { InheritedCheck } from './inherited-check'
import { KeyChips } from './key-chips'
import { NumberField } from './number-field'

/** What sets the entry off: keys, a second condition, how far back to look and how to compare. */
export function WhenFields({ entry, onEdit }: EntryPartProps) {
  const { t } = useTranslation(['worldbook', 'common'])
  const book = useOpenBook((state) => state.book?.settings)
  const app = useSettings((state) => state.settings?.worldbook)
  const start = entry.constant ? 'constant' : entry.vectorized ? 'meaning' : 'keys'
  return (
    <fieldset className="fs">
      <legend>{t('form.when')}</legend>
      <FormRow label={t('form.fires')}>
        <Segmented
          label={t('form.fires')}
          value={start}
          options={(['keys', 'constant', 'meaning'] as const).map((value) => ({
            value,
            label: t(`form.start.${value}`),
          }))}
          onValue={(next) => onEdit({ constant: next === 'constant', vectorized: next === 'meaning' })}
        />
      </FormRow>
      {start === 'meaning' && <p className="tiny dim form-note">{t('form.meaningHelp')}</p>}
      <FormRow label={t('form.keys')}>
        <KeyChips
          label={t('form.keys')}
          placeholder={t('form.keysHint')}
          keys={entry.keys}
          onKeys={(keys) => onEdit({ keys })}
        />
      </FormRow>
      <FormRow label={t('form.and')}>
        <div className="row tight top">
          <Select
            aria-label={t('form.logic')}
            value={entry.selectiveLogic}
            options={SELECTIVE_LOGICS.map((value) => ({ value, label: t(`form.logics.${value}`) }))}
            onValue={(selectiveLogic) => onEdit({ selectiveLogic })}
          />
          <KeyChips
            boxed
            label={t('form.secondaryKeys')}
            placeholder={t('form.secondaryKeys')}
            keys={entry.secondaryKeys}
            onKeys={(secondaryKeys) =>
              onEdit({ secondaryKeys, ...(secondaryKeys.length > 0 ? { selective: true } : {}) })
            }
          />
        </div>
        {entry.secondaryKeys.length > 0 && !entry.selective && (
          <Checkbox
            label={t('form.selective')}
            checked={entry.selective}
            onValue={(selective) => onEdit({ selective })}
          />
        )}
      </FormRow>
      <FormRow label={t('form.scan')}>
        <div className="row tight">
          <NumberField
            label={t('form.scanDepth')}
            width={52}
            value={entry.scanDepth}
            inherited={book?.scanDepth ?? app?.scanDepth}
            onValue={(scanDepth) => onEdit({ scanDepth })}
          />
          <span className="small dim">{t('form.messagesBack')}</span>
          {entry.scanDepth === null ? (
            <Mark>{book?.scanDepth == null ? t('form.fromApp') : t('form.fromBook')}</Mark>
          ) : (
            <LinkButton onClick={() => onEdit({ scanDepth: null })}>{t('common:reset')}</LinkButton>
          )}
        </div>
      </FormRow>
      <FormRow label={t('form.match')}>
        <div className="row checks">
          <InheritedCheck
            label={t('settings.wholeWords')}
            value={entry.wholeWords}
            inherited={book?.wholeWords ?? app?.wholeWords ?? true}
            onValue={(wholeWords) => onEdit({ wholeWords })}
          />
          <InheritedCheck
            label={t('form.case')}
            value={entry.caseSensitive}
            inherited={book?.caseSensitive ?? app?.caseSensitive ?? false}
            onValue={(caseSensitive) => onEdit({ caseSensitive })}
          />
        </div>
      </FormRow>
    </fieldset>
  )
}
