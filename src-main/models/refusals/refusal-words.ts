/** Words of refusals that are about a whole field: it is not known, not taken, not for this model. */
const UNSUPPORTED =
  /\bnot\b.{0,30}\b(support\w*|permit\w*|allow\w*|availab\w*|enabled|recogni[sz]\w*|known|accept\w*|implement\w*|compatible|be (used|set|included|sent|specified|present|combined)|(a )?valid (param\w*|field|argument|key|property|option)|have|take)|\b(does|do|did|is|are|was|were|ca|could|wo|would)n['’]t\b|\bcannot\b|\bun(supported|known|recogni[sz]ed|expected|available|permitted)\b|\bnot implemented\b|\bno\b.{0,40}\b(supports?|available)\b|\bextra (inputs?|fields?|keys?|param\w*)|additional propert|forbidden|disabled|disallowed|deprecated|removed|\bwithout\b.{0,20}support|refus|reject|incompatible|requires? .{0,20}--|--[\w-]*(tool|jinja)|only (the )?default|only be (set|used)|must be (the default|1\b|unset|omitted|removed|absent)|in place of|不支持|不允许|不接受|未知|未启用|无法识别|不可用|不能|\b(key|type|attribute)error\b/i

/** Words of refusals that are about what a field holds, which another value may mend. */
const VALUE =
  /\btoo (large|long|many|high|low|small|big|short)\b|exceed|\b(greater|less|larger|more|fewer|higher|lower|smaller) than|\bat (most|least)\b|must be (between|in|within|positive|unique|an?|of|one of|at)\b|\brange\b|\b(above|below)\b|maximum|minimum|inclusive|(?<!un)(valid|supported) values?|invalid (value|schema|type|format|json)|schema|should (be|have|match|contain)|must (have|match|contain)|expected|is not of type|\brequired\b|\bmissing\b|duplicate|unique|not (among|one of|in)\b|pattern|\blimit(ed to)?\b|[<>]=?\s*\d|≤|超过|超出|范围|过长|过大/i

/** Of one tool, one call or one result: nothing that leaving the tools out would be an answer to. */
const SHAPE =
  /schema|(?<!additional )properties\b|anyof|oneof|allof|\$ref|tools?[[.]\s*\d|role\W{0,3}tool|parse\w* (the )?(tool|function)|tools?\W{0,2} (messages?|results?|outputs?|names?|responses?|blocks?)|tool[_ ](call|use)s?[_ ](ids?|arguments?|input)|tool_use|tool_result|function (names?|declarations?)|names? of|too many|\b(at most|more than|maximum|up to)\b.{0,20}\b(tools|functions)|preceding/i

/** Of the account, the moment or the machine: the same request may pass later. */
const NOT_OURS =
  /rate[ -]?limit|\bquota\b|billing|\bcredits?\b|payment|overloaded|temporar|timed? ?out|api key|unauthori[sz]|permission|too many requests|\bpolic(y|ies)\b|flagged|moderation|out of memory|system memory|余额|限流|欠费/i

/** Each would be taken without the others. */
const NOT_TOGETHER = /\b(not|n['’]t) (be )?(both|together)|not both|only one|mutually exclusive|不能同时/i
const OF_THE_CONTEXT =
  /context[ _]?(length|limit|window|size)|maximum context|input (length|tokens)|prompt is too long|n_ctx/i
/** The bound of a request and its answer together is none for the answer alone. */
const OF_A_SUM = /tokens\W{0,3}\s*(\+|plus)\s|\s(\+|plus)\s\W{0,2}max_\w*tokens/i
const A_LIMIT_ITSELF = /less than or equal to|<=|\brange\b|\bat most\b|maximum allowed|maximum value/i

/** A bound from below: sending less would not help. */
const AT_LEAST = /at least|minimum|greater than|more than/i
const AT_MOST = /at most|maximum|exceed|too (large|high|big|many)|less than|range|limit|超/i

export const isLowerBound = (text: string): boolean => AT_LEAST.test(text) && !AT_MOST.test(text)
export const isUnsupported = (text: string): boolean => UNSUPPORTED.test(text)
export const isAboutValue = (text: string): boolean => VALUE.test(text)
export const isAboutShape = (text: string): boolean => SHAPE.test(text)
export const isNotTogether = (text: string): boolean => NOT_TOGETHER.test(text)
export const isNotOurs = (text: string): boolean => NOT_OURS.test(text)
export const isAboutContext = (text: string): boolean =>
  OF_A_SUM.test(text) || (OF_THE_CONTEXT.test(text) && !A_LIMIT_ITSELF.test(text))

/** `extra_forbidden`, `unsupported_parameter`, `additionalProperties`: the machine's word for a field it does not take. */
export const kindUnsupported = (kind: string): boolean =>
  /extra|unknown|unsupported_param|unrecogni|additional/i.test(kind)
export const kindOfValue = (kind: string): boolean =>
  /too_|above|below|less_than|greater_than|max_|min_|length/i.test(kind)

const ALLOWED_LIST =
  /(?<!\bnot )\b(expected (one of|any of)|(allowed|supported|valid|accepted|permitted|available|known|possible)\b[^.:;]{0,40}?(fields?|param\w*|keys?|arguments?|propert\w*|options?)\b[^.;]{0,20}?(:|\b(are|is)\b(?! not)|\binclude)|\d+ known propert\w*)[^.;)]*/gi

/** The sentences of a text, without what it quotes of the request and without lists of what would be allowed. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, 4000)
    .replaceAll(/[{[][^{}]*["'](model|messages|tools|role)["']\s*:[\s\S]*[}\]]/g, ' ')
    .replaceAll(ALLOWED_LIST, ' ')
    .split(/(?<=[.;!?])\s+|[。；！？\n]+/)
    .filter((sentence) => sentence.trim() !== '')
}

const ADVISED =
  /(?:\buse|\bsend|\btry|\bset|\bspecify|\bpass|\bsupply|\bprovide|switch(?:ed)? to|renamed? (?:to|as)|replaced (?:by|with)|in favou?r of|\binstead:?|改用|使用|改为|替换为)\s*(?:the\s+)?(?:(?:parameter|field|param)\s+)?[`'"“‘]?([A-Za-z][A-Za-z]*(?:_[A-Za-z]+|[A-Z][a-z]+)+)/gi

/** Identifiers a text advises to use. */
export const advisedIn = (text: string): string[] => [...text.matchAll(ADVISED)].map((match) => match[1] ?? '')

/** The highest whole number below `sent` in a text: the limit a server names. "Less than 8193" is 8192. */
export function limitIn(text: string, sent: number): number | undefined {
  const numbers = [
    ...text.matchAll(
      /(?:\b(less|lower|smaller) than )?(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+)(?!\w|\.\d)(\s*\(exclusive\))?/gi,
    ),
  ].map((match) => Number((match[2] ?? '').replaceAll(',', '')) - (match[1] || match[3] ? 1 : 0))
  const below = numbers.filter((number) => number < sent && number >= LEAST_LIMIT)
  return below.length > 0 ? Math.max(...below) : undefined
}

/** Tokens. No model answers in fewer: a smaller number is a code or a place. */
const LEAST_LIMIT = 64
