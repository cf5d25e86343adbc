import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandTool } from '../../src-main/tools/contract'
import { type CallOutput, call } from '../api/client'
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
        onValue={(enabled) => void changeTools(() => call('commands.save', { id: command.id, enabled }))}
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

type Ready = CallOutput<'commands.shortcuts'>['commands']

/** The system's own Shortcuts, each ready to become a command; only where the system has them. */
function Shortcuts() {
  const { t } = useTranslation('tools')
  const stored = useTools((state) => state.commands)
  const [ready, setReady] = useState<Ready>([])
  useEffect(() => {
    call('commands.shortcuts', {}).then(
      ({ commands }) => setReady(commands),
      () => setReady([]),
    )
  }, [])
  if (ready.length === 0) return null
  const added = new Set(stored.map(({ argv }) => argv.join('\n')))
  return (
    <Menu
      label={t('command.shortcuts')}
      align="end"
      trigger={<Button small>{t('command.shortcuts')}</Button>}
      entries={ready.map((command) => ({
        id: command.name,
        label: command.argv.at(-1) ?? command.name,
        // one that is a command already stays to be seen, but is not added twice
        checked: added.has(command.argv.join('\n')),
        disabled: added.has(command.argv.join('\n')),
        onSelect: () => void changeTools(() => call('commands.save', command)),
      }))}
    />
  )
}
