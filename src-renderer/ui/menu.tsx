import { ContextMenu as RadixContext, DropdownMenu as RadixMenu } from 'radix-ui'
import {
  cloneElement,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { cx } from './class-names'
import { useFocusBefore } from './focus-before'
import { Icon, type IconName } from './icon'

/** Data, so that the menu of a `…` button and the context menu of the same row are one list. */
export type MenuEntry =
  | {
      kind?: 'item'
      id: string
      label: string
      icon?: IconName
      shortcut?: string | undefined
      danger?: boolean
      disabled?: boolean
      /** Shows a tick; makes it a checkbox item. */
      checked?: boolean
      /** A CSS colour, shown as a dot before the label. */
      swatch?: string
      /** Dimmed, at the right end. */
      note?: string
      onSelect(): void
    }
  | { kind: 'separator'; id: string }
  | { kind: 'heading'; id: string; label: string }
  | { kind: 'submenu'; id: string; label: string; icon?: IconName; entries: readonly MenuEntry[] }

type Family = typeof RadixMenu | typeof RadixContext

function entryNode(family: Family, entry: MenuEntry): ReactNode {
  const R = family as typeof RadixMenu
  if (entry.kind === 'separator') return <R.Separator key={entry.id} className="menu-sep" />
  if (entry.kind === 'heading') {
    return (
      <R.Label key={entry.id} className="menu-head">
        {entry.label}
      </R.Label>
    )
  }
  if (entry.kind === 'submenu') {
    return (
      <R.Sub key={entry.id}>
        <R.SubTrigger className="menu-item">
          {entry.icon ? <Icon name={entry.icon} size={14} /> : <span className="menu-gap" />}
          <span className="cut">{entry.label}</span>
          <span className="grow" />
          <Icon name="right" size={14} />
        </R.SubTrigger>
        <R.Portal>
          <R.SubContent className="menu" sideOffset={4} collisionPadding={8}>
            {entry.entries.map((child) => entryNode(family, child))}
          </R.SubContent>
        </R.Portal>
      </R.Sub>
    )
  }
  const body = (
    <>
      {entry.swatch && <span className="tag-dot" style={{ background: entry.swatch }} />}
      {entry.checked ? (
        <Icon name="check" size={14} />
      ) : entry.icon ? (
        <Icon name={entry.icon} size={14} />
      ) : (
        <span className="menu-gap" />
      )}
      <span className="cut">{entry.label}</span>
      <span className="grow" />
      {entry.note && <span className="tiny dim num">{entry.note}</span>}
      {entry.shortcut && <kbd>{entry.shortcut}</kbd>}
    </>
  )
  const shared = {
    className: cx('menu-item', entry.danger && 'danger-t'),
    disabled: entry.disabled ?? false,
    onSelect: entry.onSelect,
  }
  if (entry.checked !== undefined) {
    return (
      <R.CheckboxItem key={entry.id} checked={entry.checked} {...shared}>
        {body}
      </R.CheckboxItem>
    )
  }
  return (
    <R.Item key={entry.id} {...shared}>
      {body}
    </R.Item>
  )
}

type BuiltProps = MenuProps & { startOpen: boolean }

export interface MenuProps {
  /** One button. */
  trigger: ReactElement<HTMLAttributes<HTMLElement>>
  label: string
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  open?: boolean
  onOpen?: (open: boolean) => void
}

/**
 * Opens on click, Enter, Space or Arrow Down. Until it is first opened there is only its trigger: a transcript holds
 * hundreds of them.
 */
export function Menu(props: MenuProps) {
  const [asked, setAsked] = useState(false)
  const { trigger, open, onOpen } = props
  const built = useRef(false)
  // once built it stays: a menu that vanished on closing could not give the focus back
  built.current ||= asked || (open ?? false)
  const ask = () => {
    setAsked(true)
    onOpen?.(true)
  }
  if (built.current) return <BuiltMenu {...props} startOpen={asked} />
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: ask,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      ask()
    },
  })
}

function BuiltMenu({ trigger, label, entries, align = 'start', side = 'bottom', open, onOpen, startOpen }: BuiltProps) {
  const [own, setOwn] = useState(startOpen)
  const giveBack = useFocusBefore(open ?? false)
  return (
    <RadixMenu.Root
      modal={false}
      open={open ?? own}
      onOpenChange={(next) => {
        setOwn(next)
        onOpen?.(next)
      }}
    >
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content
          className="menu"
          aria-label={label}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          {...(open === undefined ? {} : { onCloseAutoFocus: giveBack })}
        >
          {entries.map((entry) => entryNode(RadixMenu, entry))}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  )
}

export interface ContextMenuProps {
  /** The row or area it belongs to: one element that takes a ref. */
  children: ReactElement
  label: string
  entries: readonly MenuEntry[] | (() => readonly MenuEntry[])
  onOpen?: (open: boolean) => void
}

export function ContextMenu({ children, label, entries, onOpen }: ContextMenuProps) {
  return (
    <RadixContext.Root modal={false} {...(onOpen ? { onOpenChange: onOpen } : {})}>
      <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content className="menu" aria-label={label} collisionPadding={8}>
          <LazyEntries entries={entries} />
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  )
}

/** Entries made only once the menu is open: rows by the hundred carry none. */
function LazyEntries({ entries }: Pick<ContextMenuProps, 'entries'>) {
  const list = typeof entries === 'function' ? entries() : entries
  return <>{list.map((entry) => entryNode(RadixContext, entry))}</>
}
