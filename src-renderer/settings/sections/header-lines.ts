/** `Name: value`, one a line. */
export function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** The headers of such lines, or the number of the first line that is none. */
export function readHeaders(text: string): { headers: Record<string, string> } | { badLine: number } {
  const headers: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const match = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line)
    if (!match?.[1]) return { badLine: index + 1 }
    headers[match[1]] = match[2] ?? ''
  }
  return { headers }
}
