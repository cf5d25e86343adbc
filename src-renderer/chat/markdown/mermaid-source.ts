/** `<<interface>>` of class diagrams is no HTML. */
const STEREOTYPE = /<<[\w ]+>>/g

/** The drawing library measures labels in the page itself: no element but a line break and no handler may reach it. */
export function holdsHtml(code: string): boolean {
  const plain = code.replace(STEREOTYPE, '')
  return /<(?!br\s*\/?>)[a-z!/?]/i.test(plain) || /\bon[a-z]+\s*=/i.test(plain)
}

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  sol: '/',
  lpar: '(',
  rpar: ')',
  quot: '"',
  commat: '@',
  lbrace: '{',
  lcub: '{',
  rbrace: '}',
  rcub: '}',
  tab: ' ',
  newline: ' ',
}

/** The ways a sign can be written in a diagram: HTML and Mermaid entities, escapes of JSON and of style sheets. */
function decoded(code: string): string {
  return code
    .replaceAll(/[&#]#?x([0-9a-f]{1,6});?/gi, (_all, hex: string) => character(Number.parseInt(hex, 16)))
    .replaceAll(/[&#]#?(\d{1,7});/g, (_all, figure: string) => character(Number(figure)))
    .replaceAll(/[&#]([a-z]+);/gi, (all, name: string) => NAMED[name.toLowerCase()] ?? all)
    .replaceAll(/\\u\{?([0-9a-f]{4,6})\}?/gi, (_all, hex: string) => character(Number.parseInt(hex, 16)))
    .replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_all, hex: string) => character(Number.parseInt(hex, 16)))
    .replaceAll(/\\(?=[^\n])/g, '')
}

/** What names a place to fetch from or to go to, in any language a diagram may hold. */
const ADDRESSES: readonly RegExp[] = [
  // with a scheme, or with that of the page
  /[a-z][a-z0-9+.-]*:\/\//i,
  /(?:javascript|vbscript|mailto|blob|file|tel):/i,
  /data:[a-z]+\//i,
  /["'(=\s]\/\/[\w[]/,
  // style sheets
  /url\s*\(\s*["']?(?!#)/i,
  /(?:src|image|image-set|cross-fade)\s*\(\s*["']/i,
  /@(?:import|font-face)/i,
  // flowcharts: pictures as shapes
  /@\{[^}]*\b(?:img|image)\b/i,
  // links of flowcharts, Gantt charts, classes, sequences
  /^\s*click\s+\S+\s+(?:href\b|"|')/im,
  /^\s*links?\s+[^\s:]+\s*(?::|"|')/im,
  /\$(?:link|sprite)\s*=/i,
  /\bhref\b/i,
]

/** Comments are not drawn, and may say where something was found; `%%{…}%%` is no comment. */
const COMMENT = /^\s*%%(?!\{).*$/gm

/** Whether the source names an address. A diagram is a drawing: it fetches nothing and leads nowhere. */
export function holdsAddress(code: string): boolean {
  const drawn = code.replace(COMMENT, '')
  const plain = decoded(drawn)
  return ADDRESSES.some((address) => address.test(drawn) || address.test(plain))
}

const REFERENCE = /\b(?:xlink:)?(?:href|src)\s*=\s*["']\s*([^"'\s]*)/gi
const STYLE_ADDRESS = /url\(\s*["']?([^"')\s]*)/gi

/** Whether a finished drawing points outside of itself. `#name` is a part of it. */
export function pointsOutside(svg: string): boolean {
  if (/@import/i.test(svg)) return true
  return [REFERENCE, STYLE_ADDRESS].some((pattern) =>
    [...svg.matchAll(pattern)].some(([, target = '']) => target !== '' && !target.startsWith('#')),
  )
}
