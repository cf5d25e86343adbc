/**
 * A form that was opened on `base`, as it is to be saved now that `theirs` is stored: what was changed in the form is
 * kept, everything else is as it stands by now. A window never takes back what another one saved meanwhile.
 */
export function rebase<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): Fields {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const kept = Object.entries(theirs).filter(([name]) => same(Reflect.get(base, name), Reflect.get(mine, name)))
  return { ...mine, ...Object.fromEntries(kept) }
}
