import { GREETINGS } from './stop-words'
import { contentWordCount } from './tokens'

const MOST_GREETING_WORDS = 12

/** True for drafts that ask for nothing: blank, emoji or punctuation only, greetings, stop words only. */
export function isEmptyQuery(text: string): boolean {
  if (contentWordCount(text) === 0) return true
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N} ]+/u)
    .map((part) => part.replace(/ +/g, ' ').trim())
    .every((part) => part === '' || isGreeting(part))
}

/** "Heyyy" is "hey", "您好呀" is "您好", "hahaha" is laughter, "hi good morning" is two of them. */
function isGreeting(part: string): boolean {
  const plain = part.replace(/(\p{L})\1{2,}/gu, '$1').replace(/[呀啊啦哦呢哈嘛喔哟噢]+$/u, '')
  if (plain === '' || GREETINGS.has(part) || GREETINGS.has(plain) || /^(?:ha|he|哈|嘿|呵|嘻){2,}h?$/.test(part))
    return true
  const words = plain.split(' ')
  if (words.length > MOST_GREETING_WORDS) return false
  return words.some(
    (_, at) => at > 0 && GREETINGS.has(words.slice(0, at).join(' ')) && isGreeting(words.slice(at).join(' ')),
  )
}

const WHO = '(?:i|we|you|he|she|they|my \\w+)'
const PAST_ENGLISH = [
  // not "is it used to", "get used to"
  "(?<!\\b(?:is|are|was|were|be|been|being|am|get|got|getting|i['’]m|it['’]s)\\s(?:\\w+\\s)?)used to",
  `did ${WHO} (?:\\w+ )?(?:use to|once)`,
  `did ${WHO}\\b.{0,80}\\bbefore`,
  'ever (?:have|had|own|owned|live|lived|work|worked|used|play|played)',
  '(?:previous|former|original)(?:ly)?|earlier|ex|no longer|not any ?more|once (?:was|were|had)',
  'back (?:then|when)|in the past|at that time|at the time|(?:years|months) ago',
  'last (?:year|month|spring|summer|autumn|fall|winter)|before (?:i|we|that|the)',
  '(?:old|last|first) (?:job|employer|boss|company|address|flat|apartment|home|house|city|car|bike|phone|number|school)',
]
const PAST_CHINESE = [
  '以前|过去|之前|曾|从前|原来(?!如此)|原先|当时|那时|旧的|先前|早先|早年|当年|去年|前年|几年前|小时候|搬家前',
  '[上前]一?[份个任家台辆](?:工作|公司|单位|老板|手机|电脑|车|房)',
]
const PAST = new RegExp(`\\b(?:${PAST_ENGLISH.join('|')})\\b|${PAST_CHINESE.join('|')}`, 'iu')

/** Whether the question is about how things used to be, so that facts which no longer hold may answer it. */
export function asksAboutPast(text: string): boolean {
  return PAST.test(text)
}

/** Begins like a question; anything else asks for a thing to be made, and "for me" is politeness there. */
const QUESTION =
  /^\W*(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|should|shall|has|have|any|(?:can|could|will|would) (?!you\b))\b/iu
const FOR_ME = /\bfor (?:me|us)\b/giu
const COURTESY =
  /\b(?:tell|give|show|help|let|teach|send|write|make|find|remind|ask) (?:me|us)\b|(?:帮|给|替|告诉|教|为|让)我们?/giu
/** "How do I undo a commit" asks how anybody does it, and "my code" is what lies on the table. */
const PROCEDURE = new RegExp(
  [
    '\\b(?:how (?:do|can|could|should|would)|can|could|may) (?:i|we)\\b',
    "\\bi (?:need|want) (?:a|an|to)\\b|\\bi(?:['’]d| would) like to (?:learn|know|understand)\\b",
    '\\bi (?:get|got|have|see) (?:a|an|this|the) (?:\\w+ ){0,2}(?:error|exception|fault|warning|bug)\\b',
    '\\bmy (?:code|script|program|function|query|error|regex|build|grammar|spelling|text|essay|paragraph|sentence)\\b',
    '我(?:怎么|如何|想(?:了解|知道|学))|我的?(?:代码|程序|脚本|函数|报错|语法|文章|句子)',
  ].join('|'),
  'giu',
)
const SELF = /\b(?:i|i['’]m|i['’]ve|i['’]d|i['’]ll|me|my|mine|myself|we|us|our|ours|am)\b|我|咱|俺/iu

/** Chinese leaves the subject out: 该怎么选, 要注意什么 ask what the one who writes should do. */
const ADVICE =
  /[该需]要?(?:怎么|如何|选|买|吃|喝|穿|带|避|点|注意)|要(?:注意|避开|避免|备注|考虑|提醒|带)什么|(?:不能|不该|避开)[选吃喝]/u

/** Whether a draft speaks of the person who writes it ("my", "我"); "tell me" and "帮我" are courtesy and do not count. */
export function asksAboutSelf(text: string): boolean {
  const plain = QUESTION.test(text) ? text : text.replace(FOR_ME, ' ')
  return ADVICE.test(text) || SELF.test(plain.replace(COURTESY, ' ').replace(PROCEDURE, ' '))
}
