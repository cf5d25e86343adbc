/** Far more than a title can hold, even of characters of many units: the rest of a long paste need not be looked at. */
const LOOKED_AT = 4000

/** The first words of a message as a title: up to 48 characters, cut at a word where there is one. */
export function firstWords(text: string, attachmentName: string | undefined): string {
  const line = text.trimStart().slice(0, LOOKED_AT).trimEnd().split('\n')[0]?.replaceAll(/\s+/g, ' ') ?? ''
  if (line === '') return attachmentName ?? ''
  const characters = [...line]
  if (characters.length <= 48) return line
  const cut = characters.slice(0, 48).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > 24 ? cut.slice(0, space) : cut).trimEnd()}…`
}
