import { useTranslation } from 'react-i18next'
import type { Session, ToolChoices } from '../../src-main/sessions/contract'
import type { ToolListing } from '../../src-main/tools/contract'
import { patchOpenSession } from '../chat/chat-actions'
import { PickButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { loadTools } from './tool-store'

type Choice = ToolChoices[string]

export async function chooseTool(session: Session, toolId: string, choice: Choice | null): Promise<void> {
  await patchOpenSession(session.id, {}, { toolChoices: { [toolId]: choice } })
  await loadTools()
}

/** What this session makes of one tool: as everywhere, or something of its own. */
export function SessionChoice({ tool, session }: { tool: ToolListing; session: Session }) {
  const { t } = useTranslation('tools')
  const choice = session.toolChoices[tool.id]
  const needsOn = !tool.enabled || tool.reason === 'server_not_selected'
  const choices: readonly Choice[] = needsOn ? ['on', 'off'] : ['ask', 'allow', 'off']
  const shown = choice ? t(`choice.${choice}`) : tool.available ? t(`policy.${tool.policy}`) : t('choice.inherit')
  const set = (next: Choice | null) => () => void chooseTool(session, tool.id, next)
  return (
    <Menu
      label={t('choice.label', { tool: tool.name })}
      align="end"
      trigger={<PickButton aria-label={`${t('choice.label', { tool: tool.name })}: ${shown}`}>{shown}</PickButton>}
      entries={[
        { id: 'inherit', label: t('choice.inherit'), checked: !choice, onSelect: set(null) },
        ...choices.map((each) => ({
          id: each,
          label: t(`choice.${each}`),
          checked: choice === each,
          onSelect: set(each),
        })),
      ]}
    />
  )
}
