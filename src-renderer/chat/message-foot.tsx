import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '../../src-main/sessions/contract'
import { showSent, useNavigation } from '../app/navigation'
import { PANE_TABS } from '../app/right-pane'
import { shortcutLabel } from '../app/shortcuts'
import { SLOTS } from '../app/slots'
import { formatAge } from '../i18n/format'
import { useModels } from '../models/model-store'
import { forkSession } from '../sessions/session-actions'
import { IconButton } from '../ui/button'
import { Confirm } from '../ui/dialog'
import { Menu, type MenuEntry } from '../ui/menu'
import { copyText, quoteMessage, regenerate, removeMessage, saveRecord, selectVersion } from './chat-actions'
import { plainText } from './markdown/plain-text'

/** Versions at the left, what can be done at the right (user) or left (answer). Always there, quiet. */
export function MessageFoot({ message, onEdit }: { message: Message; onEdit(): void }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [removing, setRemoving] = useState(false)
  const user = message.role === 'user'
  const opens = !user && message.parentId === null
  const actions = (
    <>
      {user && <IconButton icon="edit" small label={t('action.edit')} onClick={onEdit} />}
      <IconButton icon="copy" small label={t('action.copy')} onClick={() => void copyText(message.text)} />
      {!user && !opens && (
        <IconButton
          icon="redo"
          small
          label={t('action.regenerate')}
          shortcut={shortcutLabel('chat.regenerate')}
          onClick={() => void regenerate(message.id)}
        />
      )}
      <IconButton
        icon="fork"
        small
        label={t('action.fork')}
        onClick={() => void forkSession(message.sessionId, message.id)}
      />
      {!user && !opens && PANE_TABS.some((tab) => tab.id === 'sent') && (
        <IconButton icon="eye" small label={t('action.sent')} onClick={() => showSent(message.id)} />
      )}
      <MoreActions message={message} onEdit={onEdit} onRemove={() => setRemoving(true)} />
    </>
  )
  return (
    <div className="msg-foot">
      {!user && actions}
      <Versions message={message} />
      {user && (
        <>
          <span className="grow" />
          {actions}
        </>
      )}
      {removing && (
        <Confirm
          open
          onOpen={setRemoving}
          title={t('removeTitle')}
          text={t('removeText')}
          action={t('common:delete')}
          danger
          onConfirm={() => void removeMessage(message.id)}
        />
      )}
    </div>
  )
}

function Versions({ message }: { message: Message }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const { siblings, siblingInfo } = message
  if (siblings.length < 2) return null
  const at = siblings.indexOf(message.id)
  const below = siblingInfo?.[at]
  const go = (step: number) => {
    const next = siblings[at + step]
    if (next) void selectVersion(next)
  }
  return (
    <span className="ver">
      <IconButton icon="left" small label={t('version.previous')} disabled={at <= 0} onClick={() => go(-1)} />
      <span className="num">
        {at + 1}/{siblings.length}
        {below && below.messages > 0 && ` · ${t('version.below', { count: below.messages })}`}
        {below && ` · ${formatAge(below.lastAt)}`}
      </span>
      <IconButton
        icon="right"
        small
        label={t('version.next')}
        disabled={at >= siblings.length - 1}
        onClick={() => go(1)}
      />
    </span>
  )
}

function MoreActions({ message, onEdit, onRemove }: { message: Message; onEdit(): void; onRemove(): void }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const models = useModels((state) => state.models)
  const user = message.role === 'user'
  const opens = !user && message.parentId === null
  const others: MenuEntry[] = models
    .filter((model) => model.available)
    .slice(0, 40)
    .map((model) => ({
      id: model.id,
      label: model.name,
      checked: model.id === message.modelId,
      onSelect: () => void regenerate(message.id, model.id),
    }))
  const entries: MenuEntry[] = [
    { id: 'quote', label: t('action.quote'), icon: 'quote', onSelect: () => quoteMessage(message) },
    {
      id: 'plain',
      label: t('action.copyPlain'),
      icon: 'copy',
      onSelect: () => void copyText(plainText(message.text)),
    },
    ...(message.siblings.length > 1
      ? [
          {
            id: 'compare',
            label: t('action.compare'),
            icon: 'compare' as const,
            onSelect: () => useNavigation.setState({ comparing: message.id }),
          },
        ]
      : []),
    ...(others.length && !opens
      ? [
          {
            kind: 'submenu' as const,
            id: 'with',
            label: user ? t('action.answerWith') : t('action.regenerateWith'),
            icon: 'redo' as const,
            entries: others,
          },
        ]
      : []),
    ...(user
      ? [
          {
            id: 'answer',
            label: t('action.answer'),
            icon: 'reply' as const,
            onSelect: () => void regenerate(message.id),
          },
        ]
      : [
          { id: 'edit', label: t('action.editAnswer'), icon: 'edit' as const, onSelect: onEdit },
          {
            id: 'record',
            label: t('action.record'),
            icon: 'download' as const,
            onSelect: () => void saveRecord(message.id),
          },
        ]),
    ...SLOTS.messageMenu.flatMap((make) => make(message) ?? []),
    { kind: 'separator', id: 's' },
    { id: 'remove', label: t('common:delete'), icon: 'trash', danger: true, onSelect: onRemove },
  ]
  return (
    <Menu
      label={t('common:more')}
      trigger={<IconButton icon="more" small label={t('common:more')} />}
      entries={entries}
    />
  )
}
