import { useSyncExternalStore } from 'react'

type MathPlugins = typeof import('./math-plugins')['mathPlugins']
let plugins: MathPlugins | null = null
let loading = false
const listeners = new Set<() => void>()

function load(): void {
  if (loading) return
  loading = true
  void import('./math-plugins').then((loaded) => {
    plugins = loaded.mathPlugins
    for (const listener of listeners) listener()
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The formula plugins once they are there; null while they load or nothing needs them. */
export function useMath(wanted: boolean): MathPlugins | null {
  const ready = useSyncExternalStore(subscribe, () => plugins)
  if (wanted && !ready) load()
  return wanted ? ready : null
}
