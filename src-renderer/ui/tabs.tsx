import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface TabsProps<V extends string> {
  label: string
  value: V
  onValue(value: V): void
  tabs: readonly { value: V; label: string }[]
  /** At the right end of the row of tabs. */
  end?: ReactNode
  /** The body of the chosen tab. */
  children: ReactNode
  bodyClassName?: string
}

/** Arrow keys move between tabs; only the chosen tab's body exists. */
export function Tabs<V extends string>({ label, value, onValue, tabs, end, children, bodyClassName }: TabsProps<V>) {
  return (
    <Radix.Root className="tabbed" value={value} onValueChange={(next) => onValue(next as V)}>
      <div className="tabs">
        <Radix.List className="tab-list" aria-label={label}>
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.value} value={tab.value}>
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <span className="grow" />
        {end}
      </div>
      <Radix.Content value={value} className={bodyClassName} key={value}>
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
