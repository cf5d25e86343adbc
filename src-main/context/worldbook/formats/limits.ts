/** What an import may cost. Sizes in bytes unless said otherwise. */
export const IMPORT_LIMITS = {
  /** Of the file as it arrives. The largest real books are a few megabytes; cards carry a picture and assets. */
  fileBytes: 64 * 1024 * 1024,
  /** Of one text after inflation or base64. */
  jsonBytes: 64 * 1024 * 1024,
  /** Levels of brackets. A SillyTavern world has three, a card with a book seven. */
  jsonDepth: 100,
  /** Values and members in one JSON text: what its objects cost in memory, whatever its size. */
  jsonValues: 8_000_000,
  entries: 200_000,
  /** Members of a zip. */
  zipMembers: 20_000,
  /** Text chunks of a picture that are tried before giving up. */
  textChunks: 16,
  /** Warnings of one kind that are listed singly. */
  warningsOfAKind: 50,
} as const
