/** What a Python literal is made of: texts in either quotes, words, numbers, brackets. `<…>` is how objects print. */
const TOKEN =
  /\s*(?:('(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)|([[\](){}:,])|(<[^<>]*>))/gy
const WORDS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' }
const BRACKETS: Readonly<Record<string, string>> = { '(': '[', ')': ']' }

function unquoted(text: string): string {
  return JSON.stringify(
    text.slice(1, -1).replaceAll(/\\([\s\S])/g, (_all, one: string) => (one === 'n' ? '\n' : one === 't' ? '\t' : one)),
  )
}

/**
 * A Python literal as JSON text, undefined where it is none. Servers written in Python print what their checker found
 * (`[{'loc': ('body', 'tools'), …}]`) where a sentence belongs.
 */
export function pythonAsJson(text: string): string | undefined {
  const made: string[] = []
  const end = text.trimEnd().length
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) return undefined
    const [, quoted, word, number, mark, printed] = match
    at = TOKEN.lastIndex
    // `ValueError('…')`: what it was made with says enough
    if (word !== undefined && text[at] === '(') continue
    const next =
      quoted !== undefined
        ? unquoted(quoted)
        : word !== undefined
          ? (WORDS[word] ?? JSON.stringify(word))
          : (number ?? (mark === undefined ? JSON.stringify(printed) : (BRACKETS[mark] ?? mark)))
    // a tuple of one ends with a comma
    if ((next === ']' || next === '}') && made.at(-1) === ',') made.pop()
    made.push(next)
  }
  return made.join('')
}
