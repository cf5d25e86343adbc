import { useEffect, useReducer, useRef } from 'react'
import { highlightChunk, newBlockId } from './highlight-client'
import type { TokenLine } from './highlight-contract'
import { grammarOf } from './languages'

/** Lines that are coloured and rendered as one piece. */
export const CHUNK_LINES = 60
const MOST_CHARS = 400_000
const CACHED_BLOCKS = 60

export interface Chunk {
  text: string
  lines: readonly TokenLine[] | null
}

const cache = new Map<string, readonly Chunk[]>()

function keep(key: string, chunks: readonly Chunk[]): void {
  cache.delete(key)
  cache.set(key, chunks)
  const oldest = cache.keys().next().value
  if (cache.size > CACHED_BLOCKS && oldest !== undefined) cache.delete(oldest)
}

export function chunksOf(code: string): string[] {
  const lines = code.split('\n')
  const chunks: string[] = []
  for (let at = 0; at < lines.length; at += CHUNK_LINES) chunks.push(lines.slice(at, at + CHUNK_LINES).join('\n'))
  return chunks
}

/** Code in chunks, each with its colours once they are there. Whole chunks are coloured while the rest still streams. */
export function useHighlight(language: string, code: string, closed: boolean): readonly Chunk[] {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const work = useRef<{ blockId: number; grammar: string; done: (Chunk & { asked: boolean })[] } | null>(null)
  const grammar = code.length > MOST_CHARS ? '' : grammarOf(language)
  const texts = chunksOf(code)
  const key = `${grammar}\n${code}`
  const cached = closed && grammar ? cache.get(key) : undefined
  const done = work.current?.grammar === grammar ? work.current.done : []
  const shown =
    cached ??
    texts.map((text, index) => ({ text, lines: done[index]?.text === text ? (done[index]?.lines ?? null) : null }))

  useEffect(() => {
    if (!grammar || cached) return
    let current = true
    const whole = closed ? texts.length : texts.length - 1
    const changed = work.current?.done.findIndex((chunk, index) => index < whole && chunk.text !== texts[index]) ?? -1
    if (!work.current || work.current.grammar !== grammar || changed >= 0) {
      work.current = { blockId: newBlockId(), grammar, done: [] }
    }
    const { blockId, done: mine } = work.current
    for (let index = mine.length; index < whole; index++) {
      const text = texts[index] ?? ''
      const chunk = { text, lines: null as readonly TokenLine[] | null, asked: true }
      mine[index] = chunk
      void highlightChunk({ blockId, chunk: index, grammar, text }).then((lines) => {
        chunk.lines = lines
        if (closed && mine.length === whole && mine.every((each) => each.lines)) keep(key, mine)
        if (current || work.current?.done === mine) refresh()
      })
    }
    return () => {
      current = false
    }
  })
  return shown
}
