import { create } from 'zustand'
import type { Memory, MemorySource } from '../../../src-main/context/memory/contract'

/** What the form begins with: a stored memory to edit, or the words and source of a new one. */
export interface FormStart {
  memory?: Memory
  text?: string
  source?: MemorySource
}

export const useMemoryForm = create<{ start: FormStart | null; opened: number }>(() => ({ start: null, opened: 0 }))

export const openMemoryForm = (start: FormStart) =>
  useMemoryForm.setState(({ opened }) => ({ start, opened: opened + 1 }))
/** Closes the form that was opened then; one that was opened since stays. */
export const endMemoryForm = (opened: number) =>
  useMemoryForm.setState((form) => (form.opened === opened ? { start: null } : form))
export const closeMemoryForm = () => useMemoryForm.setState({ start: null })
