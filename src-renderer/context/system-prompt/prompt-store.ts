import { create } from 'zustand'
import type { SystemPrompt } from '../../../src-main/context/system-prompt/contract'
import { call, on } from '../../api/client'

export const usePrompts = create<{ prompts: SystemPrompt[]; loaded: boolean }>(() => ({ prompts: [], loaded: false }))

let readings = 0
/** The reading asked for last is the one shown. */
export async function loadPrompts(): Promise<void> {
  const mine = ++readings
  const prompts = await call('system-prompts.list', {})
  if (mine === readings) usePrompts.setState({ prompts, loaded: true })
}

/** Of a prompt that exists, only what is named is changed. */
export async function savePrompt(prompt: { id?: string; name?: string; text?: string }): Promise<SystemPrompt> {
  const saved = await call('system-prompts.save', prompt)
  const { prompts } = usePrompts.getState()
  const known = prompts.some((each) => each.id === saved.id)
  usePrompts.setState({
    prompts: known ? prompts.map((each) => (each.id === saved.id ? saved : each)) : [...prompts, saved],
  })
  return saved
}

export async function removePrompt(id: string): Promise<void> {
  await call('system-prompts.remove', { id })
  await loadPrompts()
}

/** New sessions take this one; null = none. */
export async function setDefaultPrompt(id: string | null): Promise<void> {
  const mine = ++readings
  const prompts = await call('system-prompts.set-default', { id })
  if (mine === readings) usePrompts.setState({ prompts })
}

export function wirePrompts(): void {
  on('system-prompts.changed', () => void loadPrompts())
  on('resync', () => void loadPrompts())
}
