/** Puts the cursor into the search field above the list, once it stands there. */
export function focusListSearch(): void {
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.side-top input')?.focus())
}
