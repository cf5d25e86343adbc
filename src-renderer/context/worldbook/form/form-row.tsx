import type { ReactNode } from 'react'

/** A word at the left, its controls at the right. */
export function FormRow({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <div className="ff">
      <span className="fl2">{label}</span>
      <div className="ff-in">
        {children}
        {help && <p className="tiny dim">{help}</p>}
      </div>
    </div>
  )
}
