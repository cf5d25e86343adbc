import type { ComponentType } from 'react'
import type { Session } from '../../src-main/sessions/contract'
import { overGate } from '../composer/over-budget/over-gate'
import { OverPanel } from '../composer/over-budget/over-panel'
import type { SendGate } from '../composer/send-gate'
import { ContextButton } from '../context/context-bar/context-button'
import { BooksBadge, IsolationBadge, TopicBadge } from '../context/session-drawer/badges'
import { lazyPart } from './lazy-part'

/** Places in the chat that rooms fill, each with one line. The chat knows nothing of what stands in them. */
export interface Slots {
  /** Badges in the chat header, left to right. */
  headerBadges: readonly ComponentType<{ session: Session }>[]
  /** Between the transcript and the composer, such as the over-budget choice. */
  aboveComposer: readonly ComponentType<{ sessionId: string | null }>[]
  /** Right end of the composer's footer before the send button: context bar, preview. */
  composerFoot: readonly ComponentType<{ sessionId: string | null }>[]
  /** Asked in order before a message leaves; each may hold it or add overrides for this turn. */
  sendGates: readonly SendGate[]
  /** Dialogs and drawers that can open over any place. */
  layers: readonly ComponentType[]
  /** Shown instead of an empty chat while nothing but the dry run is connected. */
  firstRun: ComponentType | null
}

export const SLOTS: Slots = {
  headerBadges: [TopicBadge, BooksBadge, IsolationBadge],
  aboveComposer: [OverPanel],
  composerFoot: [ContextButton],
  sendGates: [overGate],
  layers: [lazyPart(() => import('../context/session-drawer/session-drawer'), 'SessionDrawer')],
  firstRun: lazyPart(() => import('../first-run/first-run'), 'FirstRun'),
}
