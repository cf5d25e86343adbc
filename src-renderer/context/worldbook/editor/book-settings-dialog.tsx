import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Book, BookSettings } from '../../../../src-main/context/worldbook/book-contract'
import { openSettings } from '../../../app/navigation'
import { useSettings } from '../../../settings/settings-store'
import { Button, LinkButton } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Checkbox, Labelled, TextArea } from '../../../ui/field'
import { showError } from '../../../ui/toast'
import { KeptFields } from '../form/kept-fields'
import { NumberField } from '../form/number-field'
import { TriState } from '../form/tri-state'
import { changeHead } from './open-book'

/** Description and the rules that hold for the whole book; each may inherit the app-wide one. */
export function BookSettingsDialog({ book, onClose }: { book: Book; onClose(): void }) {
  const { t } = useTranslation(['worldbook', 'common'])
  // what was changed here: whatever else another window changes meanwhile stays as it made it
  const [changes, setChanges] = useState<{ description?: string; settings?: Partial<BookSettings> }>({})
  const app = useSettings((state) => state.settings?.worldbook)
  const draft = {
    description: changes.description ?? book.description,
    settings: { ...book.settings, ...changes.settings },
  }
  const set = (settings: Partial<BookSettings>) =>
    setChanges((now) => ({ ...now, settings: { ...now.settings, ...settings } }))
  const save = async () => {
    try {
      if (Object.keys(changes).length > 0) await changeHead(changes, book.id)
      onClose()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title={t('book.settings')}
      note={book.name}
      footer={
        <>
          <LinkButton onClick={() => openSettings('worldbook')}>{t('settings.appWide')}</LinkButton>
          <span className="grow" />
          <Button tone="ghost" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button tone="primary" onClick={() => void save()}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      <Labelled label={t('settings.description')}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            growTo={180}
            value={draft.description}
            onChange={(event) => {
              const { value: description } = event.target
              setChanges((now) => ({ ...now, description }))
            }}
          />
        )}
      </Labelled>
      <div className="book-rules">
        <RuleRow label={t('settings.scanDepth')} help={t('settings.scanDepthHelp')}>
          <NumberField
            label={t('settings.scanDepth')}
            value={draft.settings.scanDepth}
            inherited={app?.scanDepth}
            onValue={(scanDepth) => set({ scanDepth })}
          />
        </RuleRow>
        <RuleRow label={t('settings.tokenBudget')} help={t('settings.tokenBudgetHelp')}>
          <NumberField
            label={t('settings.tokenBudget')}
            value={draft.settings.tokenBudget}
            placeholder={t('settings.noCap')}
            onValue={(tokenBudget) => set({ tokenBudget })}
          />
        </RuleRow>
        <RuleRow label={t('settings.recursive')} help={t('settings.recursiveHelp')}>
          <TriState
            label={t('settings.recursive')}
            value={draft.settings.recursive}
            inherited={app?.recursive}
            onValue={(recursive) => set({ recursive })}
          />
        </RuleRow>
        <RuleRow label={t('settings.wholeWords')}>
          <TriState
            label={t('settings.wholeWords')}
            value={draft.settings.wholeWords}
            inherited={app?.wholeWords}
            onValue={(wholeWords) => set({ wholeWords })}
          />
        </RuleRow>
        <RuleRow label={t('settings.caseSensitive')}>
          <TriState
            label={t('settings.caseSensitive')}
            value={draft.settings.caseSensitive}
            inherited={app?.caseSensitive}
            onValue={(caseSensitive) => set({ caseSensitive })}
          />
        </RuleRow>
      </div>
      <Checkbox
        label={t('settings.scanTopicPrompt')}
        checked={draft.settings.scanTopicPrompt}
        onValue={(scanTopicPrompt) => set({ scanTopicPrompt })}
      />
      <KeptFields extra={book.extra} origin={book.origin} />
    </Dialog>
  )
}

function RuleRow({ label, help, children }: { label: string; help?: string; children: React.ReactNode }) {
  return (
    <div className="rule">
      <div>
        <span className="mid">{label}</span>
        {help && <p className="tiny dim">{help}</p>}
      </div>
      {children}
    </div>
  )
}
