import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandTool } from '../../src-main/tools/contract'
import { call } from '../api/client'
import { Button, IconButton } from '../ui/button'
import { Confirm } from '../ui/dialog'
import { EmptyState } from '../ui/empty-state'
import { Menu } from '../ui/menu'
import { Switch } from '../ui/toggle'
import { changeTools, useTools } from './tool-store'
import { openToolDialog } from './tool-view-store'

/** Local commands the model may call: an argument list each, never a shell line. */
export function CommandList() {
  const { t } = useTranslation('tools')
  const commands = useTools((state) => state.commands)
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t('view.command')}</h1>
          <span className="small dim cut">{t('command.note')}</span>
          <span className="grow" />
          <Shortcuts />
          <Button small icon="plus" onClick={() => openToolDialog({ kind: 'command', command: null })}>
            {t('add.command')}
          </Button>
        </div>
      </header>
      {commands.length === 0 ? (
        <EmptyState
          icon="bolt"
          title={t('command.none')}
          action={
            <Button tone="primary" icon="plus" onClick={() => openToolDialog({ kind: 'command', command: null })}>
              {t('add.command')}
            </Button>
          }
        >
          {t('command.noneHelp')}
        </EmptyState>
      ) : (
        <ul className="commands">
          {commands.map((command) => (
            <CommandRow key={command.id} command={command} />
          ))}
        </ul>
      )}
    </>
  )
}

function CommandRow({ command }: { command: CommandTool }) {
  const { t } = useTranslation(['tools', 'common'])
  const [removing, setRemoving] = useState(false)
  return (
    <li className="row">
      <Switch
        label={t('list.switch', { tool: command.name })}
        checked={command.enabled}
        onValue={(enabled) => void changeTools(() => call('commands.save', { ...command, enabled }))}
      />
      <div className="grow command-text">
        <div className="row">
          <b className="mono">{command.name}</b>
          <span className="small mid cut">{command.description}</span>
        </div>
        <p className="mono dim cut" title={command.argv.join(' ')}>
          {command.argv.join(' ')}
        </p>
      </div>
      <Button small tone="ghost" icon="edit" onClick={() => openToolDialog({ kind: 'command', command })}>
        {t('command.editTest')}
      </Button>
      <IconButton
        small
        icon="trash"
        label={t('command.remove', { name: command.name })}
        onClick={() => setRemoving(true)}
      />
      <Confirm
        open={removing}
        onOpen={setRemoving}
        title={t('command.removeTitle', { name: command.name })}
        text={t('command.removeText')}
        action={t('common:remove')}
        danger
        onConfirm={() => void changeTools(() => call('commands.remove', { id: command.id }))}
      />
    </li>
  )
}

/** The system's own Shortcuts, each ready to become a command; only where the system has them. */
function Shortcuts() {
  const { t } = useTranslation('tools')
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    call('commands.shortcuts', {}).then(
      (found) => setNames(found.names),
      () => setNames([]),
    )
  }, [])
  if (names.length === 0) return null
  const add = (name: string) =>
    void changeTools(() =>
      call('commands.save', {
        name: `shortcut_${name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_')}`.slice(0, 64),
        description: t('command.shortcut', { name }),
        argv: ['shortcuts', 'run', name],
      }),
    )
  return (
    <Menu
      label={t('command.shortcuts')}
      align="end"
      trigger={<Button small>{t('command.shortcuts')}</Button>}
      entries={names.map((name) => ({ id: name, label: name, onSelect: () => add(name) }))}
    />
  )
}
