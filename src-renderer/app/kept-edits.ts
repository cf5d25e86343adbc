import { create } from 'zustand'

const useEdits = create<{ edits: Readonly<Record<string, unknown>> }>(() => ({ edits: {} }))

type Change<Edit> = Edit | null | ((now: Edit | null) => Edit | null)

/** Changes an edit as it stands by now; null = it is stored or given up. */
export function changeKeptEdit<Edit>(key: string, change: Change<Edit>): void {
  useEdits.setState(({ edits: { [key]: before, ...others } }) => {
    const now = (before ?? null) as Edit | null
    const next = typeof change === 'function' ? (change as (now: Edit | null) => Edit | null)(now) : change
    return { edits: next === null ? others : { ...others, [key]: next } }
  })
}

/**
 * An edit that waits for its button, by what it belongs to; null = none. It is still there when its part of the page
 * was left and is opened again.
 */
export function useKeptEdit<Edit>(key: string): [Edit | null, (change: Change<Edit>) => void] {
  const edit = useEdits((state) => (state.edits[key] ?? null) as Edit | null)
  return [edit, (change) => changeKeptEdit(key, change)]
}
