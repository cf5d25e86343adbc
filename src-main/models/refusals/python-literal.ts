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
  let made = ''
  let at = 0
  while (at < text.length && text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) return undefined
    const [, quoted, word, number, mark, printed] = match
    const piece = quoted !== undefined ? unquoted(quoted) : word !== undefined ? WORDS[word] : number
    const next = piece ?? (mark === undefined ? printed && JSON.stringify(printed) : (BRACKETS[mark] ?? mark))
    if (next === undefined) return undefined
    // a tuple of one ends with a comma
    made = (next === ']' || next === '}') && made.endsWith(',') ? made.slice(0, -1) + next : made + next
    at = TOKEN.lastIndex
  }
  return made
}
