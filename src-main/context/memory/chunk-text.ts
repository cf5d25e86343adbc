/** At most this much of a text is searched, by words and by sense: about 85 chunks. The rest is kept and shown. */
export const SEARCHED_CHARACTERS = 100_000
/** A chunk is about this many words; a Han character counts for half a word. */
const CHUNK_WORDS = 200
/** Hard limit for text without any border. */
const CHUNK_CHARACTERS = 1_600

const SENTENCE = /[^.!?。！？\n]*(?:[.!?。！？\n]+["'”’)\]]*\s*|$)/gu

/** Pieces of about 200 words on sentence borders; their concatenation is the text. One piece for a short text. */
export function chunkText(text: string): string[] {
  const chunks: string[] = []
  let open = ''
  let words = 0
  const close = () => {
    if (open !== '') chunks.push(open)
    open = ''
    words = 0
  }
  for (const [sentence] of text.matchAll(SENTENCE)) {
    for (const piece of piecesOf(sentence)) {
      const size = wordsIn(piece)
      if (open !== '' && (words + size > CHUNK_WORDS || open.length + piece.length > CHUNK_CHARACTERS)) close()
      open += piece
      words += size
    }
  }
  close()
  return chunks
}

function piecesOf(sentence: string): string[] {
  if (sentence.length <= CHUNK_CHARACTERS) return sentence === '' ? [] : [sentence]
  const pieces: string[] = []
  for (let at = 0; at < sentence.length; ) {
    let end = Math.min(sentence.length, at + CHUNK_CHARACTERS)
    const space = end < sentence.length ? sentence.lastIndexOf(' ', end) : -1
    if (space > at + CHUNK_CHARACTERS / 2) end = space + 1
    // Never between the halves of a surrogate pair.
    const code = sentence.charCodeAt(end - 1)
    if (end < sentence.length && code >= 0xd800 && code <= 0xdbff) end -= 1
    pieces.push(sentence.slice(at, end))
    at = end
  }
  return pieces
}

function wordsIn(text: string): number {
  const han = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  const others = text.match(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu)?.length ?? 0
  return han / 2 + others
}
