/** What never becomes a memory, whatever the model thinks of it. Each pattern covers the secret itself. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}|\bglpat-[\w-]{16,}/g,
  /\b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{16,}/gi,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:[^\s/@]+@/gi,
  /(?:\bpass(?:word|phrase|code|wd)\b|\bpwd\b|\bpin(?: code| number)?\b|\bsecret\b|\b(?:api|access|auth|recovery|security)[ _-]?(?:key|token|code|phrase)\b|\bcvv2?\b|\bcvc\b)(?:\s+(?:for|of|to)(?:\s+[^\s:=：]+){1,5}?)?\s*(?:is|was|are|=|:|：)\s*["'“]?\S+/gi,
  /(?:密码|口令|密钥|验证码|支付码|安全码|助记词|私钥)[^\s，。；,;]{0,6}?(?:是|为|=|:|：)\s*["'“「]?[^\s，。；]+/g,
]
/** Identity numbers: US social security, Chinese resident. */
const IDENTITY =
  /\b\d{3}-\d{2}-\d{4}\b|(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)/g
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g
const DIGITS = /(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/g
/** Long, without spaces, letters and digits mixed: a token of a kind not listed above. */
const OPAQUE = /(?<![\w/.-])(?=[A-Za-z0-9+/=_-]*\d)(?=[A-Za-z0-9+/=_-]*[A-Za-z])[A-Za-z0-9+/=_-]{28,}(?![\w.])/g

const HIDDEN = '[…]'

/** The text without keys, tokens, passwords, card and identity numbers. */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const pattern of [...PATTERNS, IDENTITY, IBAN, OPAQUE]) clean = clean.replace(pattern, HIDDEN)
  return clean.replace(DIGITS, (digits) => (isCardNumber(digits) ? HIDDEN : digits))
}

export function holdsSecret(text: string): boolean {
  return withoutSecrets(text) !== text
}

/** The check digit of payment cards (Luhn). */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].map(Number).reverse()
  const sum = digits.reduce((total, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum > 0 && sum % 10 === 0
}
