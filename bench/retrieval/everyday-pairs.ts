import type { ParaphrasePair } from './bench-files'

type Row = readonly [zm: string, zq: string, em: string, eq: string]

/**
 * Everyday facts and questions that share no words with them, in two halves over one store: what is changed is judged by
 * the first, and the second tells whether it holds elsewhere.
 */
const FIRST: readonly Row[] = [
  ['用户晕船', '我适合参加邮轮旅行吗？', 'The user gets seasick', 'Would a cruise be a good holiday for me?'],
  ['用户每天骑自行车上班', '我怎么去公司？', 'The user cycles to the office every day', 'What is my commute like?'],
  [
    '用户的儿子明年高考',
    '我家孩子什么时候考大学？',
    "The user's son sits his final exams next year",
    'When does my boy finish school?',
  ],
  ['用户在银行做柜员', '我靠什么谋生？', 'The user is a teller at a bank', 'What is my profession?'],
  [
    '用户住在六楼，没有电梯',
    '搬家具到我那里方便吗？',
    'The user lives on the sixth floor without a lift',
    'How hard is it to get furniture into my flat?',
  ],
  ['用户乳糖不耐受', '我能喝拿铁吗？', 'The user is lactose intolerant', 'Can I have a latte?'],
  [
    '用户的狗叫可乐，是一只柯基',
    '我养的宠物是什么品种？',
    "The user's dog is a corgi called Cola",
    'What breed is my pet?',
  ],
  ['用户在学拉小提琴', '我最近在练什么乐器？', 'The user is learning the violin', 'Which instrument have I taken up?'],
  [
    '用户结婚纪念日是六月二日',
    '我和太太哪天办的婚礼？',
    "The user's wedding anniversary is on June 2",
    'When did I get married?',
  ],
  ['用户不会开车', '我能自驾出行吗？', 'The user has no driving licence', 'Could I rent a car for the trip?'],
  ['用户的手表是精工的', '我腕上戴的什么牌子？', 'The user wears a Seiko watch', 'What brand tells me the time?'],
  [
    '用户最近失眠',
    '我睡眠质量如何？',
    'The user has been suffering from insomnia lately',
    'How well am I sleeping these days?',
  ],
  ['用户在苏州有一套老房子', '我名下有房产吗？', 'The user owns an old house in Suzhou', 'Do I have any property?'],
  ['用户喜欢吃辣', '我口味偏好怎样？', 'The user loves spicy food', 'How hot should my curry be?'],
  ['用户穿四十二码的鞋', '给我买靴子要多大的？', 'The user wears size 42 shoes', 'How big should boots for me be?'],
  ['用户的哥哥是飞行员', '我兄弟是干什么的？', "The user's brother is a pilot", 'Which relative of mine flies planes?'],
  [
    '用户打算考研究生',
    '我毕业以后有什么计划？',
    'The user intends to apply for a master’s degree',
    'What are my plans after graduation?',
  ],
  [
    '用户每周三晚上打羽毛球',
    '我固定做什么运动？',
    'The user plays badminton on Wednesday evenings',
    'Which sport do I do regularly?',
  ],
  [
    '用户对青霉素过敏',
    '看病时要提醒医生什么？',
    'The user is allergic to penicillin',
    'What should I tell a doctor before treatment?',
  ],
  ['用户家里用地暖', '我冬天靠什么取暖？', "The user's home has underfloor heating", 'How do I keep warm in winter?'],
  [
    '用户用 Firefox 浏览器',
    '我上网用哪个软件？',
    'The user browses with Firefox',
    'Which program do I open web pages in?',
  ],
  [
    '用户的奶奶今年九十岁',
    '我家最年长的是谁？',
    "The user's grandmother turns ninety this year",
    'Who is the oldest person in my family?',
  ],
  [
    '用户希望回答里带上例子',
    '解释概念时我想看到什么？',
    'The user wants examples in answers',
    'What makes an explanation good for me?',
  ],
  [
    '用户在写博士论文',
    '我手头最大的写作任务是什么？',
    'The user is writing a doctoral thesis',
    'What is my biggest piece of writing right now?',
  ],
  ['用户出生在哈尔滨', '我老家在哪儿？', 'The user was born in Harbin', 'Where do I come from?'],
  ['用户一直戴隐形眼镜', '我看不清的时候靠什么？', 'The user wears contact lenses', 'How do I correct my vision?'],
  ['用户正在减肥', '这个甜点符合我的目标吗？', 'The user is trying to lose weight', 'Does this dessert fit my goals?'],
  ['用户的老板很严格', '我上司是什么样的人？', "The user's boss is very strict", 'What is my manager like?'],
  [
    '用户养了三缸热带鱼',
    '我家里有什么动物？',
    'The user keeps three tanks of tropical fish',
    'Which animals are there in my home?',
  ],
  [
    '用户不看恐怖片',
    '周末选电影该避开哪类？',
    'The user does not watch horror films',
    'What kind of movie should we avoid tonight?',
  ],
  [
    '用户上个月刚升职为主管',
    '我现在是什么职位？',
    'The user was promoted to team lead last month',
    'What is my current position?',
  ],
  [
    '用户每月给父母寄两千元',
    '我固定要给家里多少钱？',
    'The user sends the parents 2000 yuan a month',
    'How much do I support my family with?',
  ],
]

const SECOND: readonly Row[] = [
  ['用户害怕蜘蛛', '我最受不了什么虫子？', 'The user is scared of spiders', 'Which creature gives me the creeps?'],
  [
    '用户在图书馆做志愿者',
    '我业余做什么公益？',
    'The user volunteers at the library',
    'What charity work am I involved in?',
  ],
  [
    '用户的车险九月到期',
    '我什么时候要续保？',
    "The user's car insurance runs out in September",
    'When must I renew my policy?',
  ],
  ['用户喜欢收集邮票', '我有什么爱好？', 'The user collects stamps', 'What is my hobby?'],
  ['用户早上六点起床', '我每天什么时候醒？', 'The user gets up at six in the morning', 'When does my day begin?'],
  [
    '用户的母亲有糖尿病',
    '给我妈做饭要注意什么？',
    "The user's mother has diabetes",
    'What must I keep in mind when cooking for my mum?',
  ],
  [
    '用户住在地铁二号线旁边',
    '我家附近有什么交通工具？',
    'The user lives next to metro line 2',
    'What public transport is near my place?',
  ],
  ['用户在一家医院当护士', '我从事哪个行业？', 'The user is a nurse at a hospital', 'Which line of work am I in?'],
  ['用户的编辑器是 Neovim', '我用什么写代码？', "The user's editor is Neovim", 'What do I write programs in?'],
  [
    '用户讨厌吵闹的地方',
    '聚会该给我选什么样的场所？',
    'The user dislikes noisy places',
    'What sort of venue suits me for a party?',
  ],
  ['用户有一对双胞胎女儿', '我有几个小孩？', 'The user has twin daughters', 'How many children do I have?'],
  [
    '用户周末去郊外钓鱼',
    '我休息日怎么度过？',
    'The user goes fishing in the countryside at weekends',
    'How do I spend my days off?',
  ],
  [
    '用户的血型是 O 型',
    '输血时要知道我的什么信息？',
    "The user's blood type is O",
    'What does a transfusion require to know about me?',
  ],
  ['用户戴牙套', '我嘴里装了什么？', 'The user wears braces', 'What is on my teeth?'],
  ['用户会说粤语', '我掌握哪种方言？', 'The user speaks Cantonese', 'Which dialect do I know?'],
  ['用户喜欢爵士乐', '给我放点什么歌？', 'The user likes jazz', 'What music should be played for me?'],
  [
    '用户打算明年移民新西兰',
    '我以后想在哪个国家定居？',
    'The user plans to emigrate to New Zealand next year',
    'Which country do I want to settle in?',
  ],
  [
    '用户的同桌叫周明',
    '上学时谁坐在我旁边？',
    "The user's desk mate was called Zhou Ming",
    'Who sat beside me at school?',
  ],
  ['用户每天服用降压药', '我在吃什么药？', 'The user takes blood pressure tablets daily', 'Which medicine am I on?'],
  [
    '用户的网速是一千兆',
    '我家宽带多快？',
    "The user's internet connection has one gigabit",
    'How fast is my broadband?',
  ],
  [
    '用户去年跑完了半程马拉松',
    '我参加过什么比赛？',
    'The user finished a half marathon last year',
    'Which race have I completed?',
  ],
  ['用户不吃海鲜', '日料店里我该避开什么？', 'The user does not eat seafood', 'What should I skip at a sushi bar?'],
  ['用户在阳台种番茄', '我家里种了什么？', 'The user grows tomatoes on the balcony', 'What plants do I look after?'],
  ['用户的丈夫是厨师', '我老公做什么工作？', "The user's husband is a chef", 'What does my spouse do?'],
  ['用户欠朋友五百元', '我借了谁的钱没还？', 'The user owes a friend 500 yuan', 'Do I have any debts?'],
  [
    '用户习惯用公制单位',
    '长度该用什么标准告诉我？',
    'The user prefers metric units',
    'Should distances be given to me in miles?',
  ],
  ['用户的房东姓赵', '我该向谁交租金？', "The user's landlord is called Zhao", 'Whom do I pay my rent to?'],
  [
    '用户刚买了一台意式咖啡机',
    '我厨房里添了什么新电器？',
    'The user has just bought an espresso machine',
    'What new appliance is in my kitchen?',
  ],
  [
    '用户色盲，分不清红绿',
    '图表配色要照顾我什么？',
    'The user is red-green colour blind',
    'What should charts made for me take care of?',
  ],
  ['用户是独生子', '我有兄弟姐妹吗？', 'The user is an only child', 'Do I have siblings?'],
  ['用户在上夜班', '我白天为什么要补觉？', 'The user works night shifts', 'Why do I sleep during the day?'],
  [
    '用户最喜欢的作家是老舍',
    '谁的书我最爱读？',
    "The user's favourite writer is Lao She",
    'Whose novels do I enjoy most?',
  ],
]

const pairOf = ([zm, zq, em, eq]: Row): ParaphrasePair => ({ zm, zq, em, eq })

export const EVERYDAY_PAIRS: readonly (readonly [half: string, pairs: readonly ParaphrasePair[]])[] = [
  ['first', FIRST.map(pairOf)],
  ['second', SECOND.map(pairOf)],
]
