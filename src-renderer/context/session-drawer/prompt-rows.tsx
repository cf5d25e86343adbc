import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session, SessionChange, SessionPatch } from '../../../src-main/sessions/contract'
import { openPlace } from '../../app/navigation'
import { langOf } from '../../i18n/format'
import { useSettings } from '../../settings/settings-store'
import { LinkButton } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { usePrompts } from '../system-prompt/prompt-store'
import { TokenCount } from '../text-editor/token-count'
import { useSavedText } from '../text-editor/use-saved-text'
import { DrawerRow } from './drawer-row'

export interface RowProps {
  session: Session
  /** Resolves once it is stored, or was refused and that was said. */
  patch(fields: SessionPatch, change?: SessionChange): Promise<unknown>
}

export interface TextRowProps extends RowProps {
  /** Rejects when it is refused. */
  save(fields: SessionPatch): Promise<unknown>
}

export function TopicRow({ session, save }: TextRowProps) {
  const { t } = useTranslation('context')
  const id = useId()
  const text = useSavedText({
    id: `topic:${session.id}`,
    stored: session.topicPrompt,
    name: `${t('drawer.topic')} · ${session.title}`,
    save: (topicPrompt) => save({ topicPrompt }),
  })
  const prompt = usePrompts((state) => state.prompts.find((each) => each.id === session.globalPromptId))
  return (
    <DrawerRow
      field="topicPrompt"
      label={t('drawer.topic')}
      htmlFor={id}
      state={text.value ? 'here' : undefined}
      onReset={() => text.change('')}
      end={<TokenCount text={text.value} modelId={session.modelId} />}
      help={prompt ? <TopicHelp promptId={prompt.id} name={prompt.name} /> : t('drawer.topicHelpNone')}
    >
      <TextArea
        id={id}
        rows={3}
        growTo={280}
        lang={langOf(text.value)}
        placeholder={t('drawer.topicPlaceholder')}
        value={text.value}
        onChange={(event) => text.change(event.target.value)}
        onBlur={text.flush}
      />
    </DrawerRow>
  )
}

export function EnhancedRow({ session, patch, save }: TextRowProps) {
  const { t } = useTranslation('context')
  const id = useId()
  const general = useSettings((state) => state.settings?.context.enhancedPrompt ?? '')
  const inherited = session.enhancedPrompt === null
  const text = useSavedText({
    id: `enhanced:${session.id}`,
    stored: session.enhancedPrompt ?? general,
    name: `${t('drawer.enhanced')} · ${session.title}`,
    save: (enhancedPrompt) => save({ enhancedPrompt }),
  })
  const untouched = inherited && text.value === general
  return (
    <DrawerRow
      field="enhancedPrompt"
      label={t('drawer.enhanced')}
      htmlFor={id}
      state={untouched ? 'inherited' : 'here'}
      onReset={() => void patch({ enhancedPrompt: null })}
      end={<TokenCount text={text.value} modelId={session.modelId} />}
      help={untouched ? t('drawer.enhancedHelp') : t('drawer.enhancedHelpHere')}
    >
      <TextArea
        id={id}
        rows={1}
        growTo={200}
        lang={langOf(text.value)}
        placeholder={t('drawer.enhancedPlaceholder')}
        value={text.value}
        onChange={(event) => text.change(event.target.value)}
        onBlur={text.flush}
      />
    </DrawerRow>
  )
}

/** The sentence with the prompt's name as the way to it. */
function TopicHelp({ promptId, name }: { promptId: string; name: string }) {
  const { t } = useTranslation('context')
  const [before, after] = t('drawer.topicHelp', { prompt: '\u0000' }).split('\u0000')
  return (
    <>
      {before}
      <LinkButton className="inline" onClick={() => openPlace('prompts', promptId)}>
        {name}
      </LinkButton>
      {after}
    </>
  )
}
