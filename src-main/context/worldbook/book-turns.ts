/** Runs what changes a book; for one book one after another. */
export type InTurn = <T>(worldbookId: string, run: () => T | Promise<T>) => Promise<T>

/** Large changes take their time in slices, and a change in between would be lost. */
export function createBookTurns(): InTurn {
  const last = new Map<string, Promise<void>>()
  return (worldbookId, run) => {
    const turn = (last.get(worldbookId) ?? Promise.resolve()).then(run)
    const ended = turn.then(
      () => {},
      () => {},
    )
    last.set(worldbookId, ended)
    void ended.then(() => {
      if (last.get(worldbookId) === ended) last.delete(worldbookId)
    })
    return turn
  }
}
