/**
 * A sentence in a form that can be said in another language: `key` is the English sentence with `{0}`, `{1}`, … where
 * `values` stand. A sentence without values needs no words: it is its own key in the renderer's catalogue.
 */
export interface Words {
  key: string
  values?: (string | number | Words)[]
}

/** English for scripts and records, words for screens. */
export interface Sentence {
  text: string
  words: Words
}

/** What takes a sentence takes a plain one too. */
export type Said = string | Sentence

export const textOf = (sentence: Said): string => (typeof sentence === 'string' ? sentence : sentence.text)

const wordsOf = (sentence: Said): { words?: Words } => (typeof sentence === 'string' ? {} : { words: sentence.words })

/** Tags an English sentence with figures in it. Sentences may stand inside sentences. */
export function said(parts: TemplateStringsArray, ...values: (number | Said)[]): Sentence {
  const fill = (show: (index: number) => string) =>
    parts.map((part, index) => (index === 0 ? part : `${show(index - 1)}${part}`)).join('')
  const shown = values.map((value) => (typeof value === 'number' ? String(value) : textOf(value)))
  return {
    text: fill((index) => shown[index] ?? ''),
    words: {
      key: fill((index) => `{${index}}`),
      ...(values.length > 0 && { values: values.map((value) => (typeof value === 'object' ? value.words : value)) }),
    },
  }
}

/** A sentence without figures, to stand inside another one. */
export const phrase = (text: string): Sentence => ({ text, words: { key: text } })

/** Several sentences as one. The glue stays as it is in every language. */
export function saidTogether(sentences: readonly Said[], glue = ' '): Sentence {
  const values = sentences.map((each) => (typeof each === 'string' ? phrase(each) : each).words)
  return {
    text: sentences.map(textOf).join(glue),
    words: { key: sentences.map((_sentence, index) => `{${index}}`).join(glue), values },
  }
}

/** The same sentence with something done to every text in it, such as taking secrets out. */
export function rewritten(sentence: Said, rewrite: (text: string) => string): Said {
  if (typeof sentence === 'string') return rewrite(sentence)
  const inside = ({ key, values }: Words): Words => ({
    key,
    ...(values && {
      values: values.map((value) =>
        typeof value === 'object' ? inside(value) : typeof value === 'string' ? rewrite(value) : value,
      ),
    }),
  })
  return { text: rewrite(sentence.text), words: inside(sentence.words) }
}

/** For everything that has a `detail`. */
export function asDetail(sentence: Said | undefined): { detail?: string; words?: Words } {
  return sentence === undefined ? {} : { detail: textOf(sentence), ...wordsOf(sentence) }
}

/** For everything that has a `lastError`. */
export function asLastError(sentence: Said | undefined): { lastError?: string; lastErrorWords?: Words } {
  if (sentence === undefined) return {}
  return {
    lastError: textOf(sentence),
    ...(typeof sentence === 'object' && { lastErrorWords: sentence.words }),
  }
}

/** One text for a database column. A plain sentence stays as it is. */
export function storedSaid(sentence: Said): string {
  return typeof sentence === 'string' ? sentence : JSON.stringify(sentence)
}

/** What `storedSaid` made; any other text, such as one of an older version, is a plain sentence. */
export function readSaid(stored: string): Said {
  if (!stored.startsWith('{"text":')) return stored
  try {
    const { text, words } = JSON.parse(stored) as Partial<Sentence>
    return typeof text === 'string' && typeof words?.key === 'string' ? { text, words } : stored
  } catch {
    return stored
  }
}

/** For everything that has a `message`. */
export function asMessage(sentence: Said): { message: string; words?: Words } {
  return { message: textOf(sentence), ...wordsOf(sentence) }
}

/** For everything that has a `text`. */
export function asText(sentence: Said): { text: string; words?: Words } {
  return { text: textOf(sentence), ...wordsOf(sentence) }
}
