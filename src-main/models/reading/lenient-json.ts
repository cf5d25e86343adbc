/** Words other languages write where JSON has others or none. */
const LITERALS: Readonly<Record<string, string>> = {
  NaN: 'null',
  Infinity: 'null',
  None: 'null',
  undefined: 'null',
  True: 'true',
  False: 'false',
}

/** A control character inside a string, as JSON wants it. */
function escaped(character: string): string {
  return JSON.stringify(character).slice(1, -1)
}

/**
 * The JSON values of a text that is almost JSON, each put right: control characters inside strings, a comma too many,
 * literals of other languages, several values in a row. What is cut off is not completed.
 */
function repaired(text: string): string[] {
  const values: string[] = []
  let out = ''
  let depth = 0
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = endOfString(text, at)
      out += text.slice(at, end).replaceAll(/\p{Cc}/gu, escaped)
      at = end
      continue
    }
    const word = /^-?[A-Za-z]+/.exec(text.slice(at, at + 12))?.[0]
    if (word !== undefined) {
      out += LITERALS[word.replace(/^-/, '')] ?? word
      at += word.length
      continue
    }
    if (character === '}' || character === ']') {
      out = out.replace(/,\s*$/, '')
      depth -= 1
    } else if (character === '{' || character === '[') depth += 1
    out += character
    at += 1
    if (depth === 0 && (character === '}' || character === ']')) {
      values.push(out)
      out = ''
    }
  }
  if (out.trim() !== '') values.push(out)
  return values
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** Undefined when the text is no JSON, not even almost. */
export function parseAlmostJson(text: string): unknown[] | undefined {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed)) return undefined
  try {
    return repaired(trimmed).map((value): unknown => JSON.parse(value))
  } catch {
    return undefined
  }
}

/** Undefined when the text is not strictly JSON. `null` is a value: it comes in a list of one. */
export function parseJson(text: string): [unknown] | undefined {
  try {
    return [JSON.parse(text)]
  } catch {
    return undefined
  }
}
