import type { ComponentType } from 'react'
import type { Message, Session } from '../../src-main/sessions/contract'
import { overGate } from '../composer/over-budget/over-gate'
import { OverPanel } from '../composer/over-budget/over-panel'
import type { SendGate } from '../composer/send-gate'
import type { SlashEntry } from '../composer/slash-entry'
import { ContextButton } from '../context/context-bar/context-button'
import { MemoryFormLayer } from '../context/memory/memory-form-layer'
import { ProposalDialog, ProposalNote } from '../context/memory/proposal-note'
import { rememberEntry } from '../context/memory/remember'
import { BooksBadge, IsolationBadge, TopicBadge } from '../context/session-drawer/badges'
import { PromptDialog } from '../tools/prompt-dialog'
import { promptEntries } from '../tools/server-prompts'
import { ToolButton } from '../tools/tool-button'
import type { MenuEntry } from '../ui/menu'
import { lazyPart } from './lazy-part'

/** Places in the chat that rooms fill, each with one line. The chat knows nothing of what stands in them. */
export interface Slots {
  /** Badges in the chat header, left to right. */
  headerBadges: readonly ComponentType<{ session: Session }>[]
  /** Between the transcript and the composer, such as the over-budget choice. */
  aboveComposer: readonly ComponentType<{ sessionId: string | null }>[]
  /** Left end of the composer's footer after its own buttons: tools. */
  composerStart: readonly ComponentType<{ sessionId: string | null }>[]
  /** Right end of the composer's footer before the send button: context bar, preview. */
  composerFoot: readonly ComponentType<{ sessionId: string | null }>[]
  /** What the `/` menu offers after the snippets, made when it opens. */
  slashEntries: readonly (() => readonly SlashEntry[])[]
  /** Asked in order before a message leaves; each may hold it or add overrides for this turn. */
  sendGates: readonly SendGate[]
  /** Quiet lines under a message, above its foot. */
  messageNotes: readonly ComponentType<{ message: Message }>[]
  /** Entries of a message's menu, made when it opens. */
  messageMenu: readonly ((message: Message) => MenuEntry | null)[]
  /** Dialogs and drawers that can open over any place. */
  layers: readonly ComponentType[]
  /** Shown instead of an empty chat while nothing but the dry run is connected. */
  firstRun: ComponentType | null
}

export const SLOTS: Slots = {
  headerBadges: [TopicBadge, BooksBadge, IsolationBadge],
  aboveComposer: [OverPanel],
  composerStart: [ToolButton],
  composerFoot: [ContextButton],
  slashEntries: [promptEntries],
  sendGates: [overGate],
  messageNotes: [ProposalNote],
  messageMenu: [rememberEntry],
  layers: [
    lazyPart(() => import('../context/session-drawer/session-drawer'), 'SessionDrawer'),
    MemoryFormLayer,
    ProposalDialog,
    PromptDialog,
  ],
  firstRun: lazyPart(() => import('../first-run/first-run'), 'FirstRun'),
}
