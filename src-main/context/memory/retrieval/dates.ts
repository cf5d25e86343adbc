const MONTHS = [
  'january|jan',
  'february|feb',
  'march|mar',
  'april|apr',
  'may',
  'june|jun',
  'july|jul',
  'august|aug',
  'september|sept|sep',
  'october|oct',
  'november|nov',
  'december|dec',
]
const MONTH_OF = new Map(MONTHS.flatMap((names, at) => names.split('|').map((name) => [name, at + 1] as const)))
const MONTH_NAMES = [...MONTH_OF.keys()].join('|')

const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH_NAMES})\\b(?:,? (\\d{4}))?`, 'g')
const MONTH_DAY = new RegExp(`\\b(${MONTH_NAMES})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`, 'g')
const MONTH_YEAR = new RegExp(`\\b(${MONTH_NAMES}),? (\\d{4})\\b`, 'g')
const ISO = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g
const MONTH_DAY_ONLY = /(?<![\d-])(\d{2})-(\d{2})(?![\d-])/g
const CHINESE =
  /(?:(\d{4})\s*年\s*)?([\d一二三四五六七八九十]{1,3})\s*月(?:\s*([\d一二三四五六七八九十]{1,3})\s*[日号])?/g

/** `2 May 2023`, `May 2nd`, `2023-05-02`, `5月2日` -> `date:5-2`, `month:5`, `year:2023`. Lower-case text in. */
export function dateTokens(text: string): string[] {
  const found = new Set<string>()
  const add = (year: string | undefined, month: number | undefined, day: number | undefined) => {
    if (month === undefined || month < 1 || month > 12) return
    found.add(`month:${month}`)
    if (day !== undefined && day >= 1 && day <= 31) found.add(`date:${month}-${day}`)
    if (year !== undefined) found.add(`year:${Number(year)}`)
  }
  for (const [, day, month, year] of text.matchAll(DAY_MONTH)) add(year, MONTH_OF.get(month ?? ''), Number(day))
  for (const [, month, day, year] of text.matchAll(MONTH_DAY)) add(year, MONTH_OF.get(month ?? ''), Number(day))
  for (const [, month, year] of text.matchAll(MONTH_YEAR)) add(year, MONTH_OF.get(month ?? ''), undefined)
  for (const [, year, month, day] of text.matchAll(ISO)) add(year, Number(month), Number(day))
  for (const [, month, day] of text.matchAll(MONTH_DAY_ONLY)) add(undefined, Number(month), Number(day))
  for (const [, year, month, day] of text.matchAll(CHINESE)) {
    add(year, chineseNumber(month ?? ''), day === undefined ? undefined : chineseNumber(day))
  }
  return [...found]
}

const DIGITS = '零一二三四五六七八九'

/** Numbers up to 99, as dates need them. */
function chineseNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const ten = text.indexOf('十')
  if (ten < 0) return DIGITS.indexOf(text)
  const tens = ten === 0 ? 1 : DIGITS.indexOf(text.slice(0, ten))
  const ones = text.slice(ten + 1)
  return tens * 10 + (ones === '' ? 0 : DIGITS.indexOf(ones))
}
