/** Who may put a reminder into the history, and how it behaves there (source: the projection rules in ARCHITECTURE.md). */
export const REMINDERS = {
  time: { channel: 'context', lifecycle: 'persist', mayProject: true, mayBubble: true },
  date_change: { channel: 'context', lifecycle: 'persist', mayProject: true, mayBubble: true },
  time_landmark: { channel: 'context', lifecycle: 'turn', mayProject: true, mayBubble: false },
  at_depth: { channel: 'context', lifecycle: 'turn', mayProject: true, mayBubble: false },
  worldbook: { channel: 'context', lifecycle: 'turn', mayProject: true, mayBubble: false },
  retrieved: { channel: 'context', lifecycle: 'memory', mayProject: true, mayBubble: false },
  enhanced: { channel: 'context', lifecycle: 'turn', mayProject: true, mayBubble: false },
  model_change: { channel: 'app', lifecycle: 'persist', mayProject: true, mayBubble: true },
  mode_change: { channel: 'app', lifecycle: 'persist', mayProject: true, mayBubble: true },
  summary_boundary: { channel: 'app', lifecycle: 'persist', mayProject: true, mayBubble: false },
  fork_boundary: { channel: 'app', lifecycle: 'persist', mayProject: true, mayBubble: false },
  tool_note: { channel: 'app', lifecycle: 'persist', mayProject: true, mayBubble: true },
  continue: { channel: 'app', lifecycle: 'turn', mayProject: false, mayBubble: false },
  reference: { channel: 'reference', lifecycle: 'prefix', mayProject: true, mayBubble: false },
} as const satisfies Record<
  string,
  {
    channel: 'context' | 'app' | 'reference'
    lifecycle: 'prefix' | 'persist' | 'memory' | 'turn'
    mayProject: boolean
    mayBubble: boolean
  }
>
export type ReminderSource = keyof typeof REMINDERS
