import { AlertDialog, Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from './button'
import { cx } from './class-names'
import { useFocusBefore } from './focus-before'

export interface DialogProps {
  open: boolean
  onOpen(open: boolean): void
  title: string
  /** Beside the title, dimmed. */
  note?: ReactNode
  /** Right end of the title row, before the close button. */
  end?: ReactNode
  footer?: ReactNode
  children: ReactNode
  /** Pixels, 520 unless told. */
  width?: number
  /** `drawer` slides over from the right edge and is as high as the window. */
  shape?: 'box' | 'drawer'
  className?: string
}

const FIELDS = ':is(input, textarea, select):not([hidden], [type="hidden"], [disabled])'

/** Begins where something can be done: a field, what scrolls, the main action. The close button is no beginning. */
function focusInside(event: Event): void {
  event.preventDefault()
  const dialog = event.target
  if (!(dialog instanceof HTMLElement)) return
  const first = [
    `.body ${FIELDS}`,
    '.body [tabindex="0"]',
    'footer .btn.primary:not([disabled])',
  ].reduce<Element | null>((found, selector) => found ?? dialog.querySelector(selector), null)
  const start = first instanceof HTMLElement ? first : dialog
  start.focus({ preventScroll: true })
}

/** Holds the focus and gives it back where it was. */
export function Dialog({
  open,
  onOpen,
  title,
  note,
  end,
  footer,
  children,
  width,
  shape = 'box',
  className,
}: DialogProps) {
  const { t } = useTranslation()
  const giveBack = useFocusBefore(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpen}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className={cx(shape === 'drawer' ? 'drawer' : 'dialog', className)}
          style={width ? { width } : undefined}
          aria-describedby={undefined}
          onOpenAutoFocus={focusInside}
          onCloseAutoFocus={giveBack}
        >
          <header>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            {note && <span className="small dim cut">{note}</span>}
            <span className="grow" />
            {end}
            <Radix.Close asChild>
              <IconButton icon="x" label={t('close')} />
            </Radix.Close>
          </header>
          <div className="body">{children}</div>
          {footer && <footer>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface ConfirmProps {
  open: boolean
  onOpen(open: boolean): void
  title: string
  /** What will happen, and whether it can be taken back. */
  text: ReactNode
  action: string
  danger?: boolean
  onConfirm(): void
}

/** Asks before something that cannot be undone. The safe answer has the focus. */
export function Confirm({ open, onOpen, title, text, action, danger, onConfirm }: ConfirmProps) {
  const { t } = useTranslation()
  const giveBack = useFocusBefore(open)
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpen}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="scrim" />
        <AlertDialog.Content className="dialog confirm" onCloseAutoFocus={giveBack}>
          <AlertDialog.Title asChild>
            <h2>{title}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mid">{text}</div>
          </AlertDialog.Description>
          <footer>
            <span className="grow" />
            <AlertDialog.Cancel asChild>
              <Button tone="ghost">{t('cancel')}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button tone={danger ? 'danger' : 'primary'} onClick={onConfirm}>
                {action}
              </Button>
            </AlertDialog.Action>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
