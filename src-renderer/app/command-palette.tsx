import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { byWords } from '../ui/by-words'
import { useFocusBefore } from '../ui/focus-before'
import { Icon, type IconName } from '../ui/icon'
import { runCommand } from './commands'
import { openPlace, useNavigation } from './navigation'
import { PALETTE_SOURCES, type PaletteItem, type PaletteSource } from './palette-sources'
import { PLACES } from './places'
import { BINDINGS, type CommandId, shortcutLabel } from './shortcuts'

const COMMAND_ICONS: Partial<Record<CommandId, IconName>> = {
  'chat.new': 'edit',
  'chat.temporary': 'ghost',
  'chat.find': 'search',
  'settings.open': 'sliders',
  'pane.left': 'panelL',
  'pane.right': 'panel',
  'chat.model': 'server',
  'chat.prompt': 'prompt',
  'chat.next': 'down',
  'chat.previous': 'up',
  'chat.settings': 'sliders',
  'composer.focus': 'edit',
  'chat.regenerate': 'redo',
  'request.preview': 'eye',
  'help.shortcuts': 'keyboard',
  'chat.stop': 'stop',
  'chat.search': 'search',
  'chat.fork': 'fork',
  'chat.pin': 'pin',
  'chat.archive': 'archive',
  'chat.bin': 'trash',
  'chat.markdown': 'download',
  'chat.json': 'download',
  'chats.import': 'download',
  'look.theme': 'moon',
}
const close = () => useNavigation.setState({ layer: null })

function useFound(query: string, open: boolean): { source: PaletteSource; items: PaletteItem[] }[] {
  const [found, setFound] = useState<{ source: PaletteSource; items: PaletteItem[] }[]>([])
  useEffect(() => {
    if (!open) return
    let current = true
    const timer = setTimeout(
      async () => {
        const answers = await Promise.allSettled(PALETTE_SOURCES.map(async (source) => source.find(query)))
        const next = PALETTE_SOURCES.map((source, index) => {
          const answer = answers[index]
          return { source, items: answer?.status === 'fulfilled' ? answer.value : [] }
        })
        if (current) setFound(next)
      },
      query ? 120 : 0,
    )
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [query, open])
  return found
}

/** Search and every command, by keyboard. */
export function CommandPalette() {
  const { t } = useTranslation('app')
  const open = useNavigation((state) => state.layer === 'palette')
  const [query, setQuery] = useState('')
  const found = useFound(query, open)
  const giveBack = useFocusBefore(open)
  useEffect(() => {
    if (!open) setQuery('')
  }, [open])
  const pick = (run: () => void) => {
    close()
    run()
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="palette" aria-describedby={undefined} onCloseAutoFocus={giveBack}>
          <Dialog.Title className="vh">{t('palette.title')}</Dialog.Title>
          <Command label={t('palette.title')} loop filter={byWords}>
            <div className="palette-in">
              <Icon name="search" />
              <Command.Input value={query} onValueChange={setQuery} placeholder={t('palette.placeholder')} />
            </div>
            <Command.List>
              <Command.Empty className="palette-empty">{t('palette.nothing', { query })}</Command.Empty>
              <Command.Group heading={t('palette.commands')}>
                {BINDINGS.filter((binding) => binding.id !== 'palette.open').map((binding) => (
                  <Command.Item
                    key={binding.id}
                    value={`command:${binding.id}`}
                    keywords={[t(binding.titleKey)]}
                    onSelect={() => pick(() => runCommand(binding.id))}
                  >
                    <Icon name={COMMAND_ICONS[binding.id] ?? 'bolt'} size={14} />
                    <span className="cut">{t(binding.titleKey)}</span>
                    <span className="grow" />
                    {shortcutLabel(binding.id) && <kbd>{shortcutLabel(binding.id)}</kbd>}
                  </Command.Item>
                ))}
                {PLACES.map((place) => (
                  <Command.Item
                    key={place.id}
                    value={`place:${place.id}`}
                    keywords={[t(place.titleKey)]}
                    onSelect={() => pick(() => openPlace(place.id))}
                  >
                    <Icon name={place.icon} size={14} />
                    <span className="cut">{t('palette.goTo', { place: t(place.titleKey) })}</span>
                  </Command.Item>
                ))}
              </Command.Group>
              {found.map(({ source, items }) => (
                <FoundGroup
                  key={source.id}
                  heading={t(source.headingKey)}
                  source={source}
                  items={items}
                  query={query}
                  pick={pick}
                />
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface FoundGroupProps {
  heading: string
  source: PaletteSource
  items: readonly PaletteItem[]
  query: string
  pick(run: () => void): void
}

function FoundGroup({ heading, source, items, query, pick }: FoundGroupProps) {
  if (items.length === 0) return null
  return (
    <Command.Group heading={heading}>
      {items.slice(0, 50).map((item) => (
        <Command.Item
          key={item.id}
          value={`${source.id}:${item.id}`}
          keywords={[item.title, item.note ?? '', ...(item.found ? [query] : [])]}
          onSelect={() => pick(item.run)}
        >
          <Icon name={item.icon} size={14} />
          <span className="cut">{item.title}</span>
          {item.note && <span className="small dim cut">{item.note}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  )
}
