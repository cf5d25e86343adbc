import { stemmer } from 'stemmer'

/** English words that find nothing: grammar, greetings and the small talk of a chat. Compared before stemming. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its itself
  i me my mine myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself they them their theirs themselves
  am is are was were be been being do does did done doing have has had having
  will would shall should can could may might must ought cannot
  and or but nor so yet if then else than as because while though although until unless
  of in on at by to from with without into onto over under about for off out up down through during between among
  against within along across after before again further upon toward towards
  what which who whom whose when where why how
  not no yes ok okay all any both each few more most other some such only same too very just also even ever
  s t d ll m o re ve y don isn aren wasn weren didn doesn hasn haven won wouldn couldn shouldn ain
  im ive id youre youve theyre thats whats lets dont doesnt didnt cant wont isnt arent wasnt
  get got gets getting let lets please thanks thank hello hi hey bye wow oh ah hmm yeah yep nope
  really quite rather much many lot lots kind sort thing things stuff something anything everything nothing
  one ones now well`.split(/\s+/),
)

/** Greetings and other openers that ask for nothing, whole drafts only, lower case, without punctuation. */
export const GREETINGS: ReadonlySet<string> = new Set(
  `hi|hello|hey|yo|hiya|howdy|good morning|good afternoon|good evening|good night|morning|evening|bye|goodbye|see you
  |thanks|thank you|thx|ok|okay|yes|no|sure|great|nice|cool|lol|test|testing|ping|hello there|hi there|hey there|how are you
  |how are you doing|how are you today|how is it going|hows it going|how do you do|whats up|sup|go on|continue|next|more
  |help|who are you|what can you do|can you help me|help me|nice to meet you|good|fine|perfect|awesome|understood|hola|bonjour
  |welcome back|hi all|everyone|there|again|k|ty|tks|ha|sounds good|nice one|sleep well|have a nice day|test test
  |你好|您好|嗨|哈喽|早|早上好|早安|上午好|中午好|下午好|晚上好|晚安|再见|拜拜|谢谢|谢谢你|多谢|好的|好|嗯|嗯嗯|哦|是的|对|可以|行|不|不是
  |在吗|在么|在不在|继续|继续说|接着说|然后|请继续|请问|大家好|你好吗|最近好吗|今天怎么样|辛苦|多谢|感谢|非常感谢|谢啦|明白|明白了|收到|知道了|懂了|了解|好的好的|好好|加油|你能帮我吗|帮帮我|能帮我吗|测试|你是谁|你能做什么|哈哈|哈哈哈|辛苦了|没事|没问题`
    .split('|')
    .map((entry) => entry.trim()),
)

/** Han characters that find nothing on their own; a pair of two of them finds nothing either. */
export const HAN_STOP_CHARACTERS: ReadonlySet<string> = new Set(
  '的了着过是在和与就也都还又才把被让吗呢吧啊呀哦嗯嘛啦哈之其所而且及或我你您他她它们这那哪什么怎谁几多少个些有没不会能可要想给对从到为以于因很最更太再曾经说一',
)

/** Words of every draft that find something and say little: a verb in common is no subject in common. Stems. */
export const LIGHT_WORDS: ReadonlySet<string> = new Set(
  `work write read use make take go come put keep find look see watch know think mean want need like love help try learn
  start stop begin end run play call name say tell ask talk speak give bring buy show turn feel live move change happen
  time day week month year today tomorrow yesterday tonight morning evening
  good better best new old big small great nice high low long short right left real whole full own next last first second
  way place part side end point case fact number type person people man woman life world home
  current usual normal often always never still already usually currently normally`
    .split(/\s+/)
    .map((word) => stemmer(word)),
)
