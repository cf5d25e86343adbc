import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/dialog'
import { Segmented } from '../ui/toggle'
import { PasteServers } from './paste-servers'
import { ServerForm } from './server-form'
import { closeToolDialog, useToolView } from './tool-view-store'

/** Adds servers from the usual JSON, or adds and edits one by its fields. */
export function ServerDialog() {
  const dialog = useToolView((state) => state.dialog)
  return dialog?.kind === 'server' ? <OpenDialog {...dialog} /> : null
}

function OpenDialog({
  server,
  how,
}: Extract<NonNullable<ReturnType<typeof useToolView.getState>['dialog']>, { kind: 'server' }>) {
  const { t } = useTranslation('tools')
  const [way, setWay] = useState(how)
  return (
    <Dialog
      open
      onOpen={(open) => !open && closeToolDialog()}
      title={server ? t('form.edit', { name: server.name }) : t('form.add')}
      width={600}
      end={
        !server && (
          <Segmented
            label={t('form.way')}
            value={way}
            onValue={(next: typeof way) => setWay(next)}
            options={[
              { value: 'paste', label: t('form.paste') },
              { value: 'form', label: t('form.form') },
            ]}
          />
        )
      }
    >
      {way === 'paste' ? <PasteServers /> : <ServerForm server={server} />}
    </Dialog>
  )
}
