import { create } from 'zustand'
import type { Snippet } from '../../src-main/sessions/composer-contract'
import { openSession, useNavigation } from '../app/navigation'
import { focusComposer } from './composer-focus'
import { addToDraft } from './draft-store'
import { variablesOf } from './snippet-store'

/** A snippet chosen elsewhere whose variables the composer still has to ask for. */
export const useSnippetToFill = create<{ snippet: Snippet | null }>(() => ({ snippet: null }))

/** Puts a snippet into the message being written, from anywhere; its variables are asked for first. */
export function insertSnippet(snippet: Snippet): void {
  const { sessionId } = useNavigation.getState()
  openSession(sessionId)
  if (variablesOf(snippet.text).length > 0) {
    useSnippetToFill.setState({ snippet })
    return
  }
  addToDraft(sessionId, snippet.text)
  focusComposer()
}
