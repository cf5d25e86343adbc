import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './class-names'

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
}: PopoverProps) {
  const control = open === undefined ? {} : { open }
  return (
    <Radix.Root {...control} {...(onOpen ? { onOpenChange: onOpen } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={cx('popover', className)}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          style={width ? { width } : undefined}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
