import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TextReading } from '../../src-main/context/memory/retrieval/model'
import { loadBuiltInReader } from '../../src-main/models/embedding/built-in-reader'

interface Stored {
  channel: TextReading['channel']
  vector?: string
  gloss?: string
}

/** Reads texts with the built-in embedder and remembers the answers between runs. */
export async function createTextReader(): Promise<{
  read(texts: readonly string[]): Promise<TextReading[]>
  save(): void
}> {
  const reader = await loadBuiltInReader(pathToFileURL(join(process.cwd(), 'package.json')).href)
  const folder = 'node_modules/.cache/strata-bench'
  const file = join(folder, `readings-${reader.recipe}.json`)
  const known = new Map<string, Stored>(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [])
  const keyOf = (text: string) => createHash('sha1').update(text).digest('base64')
  return {
    async read(texts) {
      const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)))
      for (let at = 0; at < missing.length; at += 16) {
        const batch = missing.slice(at, at + 16)
        const readings = await reader.read(batch)
        batch.forEach((text, index) => {
          const reading = readings[index]
          if (!reading) return
          const { vector } = reading
          known.set(keyOf(text), {
            channel: reading.channel,
            ...(vector
              ? { vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64') }
              : {}),
            ...(reading.gloss === undefined ? {} : { gloss: reading.gloss }),
          })
        })
      }
      return texts.map((text) => {
        const stored = known.get(keyOf(text))
        const bytes = stored?.vector === undefined ? undefined : Buffer.from(stored.vector, 'base64')
        return {
          channel: stored?.channel ?? 'sentence',
          vectors: bytes ? [new Float32Array(Uint8Array.from(bytes).buffer)] : [],
          ...(stored?.gloss === undefined ? {} : { gloss: stored.gloss }),
        }
      })
    },
    save() {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, JSON.stringify(Object.fromEntries(known)))
    },
  }
}
