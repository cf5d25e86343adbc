/** Something other than a snippet that the `/` menu offers. It closes the menu and goes its own way. */
export interface SlashEntry {
  id: string
  name: string
  /** Beside the name, dimmed. */
  note: string
  onSelect(): void
}
