import { Popover as Radix } from 'radix-ui'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { cx } from './class-names'
import { useFocusBefore } from './focus-before'

export interface PopoverProps {
  /** The element that opens it: one button. */
  trigger: ReactElement
  label: string
  children: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpen?: (open: boolean) => void
  className?: string
  /** Pixels. */
  width?: number
  /** Selector of a box around the trigger: the popover keeps to its left and right edge instead of the trigger's. */
  within?: string
}

/** Floats by its trigger, closes on Escape, gives the focus back. */
export function Popover({
  trigger,
  label,
  children,
  side = 'bottom',
  align = 'start',
  open,
  onOpen,
  className,
  width,
  within,
}: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null)
  const anchor = useRef({
    getBoundingClientRect() {
      const own = button.current?.getBoundingClientRect() ?? new DOMRect()
      const box = within && button.current?.closest(within)?.getBoundingClientRect()
      return box ? new DOMRect(box.left, own.top, box.width, own.height) : own
    },
  })
  const giveBack = useFocusBefore(open ?? false)
  const control = open === undefined ? {} : { open }
  return (
    <Radix.Root {...control} {...(onOpen ? { onOpenChange: onOpen } : {})}>
      {within && <Radix.Anchor virtualRef={anchor} />}
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={cx('popover', className)}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          style={width ? { width } : undefined}
          {...(open === undefined ? {} : { onCloseAutoFocus: giveBack })}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
