import { useTranslation } from 'react-i18next'
import type { Session } from '../../src-main/sessions/contract'
import { openPlace, useNavigation } from '../app/navigation'
import { shortcutLabel } from '../app/shortcuts'
import { setDefaultPrompt, usePrompts } from '../context/system-prompt/prompt-store'
import { PickButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { patchOpenSession } from './chat-actions'

/** Which global prompt this chat points at; in a chat that does not exist yet, the default one. */
export function PromptPicker({ session }: { session: Session | null }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const prompts = usePrompts((state) => state.prompts)
  const open = useNavigation((state) => state.headerMenu === 'prompt')
  const chosenId = session ? session.globalPromptId : (prompts.find((prompt) => prompt.isDefault)?.id ?? null)
  const chosen = prompts.find((prompt) => prompt.id === chosenId)
  const choose = (globalPromptId: string | null) => () =>
    session ? void patchOpenSession(session.id, { globalPromptId }) : void setDefaultPrompt(globalPromptId)
  return (
    <Menu
      label={t('prompt.choose')}
      open={open}
      onOpen={(next) => useNavigation.setState({ headerMenu: next ? 'prompt' : null })}
      trigger={
        <PickButton title={`${t('prompt.choose')}  ${shortcutLabel('chat.prompt') ?? ''}`}>
          {chosen?.name ?? t('prompt.none')}
        </PickButton>
      }
      entries={[
        ...prompts.map((prompt) => ({
          id: prompt.id,
          label: prompt.name,
          checked: prompt.id === chosenId,
          ...(prompt.isDefault ? { note: t('prompt.default') } : {}),
          onSelect: choose(prompt.id),
        })),
        { id: 'none', label: t('prompt.none'), checked: !chosenId, onSelect: choose(null) },
        { kind: 'separator', id: 's' },
        { id: 'edit', label: t('prompt.edit'), icon: 'edit', onSelect: () => openPlace('prompts', chosenId) },
      ]}
    />
  )
}
