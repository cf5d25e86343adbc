let field: HTMLTextAreaElement | null = null

/** The composer says where it is. */
export function setComposerField(next: HTMLTextAreaElement | null): void {
  field = next
}

/** Puts the cursor into the composer once it is on screen. */
export function focusComposer(): void {
  requestAnimationFrame(() => field?.focus())
}
