import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SystemPrompt } from '../../../src-main/context/system-prompt/contract'
import { ListButton } from '../../app/list-button'
import { openPlace } from '../../app/navigation'
import { formatTime, formatTokens, langOf } from '../../i18n/format'
import { Button, IconButton } from '../../ui/button'
import { Confirm } from '../../ui/dialog'
import { Icon } from '../../ui/icon'
import { Menu } from '../../ui/menu'
import { showError } from '../../ui/toast'
import { usePreview } from '../context-bar/preview-store'
import { formatShare } from '../context-bar/usage-words'
import { useTokenCount } from '../text-editor/token-count'
import { useLeftText } from '../text-editor/use-left-text'
import { useSavedText } from '../text-editor/use-saved-text'
import { removePrompt, savePrompt, setDefaultPrompt } from './prompt-store'

/** One prompt: name, text, what it costs. Saves while typing. */
export function PromptEditor({ prompt }: { prompt: SystemPrompt }) {
  const { t } = useTranslation('prompts')
  const text = useSavedText({
    id: `prompt:${prompt.id}`,
    stored: prompt.text,
    name: prompt.name,
    save: (next) => savePrompt({ id: prompt.id, text: next }),
  })
  return (
    <>
      <header className="head one">
        <h1 className="vh">{prompt.name}</h1>
        <div className="row">
          <ListButton />
          <NameField prompt={prompt} />
          <span className="grow" />
          {text.savedAt && <span className="small dim">{t('saved', { time: formatTime(text.savedAt) })}</span>}
          <IconButton icon="undo" label={t('undo')} disabled={!text.canUndo} onClick={text.undo} />
          <DefaultButton prompt={prompt} />
          <MoreMenu prompt={prompt} text={text.value} />
        </div>
      </header>
      <div className="note">
        <Icon name="info" size={14} />
        <span className="cut">
          {prompt.usedBySessions ? t('usedBy', { count: prompt.usedBySessions }) : t('unused')}
        </span>
      </div>
      <div className="ed">
        <div className="ed-in">
          <textarea
            className="editor read prompt-text"
            aria-label={t('text')}
            placeholder={t('placeholder')}
            lang={langOf(text.value)}
            spellCheck={false}
            value={text.value}
            onChange={(event) => text.change(event.target.value)}
            onBlur={text.flush}
          />
        </div>
      </div>
      <Foot text={text.value} />
    </>
  )
}

function NameField({ prompt }: { prompt: SystemPrompt }) {
  const { t } = useTranslation('prompts')
  const typed = useLeftText({
    id: `prompt-name:${prompt.id}`,
    name: prompt.name,
    stored: prompt.name,
    fits: (text) => text.trim() !== '',
    save: (name) => savePrompt({ id: prompt.id, name }),
  })
  return (
    <input
      className="title-in big"
      aria-label={t('name')}
      lang={langOf(typed.value)}
      maxLength={200}
      value={typed.value}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={typed.leave}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') typed.drop()
      }}
    />
  )
}

function DefaultButton({ prompt }: { prompt: SystemPrompt }) {
  const { t } = useTranslation('prompts')
  return (
    <Button
      small
      icon={prompt.isDefault ? 'starF' : 'star'}
      aria-pressed={prompt.isDefault}
      onClick={() => void setDefaultPrompt(prompt.isDefault ? null : prompt.id).catch(showError)}
    >
      {prompt.isDefault ? t('isDefault') : t('makeDefault')}
    </Button>
  )
}

function MoreMenu({ prompt, text }: { prompt: SystemPrompt; text: string }) {
  const { t } = useTranslation(['prompts', 'common'])
  const [removing, setRemoving] = useState(false)
  const duplicate = () =>
    void savePrompt({ name: t('copyOf', { name: prompt.name }), text }).then(
      (copy) => openPlace('prompts', copy.id),
      showError,
    )
  const count = prompt.usedBySessions
  return (
    <>
      <Menu
        label={t('common:more')}
        align="end"
        trigger={<IconButton icon="more" label={t('common:more')} />}
        entries={[
          { id: 'duplicate', label: t('duplicate'), icon: 'copy', onSelect: duplicate },
          { kind: 'separator', id: 's' },
          { id: 'remove', label: t('remove'), icon: 'trash', danger: true, onSelect: () => setRemoving(true) },
        ]}
      />
      <Confirm
        open={removing}
        onOpen={setRemoving}
        title={t('removeTitle', { name: prompt.name })}
        text={count ? t('removeText', { count }) : t('removeText_zero')}
        action={t('remove')}
        danger
        onConfirm={() => void removePrompt(prompt.id).catch(showError)}
      />
    </>
  )
}

const OUTLET = /\{\{outlet::([^}]+)\}\}/g

function Foot({ text }: { text: string }) {
  const { t } = useTranslation(['prompts', 'common', 'context'])
  const tokens = useTokenCount(text)
  const budget = usePreview((state) => state.preview?.usage.budget)
  const outlets = [...new Set([...text.matchAll(OUTLET)].map((match) => match[1]?.trim() ?? ''))]
  return (
    <footer className="ed-foot">
      {tokens !== null && (
        <span className="num">
          <span className="ap">≈</span>
          {t('common:tokens', { count: tokens, shown: formatTokens(tokens) })}
        </span>
      )}
      {tokens !== null && budget && (
        <>
          <span className="dim num">
            {t('share', { percent: formatShare(tokens / budget), budget: formatTokens(budget) })}
          </span>
          <span className="bar foot-bar" aria-hidden="true">
            <span className="seg b-system_prompt" style={{ flexGrow: tokens }} />
            <span className="seg-free" style={{ flexGrow: Math.max(0, budget - tokens) }} />
          </span>
        </>
      )}
      <span className="grow" />
      {outlets.length > 0 && (
        <span className="dim row cut">
          <Icon name="link" size={14} />
          {t('outlets', { count: outlets.length, names: outlets.join(', ') })}
        </span>
      )}
    </footer>
  )
}
