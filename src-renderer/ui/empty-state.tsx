import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'

export interface EmptyStateProps {
  icon?: IconName
  title: string
  /** What will appear here, when, and where to switch it on. */
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      {icon && <Icon name={icon} size={20} />}
      <p className="strong">{title}</p>
      {children && <div className="mid small">{children}</div>}
      {action}
    </div>
  )
}
