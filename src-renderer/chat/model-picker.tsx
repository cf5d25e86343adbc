import { Command } from 'cmdk'
import { useTranslation } from 'react-i18next'
import type { Session } from '../../src-main/sessions/contract'
import { openSettings, useNavigation } from '../app/navigation'
import { shortcutLabel } from '../app/shortcuts'
import { formatTokens } from '../i18n/format'
import { modelName, useModels } from '../models/model-store'
import { updateSettings, useSettings } from '../settings/settings-store'
import { PickButton } from '../ui/button'
import { byWords } from '../ui/by-words'
import { Icon } from '../ui/icon'
import { Popover } from '../ui/popover'
import { patchOpenSession } from './chat-actions'

const close = () => useNavigation.setState({ headerMenu: null })

/** Which model answers here; in a chat that does not exist yet, which one new chats take. */
export function ModelPicker({ session }: { session: Session | null }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const { models, connections } = useModels()
  const fallback = useSettings((state) => state.settings?.general.defaultModelId ?? null)
  const open = useNavigation((state) => state.headerMenu === 'model')
  const chosen = session?.modelId ?? fallback
  const choose = (modelId: string) => {
    close()
    if (session) void patchOpenSession(session.id, { modelId })
    else void updateSettings({ general: { defaultModelId: modelId } })
  }
  return (
    <Popover
      label={t('model.choose')}
      className="flush list-pop"
      open={open}
      onOpen={(next) => useNavigation.setState({ headerMenu: next ? 'model' : null })}
      trigger={
        <PickButton title={`${t('model.choose')}  ${shortcutLabel('chat.model') ?? ''}`}>
          {chosen ? modelName(chosen, models) : t('model.none')}
        </PickButton>
      }
    >
      <Command label={t('model.choose')} loop filter={byWords} {...(chosen ? { defaultValue: chosen } : {})}>
        <Command.Input placeholder={t('model.search')} autoFocus />
        <Command.List>
          <Command.Empty className="palette-empty">{t('model.nothing')}</Command.Empty>
          {connections.map((connection) => (
            <Command.Group key={connection.id} heading={connection.name}>
              {models
                .filter((model) => model.connectionId === connection.id && model.available)
                .map((model) => (
                  <Command.Item
                    key={model.id}
                    value={model.id}
                    keywords={[model.name, connection.name]}
                    onSelect={() => choose(model.id)}
                  >
                    {model.id === chosen ? <Icon name="check" size={14} /> : <span className="menu-gap" />}
                    <span className="cut">{model.name}</span>
                    <span className="grow" />
                    {model.contextWindow && <span className="tiny dim num">{formatTokens(model.contextWindow)}</span>}
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
          <Command.Item
            className="pop-last"
            value="settings"
            keywords={[t('model.connect')]}
            onSelect={() => openSettings('connections')}
          >
            <Icon name="plus" size={14} />
            {t('model.connect')}
          </Command.Item>
        </Command.List>
      </Command>
    </Popover>
  )
}
