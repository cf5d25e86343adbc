import { create } from 'zustand'
import type { Snippet } from '../../src-main/sessions/composer-contract'
import { call } from '../api/client'

export const useSnippets = create<{ snippets: Snippet[]; loaded: boolean }>(() => ({ snippets: [], loaded: false }))

let readings = 0
/** The reading asked for last is the one shown. */
export async function loadSnippets(): Promise<void> {
  const mine = ++readings
  const snippets = await call('snippets.list', {})
  if (mine === readings) useSnippets.setState({ snippets, loaded: true })
}

export async function saveSnippet(snippet: { id?: string; name: string; text: string }): Promise<void> {
  await call('snippets.save', snippet)
  await loadSnippets()
}

export async function removeSnippet(id: string): Promise<void> {
  await call('snippets.remove', { id })
  await loadSnippets()
}

const VARIABLE = /\{\{\s*([\p{L}\p{N}_ -]{1,60}?)\s*\}\}/gu

/** Names of the `{{variables}}` of a snippet, each once, in order. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))]
}

/** Puts values in; a variable without one stays as it is. */
export function fillSnippet(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (whole, name: string) => values[name] ?? whole)
}
