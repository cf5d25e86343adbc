/** The words of a Markdown text without its marks, for pasting where nothing reads them. Code stays as it is. */
export function plainText(markdown: string): string {
  return markdown
    .split(/(^(?:`{3,}|~{3,})[^\n]*\n[\s\S]*?^(?:`{3,}|~{3,})[ \t]*$)/m)
    .map((piece, index) => (index % 2 ? piece.replace(/^[`~]{3,}[^\n]*\n?/gm, '').trimEnd() : plainProse(piece)))
    .join('')
    .trim()
}

function plainProse(text: string): string {
  return text
    .replace(/^ {0,3}#{1,6}[ \t]+/gm, '')
    .replace(/^ {0,3}(?:> ?)+/gm, '')
    .replace(/^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*\n?/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?!\w)/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
}
