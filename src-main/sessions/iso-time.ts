/** The instant as stored: UTC, always 24 characters for the years 0–9999, so that text order is time order. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
