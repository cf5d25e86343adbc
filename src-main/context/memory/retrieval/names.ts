import { tokensOf } from './tokens'

/** Capitalised words that everybody's texts share: meeting in one of them says nothing about this person. */
const EVERYBODYS: ReadonlySet<string> = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december christmas easter
  english german french spanish italian portuguese dutch russian chinese mandarin cantonese japanese korean arabic hindi
  turkish polish swedish greek latin american british european african asian indian
  america usa us uk eu europe asia africa china japan korea india russia germany france spain italy england britain canada
  australia brazil mexico
  go rust swift ruby php kotlin scala perl lua haskell python java javascript typescript html css sql git github linux windows mac macos unix android ios iphone ipad google
  chatgpt claude gemini openai excel word powerpoint pdf json xml yaml csv http https tcp udp ip api url ai cpu gpu ram ssd
  docker kubernetes react node npm bash internet web wifi usb tv dvd ok faq diy sci fi
  user assistant god mr mrs ms dr`.split(/\s+/),
)

/** Where a word stands in a draft, as far as its capital says something. */
type Standing = 'inside' | 'first' | 'lower'

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*/gu
const CAPITAL = /^\p{Lu}/u
/** What comes before a word that is capitalised only because it begins something. */
const BEGINS = /(?:^|[.!?。！？:：;；\n•*#>-]|^["'“‘(「『])\s*["'“‘(「『]?\s*$/u
const SURNAMES: ReadonlySet<string> = new Set(
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝',
)
const HAN_PAIR = /^\p{Script=Han}{2}$/u
/** Characters on either side that decide where the words of a Chinese sentence end. */
const WINDOW = 6

/** Finds out which of a draft's words name somebody or something. */
export class DraftNames {
  readonly #draft: string
  readonly #standings: ReadonlyMap<string, Standing>
  readonly #han = new Map<string, boolean>()
  #segmenter: Intl.Segmenter | undefined

  constructor(draft: string) {
    this.#draft = draft.normalize('NFKC')
    this.#standings = standingsIn(this.#draft)
  }

  /** Whether this query token, which the memory holds, names the same one in both texts. */
  isNameIn(text: string, term: string): boolean {
    if (HAN_PAIR.test(term)) return this.#isHanName(term)
    const here = this.#standings.get(term)
    if (here === undefined) return false
    const there = standingOfTerm(text, term)
    return there === 'inside' ? true : there === 'first' && here === 'inside'
  }

  /** A surname and a character the dictionary of the language does not join with it: 沈舟, but not 高兴. */
  #isHanName(pair: string): boolean {
    const known = this.#han.get(pair)
    if (known !== undefined) return known
    const at = SURNAMES.has(pair.charAt(0)) ? this.#draft.indexOf(pair) : -1
    const isName = at >= 0 && this.#splits(at)
    this.#han.set(pair, isName)
    return isName
  }

  #splits(at: number): boolean {
    this.#segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
    const from = Math.max(0, at - WINDOW)
    const window = this.#draft.slice(from, at + 2 + WINDOW)
    const starts = new Set([...this.#segmenter.segment(window)].map((segment) => segment.index))
    return starts.has(at - from) && starts.has(at - from + 1)
  }
}

/** Words that may be names, by token. Where nothing is capitalised, somebody types in small letters: any word may be one. */
function standingsIn(draft: string): Map<string, Standing> {
  const found = new Map<string, Standing>()
  const small = !/\p{Lu}/u.test(draft.replace(/\bI\b/g, ''))
  for (const { word, standing } of wordsIn(draft)) {
    if (standing === 'lower' && !small) continue
    for (const term of termsOf(word)) if (found.get(term) !== 'inside') found.set(term, standing)
  }
  return found
}

function standingOfTerm(text: string, term: string): Standing | undefined {
  const head = term.slice(0, 3)
  let best: Standing | undefined
  for (const { word, standing } of wordsIn(text)) {
    if (standing === 'lower' || best === 'inside' || !word.toLowerCase().startsWith(head)) continue
    if (termsOf(word).includes(term)) best = standing
  }
  return best
}

function* wordsIn(text: string): Generator<{ word: string; standing: Standing }> {
  for (const match of text.matchAll(WORD)) {
    const word = match[0]
    if (!CAPITAL.test(word)) yield { word, standing: 'lower' }
    else
      yield { word, standing: BEGINS.test(text.slice(Math.max(0, match.index - 4), match.index)) ? 'first' : 'inside' }
  }
}

function termsOf(word: string): string[] {
  return EVERYBODYS.has(word.toLowerCase()) ? [] : tokensOf(word).map((token) => token.text)
}
