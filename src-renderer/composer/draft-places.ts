/** Whose draft something that takes a while is for, also when the unborn chat it began in has come to be. */
export interface DraftPlace {
  sessionId: string | null
}
const places = new Set<DraftPlace>()

/** Runs something for a draft and lets it know where that draft is by now. */
export async function withDraft(sessionId: string | null, run: (place: DraftPlace) => Promise<void>): Promise<void> {
  const place: DraftPlace = { sessionId }
  places.add(place)
  try {
    await run(place)
  } finally {
    places.delete(place)
  }
}

/** What was for one draft is for another from now on. */
export function movePlaces(from: string | null, to: string): void {
  for (const place of places) if (place.sessionId === from) place.sessionId = to
}
