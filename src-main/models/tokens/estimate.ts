/** Character classes in order of test; each match costs what its class costs. Figures: tokens of o200k, measured. */
const CLASSES =
  /(?<latin>[\p{Lu}&&\p{Script=Latin}]*[[\p{Ll}&&\p{Script=Latin}]\p{M}'’]+|[\p{L}&&\p{Script=Latin}]+)|(?<han>\p{Script=Han}+)|(?<kana>[\p{Script=Hiragana}\p{Script=Katakana}ー]+)|(?<hangul>\p{Script=Hangul}+)|(?<wide>[\u3000-\u303f\uff00-\uffef]+)|(?<letters>\p{L}[\p{L}\p{M}]*)|(?<digits>\p{N}+)|(?<line>[\r\n]+)|(?<emoji>\p{Extended_Pictographic}+)|(?<indent>[ \t]{2,})|(?<marks>[^\s\p{L}\p{N}]+)/gv

const HAN = 0.76
const KANA = 0.71
const HANGUL = 0.73
const WIDE_PUNCTUATION = 0.52
const WORD = 1.05
const LETTER_PAST_SIXTH = 0.015
const DIGIT_GROUP = 1.65
const PUNCTUATION_RUN = 0.69
const NEWLINE_RUN = 0.3
/** White space in front of a line of code: one token but for its last blank. */
const INDENT = 0.9
/** Other alphabets: shorter pieces than Latin words. */
const OTHER_LETTER = 0.4
const EMOJI_UNIT = 0.9
/** A long run of one word is no word: past this, letters cost what random letters cost. */
const LONGEST_WORD = 40
const RANDOM_LETTER = 0.45

function wordCost(length: number): number {
  const word = Math.min(length, LONGEST_WORD)
  return WORD + Math.max(0, word - 6) * LETTER_PAST_SIXTH + (length - word) * RANDOM_LETTER
}

function costOf(groups: Record<string, string | undefined>): number {
  if (groups.latin !== undefined) return wordCost(groups.latin.length)
  if (groups.han !== undefined) return groups.han.length * HAN
  if (groups.marks !== undefined) return PUNCTUATION_RUN * Math.max(1, groups.marks.length / 8)
  if (groups.line !== undefined) return NEWLINE_RUN
  if (groups.indent !== undefined) return INDENT
  if (groups.digits !== undefined) return Math.ceil(groups.digits.length / 3) * DIGIT_GROUP
  if (groups.wide !== undefined) return groups.wide.length * WIDE_PUNCTUATION
  if (groups.kana !== undefined) return groups.kana.length * KANA
  if (groups.hangul !== undefined) return groups.hangul.length * HANGUL
  if (groups.letters !== undefined) return Math.max(1, groups.letters.length * OTHER_LETTER)
  return (groups.emoji?.length ?? 0) * EMOJI_UNIT
}

function estimateAll(text: string): number {
  let tokens = 0
  for (const match of text.matchAll(CLASSES)) tokens += costOf(match.groups ?? {})
  return tokens
}

/** Longer texts are judged by evenly spread samples, so that no paste holds up the main thread. */
const SAMPLED_FROM = 200_000
const SAMPLES = 10
const SAMPLE_CHARACTERS = 10_000

function estimateBySamples(text: string): number {
  const stride = Math.floor(text.length / SAMPLES)
  let tokens = 0
  for (let at = 0; at < SAMPLES; at++) tokens += estimateAll(text.slice(at * stride, at * stride + SAMPLE_CHARACTERS))
  return tokens * (text.length / (SAMPLES * SAMPLE_CHARACTERS))
}

/** Tokens of o200k by character classes, not rounded; within about 8 % on ordinary prose and code. */
export function estimateTokens(text: string): number {
  return text.length > SAMPLED_FROM ? estimateBySamples(text) : estimateAll(text)
}
