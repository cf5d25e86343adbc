import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { IconButton } from './button'
import { Icon } from './icon'

export interface Toast {
  id: number
  tone: 'plain' | 'ok' | 'bad'
  text: string
  action?: { label: string; run(): void } | undefined
}

const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))
let nextId = 1

export interface ToastOptions {
  tone?: Toast['tone']
  action?: Toast['action']
  /** Milliseconds; errors stay until closed. */
  lasts?: number
}

/** One short line at the bottom of the window. Returns the way to take it back. */
export function showToast(text: string, { tone = 'plain', action, lasts = 6000 }: ToastOptions = {}): () => void {
  const id = nextId++
  const close = () => useToasts.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }))
  // the same words twice say nothing new
  useToasts.setState((state) => ({
    toasts: [...state.toasts.filter((toast) => toast.text !== text).slice(-2), { id, tone, text, action }],
  }))
  if (tone !== 'bad') setTimeout(close, lasts)
  return close
}

/** What went wrong, in the words of the error, which say what to do next. */
export function showError(error: unknown): void {
  showToast(error instanceof Error ? error.message : String(error), { tone: 'bad' })
}

/** Stands once in the shell. */
export function Toasts() {
  const { t } = useTranslation()
  const toasts = useToasts((state) => state.toasts)
  const close = (id: number) =>
    useToasts.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }))
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={`toast ${toast.tone}`}>
          {toast.tone !== 'plain' && <Icon name={toast.tone === 'ok' ? 'check' : 'warn'} />}
          <span className="toast-text">{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              className="reset"
              onClick={() => {
                toast.action?.run()
                close(toast.id)
              }}
            >
              {toast.action.label}
            </button>
          )}
          <IconButton icon="x" small label={t('close')} onClick={() => close(toast.id)} />
        </div>
      ))}
    </div>
  )
}
