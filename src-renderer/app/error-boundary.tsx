import { Component, type ErrorInfo, type ReactNode } from 'react'
import { i18n } from '../i18n/i18n'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { reportFailure } from './page-failures'

interface Props {
  children: ReactNode
  /** A new value shows the children again. */
  resetKey?: string
}

/** A part that throws takes only itself down, says so, and can be shown again. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error, where: ErrorInfo): void {
    console.error(error, where.componentStack)
    reportFailure('part', error)
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div role="alert" className="crash">
        <EmptyState
          icon="warn"
          title={i18n.t('error.crash')}
          action={
            <div className="row">
              <Button onClick={() => this.setState({ error: null })}>{i18n.t('error.showAgain')}</Button>
              <Button tone="ghost" onClick={() => location.reload()}>
                {i18n.t('error.reload')}
              </Button>
            </div>
          }
        >
          <p>{i18n.t('error.crashHelp')}</p>
          <p className="mono dim">{error.message}</p>
        </EmptyState>
      </div>
    )
  }
}
