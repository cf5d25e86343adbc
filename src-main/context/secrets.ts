/** What no model in the background reads and what never becomes a memory. Each pattern covers the secret itself. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk|whsec|sess)[-_][A-Za-z0-9_-]{16,}|\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bhf_[A-Za-z0-9]{20,}|\bglpat-[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_[a-f0-9]{32,}|\bAGE-SECRET-KEY-1[A-Z0-9]{20,}|\b(?:gsk|tvly|pplx|r8|xai|lin_api|secret)[_-][A-Za-z0-9_-]{20,}/g,
  /\b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{16,}/gi,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:[^\s/@]+@/gi,
  /(?:密[码碼]|口令|密[钥鑰]|[验驗][证證][码碼]|支付[码碼]|安全[码碼]|助[记記][词詞]|私[钥鑰]|金[钥鑰])[^\s，。；,;]{0,6}?(?:是|为|為|=|:|：)\s*["'“「]?[^\s，。；]+/g,
  /(?:パスワード|暗証番号|비밀번호|парол[ья]\p{L}*)[^\s，。、；,;]{0,6}?\s?(?:は|은|는|[=:：—-])\s*["'“「«]?[^\s，。、；,;]+/giu,
  /(?<=\b(?:curl|wget|xh|https?)\s[^\n]{0,300})(?<=\s)(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']+:[^\s"']+/g,
]
/** Identity numbers: US social security, Chinese resident. */
const IDENTITY =
  /\b\d{3}-\d{2}-\d{4}\b|(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)/g
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g
const DIGITS = /(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/g
/** Long, without spaces, letters and digits mixed: a token of a kind not listed above. */
const OPAQUE = /(?<![\w/.-])(?=[A-Za-z0-9+/=_-]*\d)(?=[A-Za-z0-9+/=_-]*[A-Za-z])[A-Za-z0-9+/=_-]{28,}(?![\w.])/g

/** What a secret is called, in prose and as part of a name in code and settings: `DB_PASSWORD`, `clientSecret`. */
const SPOKEN =
  '\\b(?:pass(?:word|phrase|code|wd)|pwd?|pin(?: code| number)?|secret|(?:api|access|auth|recovery|security|private|secret)[ _-]?(?:key|token|code|phrase)|(?:2fa|otp|verification|one-time|login) code|cvv2?|cvc|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord)\\b'
const WRITTEN =
  '[\\w.-]*(?:passw(?:or)?d|passphrase|passcode|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|api[_-]?token|credentials?|(?<![a-z0-9])pass(?![a-z0-9]))[\\w.-]*'
/** `my password for the router is …`, `PIN: …` */
const IN_PROSE = new RegExp(
  `(${SPOKEN}(?:\\s+(?:for|of|to)(?:\\s+[^\\s:=：]+){1,5}?)?\\s*(?:(?:is|was|are|ist|lautet|est|es|é)(?![a-z])|=|:|：)\\s*)(["'“]?)([^\\n]*)`,
  'gi',
)
/** `DB_PASSWORD=…`, `"clientSecret": "…"`, `--api-key …` */
const IN_CODE = new RegExp(`(["']?${WRITTEN}["']?\\s*(?:=>|:=|=|:)\\s*|--${WRITTEN}[= ])(["']?)([^\\s"',;]+)`, 'gi')
/** Seeds of a wallet: many plain words behind their name. */
const PHRASE = /\b(?:seed|recovery|mnemonic|secret)(?: phrase| words)\s*(?:is|are|=|:)\s*["'“]?\S[^\n.;"”]*/gi

/** Words of a sentence about secrets: where one of them stands, no secret is told. */
const OF_SENTENCES =
  /^(?:a|an|the|not|no|too|very|so|in|on|at|for|to|of|by|with|from|my|your|his|her|our|their|this|that|it|what|how|where|when|why|who|always|never|now|still|only|just|also|being)$/i
/** What is said of a secret, and what code has in its place: its type, or nothing. */
const OF_SECRETS =
  /^(?:wrong|falsch|right|correct|incorrect|valid|invalid|required|optional|missing|empty|expired|short|long|weak|strong|safe|secure|needed|unknown|known|forgotten|lost|hashed|encrypted|stored|easy|hard|important|good|bad|ok|okay|fine|safer|better|worse|stronger|weaker|longer|shorter|easier|harder|string|str|text|boolean|bool|number|int|bytes|char|varchar|null|nil|none|undefined|true|false|any|object|password|secret|token|key)$/i
/** As many plain words as a made-up passphrase has at least. */
const PASSPHRASE_WORDS = 4
const MOST_WORDS = 8
const FILLED_IN = /^(?:[$<{%[(]|process\.|os\.|env\.|import\.|getenv|config\.|settings\.|\*+$|•+$|x{3,}$|\.{3}|…)|\($/i

const HIDDEN = '[…]'

const hasOddSigns = (word: string): boolean => /\d|[^\p{L}\p{M}'’-]/u.test(word)

/** The length of what is secret in the rest of a line behind `password is`; 0 where nothing is. */
function secretLength(name: string, rest: string, isQuoted: boolean): number {
  const word = /^[^\s"”]+/.exec(rest)?.[0] ?? ''
  const bare = word.replace(/[.,;:!?)\]]+$/, '')
  if (bare === '' || FILLED_IN.test(bare)) return 0
  if (isQuoted) return (/^[^"'”]*/.exec(rest)?.[0] ?? '').length
  if (hasOddSigns(bare)) return word.length
  // the secret of something is seldom a password
  if (/^secret\b/i.test(name)) return 0
  // a plain word is one where the clause ends with it, and so are several that say nothing else
  const clause = /^[^.,;!?\n]*/.exec(rest)?.[0] ?? ''
  const words = clause.split(/\s+(?:and|but|or|so|which)\s+/i)[0]?.trim() ?? ''
  const all = words.split(/\s+/)
  if (all.length > MOST_WORDS || all.some((each) => OF_SENTENCES.test(each))) return 0
  return OF_SECRETS.test(bare) && all.length < PASSPHRASE_WORDS ? 0 : words.length
}

function withoutNamed(text: string): string {
  const prose = text.replace(IN_PROSE, (all, name: string, quote: string, rest: string) => {
    const length = secretLength(name, rest, quote !== '')
    return length === 0 ? all : `${HIDDEN}${rest.slice(length)}`
  })
  return prose.replace(IN_CODE, (all, _name: string, quote: string, value: string) => {
    const bare = value.replace(/[.)\]}]+$/, '')
    if (
      bare.length < 3 ||
      FILLED_IN.test(value) ||
      value.includes('(') ||
      OF_SENTENCES.test(bare) ||
      OF_SECRETS.test(bare)
    )
      return all
    // `apiKey: keyOf` in code without quotes is a name; a value in a file of settings has figures or signs
    return quote !== '' || hasOddSigns(bare) || all.includes('=') ? HIDDEN : all
  })
}

/** The text without keys, tokens, passwords, card and identity numbers. */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const pattern of [...PATTERNS, PHRASE]) clean = clean.replace(pattern, HIDDEN)
  clean = withoutNamed(clean)
  for (const pattern of [IDENTITY, IBAN, OPAQUE]) clean = clean.replace(pattern, HIDDEN)
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
