import { stemmer } from 'stemmer'
import { baseForm } from './irregular-words'

/**
 * What people's lives are made of, and the words that say so: a question about "kids" and a memory of a "daughter" share
 * no word and yet a topic. English words by their stems, Chinese ones as written. Broad on purpose, and no thesaurus.
 */
const TOPICS: Readonly<Record<string, string>> = {
  job: `job work living career profession occupation employer employee employ company firm boss manager colleague coworker
    office engineer developer programmer teacher nurse doctor lawyer accountant clerk teller waiter cook chef pilot driver
    designer journalist researcher scientist professor librarian plumber electrician architect consultant freelancer intern
    salary promotion promote hire resign retire shift industry business trade position role career vocation commute
    工作 职业 上班 下班 公司 单位 老板 上司 同事 领导 职位 升职 辞职 辞掉 离职 跳槽 工资 薪水 行业 谋生 生意 工程师 程序员
    教师 老师 护士 医生 律师 会计 柜员 飞行员 厨师 司机 设计师 记者 销售 经理 主管 退休 实习 夜班 加班 任职 通勤
    translator analyst police farmer founder startup barista unemployed interview wage 翻译 警察 农民 创业 岗位 面试 兼职 应聘`,
  children: `kid child son daughter boy girl baby twin toddler infant
    孩子 小孩 儿子 女儿 小朋友 双胞胎 宝宝 婴儿`,
  spouse: `wife husband spouse partner marry marriage wedding anniversary girlfriend boyfriend fiance
    妻子 丈夫 老公 老婆 爱人 太太 对象 女朋友 男朋友 女友 男友 结婚 婚礼 配偶`,
  family: `family relative mother mom mum father dad parent brother sister sibling cousin aunt uncle niece nephew grandmother
    grandma grandfather grandpa grandparent
    家人 亲戚 父母 爸爸 妈妈 父亲 母亲 我妈 我爸 哥哥 弟弟 姐姐 妹妹 兄弟 姐妹 独生 奶奶 爷爷 外婆 外公 叔叔 阿姨 姑姑 舅舅
    inlaw stepfather stepmother orphan 岳父 岳母 公公 婆婆 侄子 侄女 表哥 堂妹`,
  siblings: 'brother sister sibling 哥哥 弟弟 姐姐 妹妹 兄弟 姐妹 独生',
  pet: `pet animal dog cat puppy kitten rabbit hamster parrot bird fish aquarium tortoise horse breed corgi poodle terrier
    宠物 动物 猫 狗 兔子 鱼 鸟 仓鼠 乌龟 鹦鹉 品种 柯基 泰迪`,
  food: `food eat meal dish cook cooking cuisine restaurant dinner lunch breakfast supper snack diet dietary vegetarian vegan
    meat beef pork chicken lamb fish seafood shellfish shrimp vegetable fruit rice noodle bread cheese egg peanut nut spicy
    taste flavour flavor dessert cake chocolate curry sushi pizza salt sugar coriander cilantro garlic onion recipe takeaway
    takeout gluten lactose ingredient
    吃 食物 饭 菜 餐厅 餐馆 外卖 做饭 素食 肉 牛肉 猪肉 羊肉 鸡肉 海鲜 虾 辣 甜 咸 盐 口味 味道 忌口 饮食 晚餐 午餐 早餐
    甜点 香菜 料理 水果 蔬菜 零食 寿司 食材
    kitchen chef bake barbecue soup salad potato tomato mushroom shellfish pork allergic vegetarian 煮 烤 汤 沙拉 土豆 蘑菇 厨艺 点菜`,
  drink: `drink beverage coffee latte espresso cappuccino tea juice beer wine alcohol milk soda cocktail whisky cafe
    喝 饮料 咖啡 茶 酒 啤酒 牛奶 果汁 拿铁`,
  health: `health healthy ill illness disease condition sick doctor hospital surgery operation medicine medication pill tablet
    prescription treatment pressure diabetes heart asthma allergy allergic intolerant intolerance injury injure pain knee
    migraine headache insomnia pregnant therapy dentist vaccine penicillin transfusion
    健康 生病 疾病 医生 医院 手术 药 治疗 血压 高血压 糖尿病 心脏 过敏 不耐受 哮喘 受伤 膝盖 失眠 看病 身体 输血 血型 牙医
    blood pollen insulin vitamin pharmacy fever cough clinic depression 血压 血糖 花粉 维生素 感冒 发烧 咳嗽 诊所 抑郁 头疼`,
  aversion: `avoid skip hate dislike detest afraid fear scare phobia allergic allergy intolerant intolerance
    避开 避免 讨厌 不喜欢 害怕 恐惧 过敏 不吃 不喝 不能 忌口 受不了 反感`,
  sight: `eye eyesight vision sight glasses lens spectacles myopia blind optician
    视力 近视 眼镜 隐形 眼睛 色盲 散光`,
  sleep: `sleep asleep bed bedtime wake awake insomnia nap
    睡 睡觉 睡眠 失眠 起床 醒 补觉 熬夜 午睡 就寝`,
  sport: `sport exercise workout train training gym fitness run jog marathon swim cycling football soccer basketball badminton
    tennis yoga squat hike climb ski race athletic team
    运动 健身 跑步 马拉松 游泳 骑车 足球 篮球 羽毛球 网球 瑜伽 深蹲 比赛 球队 训练 锻炼 爬山 看球 滑雪
    gymnastics climbing sail skate boxing golf volleyball team fan 排球 拳击 高尔夫 滑冰 攀岩 球迷`,
  travel: `travel trip journey holiday vacation flight plane cruise tour tourist abroad overseas country hotel passport visa
    destination emigrate seasick
    旅行 旅游 出行 度假 出国 国外 海外 飞机 邮轮 酒店 签证 护照 自驾 移民 留学 晕船
    beach island camp mountain sightseeing luggage 海边 露营 景点 行李 海岛`,
  vehicle: `car drive driving driver licence vehicle motorbike motorcycle truck bike bicycle bus metro subway train tram
    transport commute traffic park
    开车 驾驶 驾照 汽车 自行车 地铁 公交 交通 通勤 堵车 停车 车险 车子
    taxi scooter electric petrol mileage 出租 电动 摩托 油耗 车牌`,
  home: `home house flat apartment room rent landlord tenant lease property live city town district neighbourhood floor lift
    elevator furniture carpet flooring heating balcony kitchen address settle
    住 房子 公寓 房租 租房 租金 房东 城市 搬家 电梯 家具 地毯 地板 地面 装修 阳台 厨房 房产 地址 定居 家里 地暖
    bedroom bathroom garage street yard village apartment 小区 街道 车库 卧室 村子`,
  origin: `born birthplace hometown native grow origin 出生 老家 家乡 籍贯 长大`,
  money: `money pay payment price cost budget rent salary income bill debt owe loan mortgage credit bank saving afford spend
    buy purchase expensive cheap tax insurance invest lend borrow
    钱 预算 工资 账单 还款 债 欠 借 贷款 信用卡 银行 存款 花费 贵 便宜 保险 税 投资 房租 租金
    currency fund stock pension shopping wallet 货币 基金 股票 养老 购物 还钱 存钱`,
  study: `study student school university college degree major course exam thesis dissertation professor supervisor advisor
    graduate graduation bachelor doctorate doctoral phd education homework classmate
    学校 大学 专业 本科 研究生 博士 论文 考试 高考 导师 毕业 课程 教授 学习 读研 留学 上学 同学 同桌 考研
    learn lesson tutor certificate kindergarten 证书 幼儿园 小学 中学 补习 上课 学位`,
  language: `language speak fluent dialect foreign accent bilingual english japanese french german spanish chinese cantonese
    mandarin korean italian russian
    语言 外语 英语 日语 法语 德语 韩语 方言 粤语 普通话 外国`,
  computer: `computer laptop notebook macbook pc desktop machine server linux debian windows browser firefox chrome editor ide
    vim neovim software app font typeface keyboard password credential
    电脑 笔记本 机器 服务器 操作系统 浏览器 编辑器 软件 字体 键盘 密码 口令 账号
    wifi router internet broadband network screen monitor tablet printer terminal shell program programming code 网络 宽带 网速 路由 显示 平板 终端 编程 代码 程序 写代码`,
  phone: 'phone mobile smartphone telephone 手机 电话',
  music: `music song sing singer instrument guitar piano violin drum band concert album vinyl jazz orchestra
    音乐 歌 乐器 吉他 钢琴 小提琴 乐队 唱片 爵士 演奏 演唱
    musician opera choir cello flute 大提琴 合唱 笛子 听歌`,
  film: `film movie cinema director actor actress series tv horror
    电影 导演 演员 影片 电视剧 恐怖片 影院`,
  book: `book novel read author writer literature poem poetry protagonist hero fiction
    书 小说 作家 作者 文学 主角 主人公 看书 读书
    story biography magazine publisher 故事 传记 杂志`,
  leisure: `hobby pastime leisure spare weekend collect collection gift stamp photography paint draw garden fishing knit chess
    volunteer
    爱好 业余 休息日 周末 收集 收藏 礼物 邮票 摄影 画画 园艺 钓鱼 下棋 志愿 公益
    saturday sunday leisure camera photo photographer 周六 周日 假期 空闲 相机 拍照`,
  plants: 'plant flower garden grow tomato tree seed 植物 种 花园 番茄 种树 盆栽',
  clothes: `clothes clothing wear shoe boot size shirt dress jacket hat watch wrist
    衣服 穿 鞋 靴子 尺码 戴 手表 腕`,
  teeth: 'tooth teeth brace dentist mouth 牙 牙套 牙医',
  hand: 'hand handed lefty 左手 右手 左撇子 惯用',
  weather: `weather rain rainy sunny snow cold warm hot winter summer temperature heating
    天气 下雨 雨天 雪 冬天 夏天 取暖 地暖 气温`,
  appointment: `deadline due schedule meeting appointment calendar timezone zone expire renew
    截止 期限 会议 时区 日程 到期 续保
    reminder agenda 提醒 预约 安排`,
  birthday: 'birthday born birth age old anniversary 生日 出生 年龄 岁 年长',
  name: 'name call nickname 名字 叫 称呼 姓',
  answers: `answer reply respond response style tone concise brief direct example explain explanation unit metric
    回答 回复 风格 简短 例子 解释 单位 公制 沟通`,
  calm: `relax unwind calm meditate meditation stress anxious mood
    放松 冥想 压力 心情 焦虑 情绪`,
  smoking: 'smoke cigarette tobacco 烟 抽烟 戒烟 吸烟',
  friends: `friend neighbour neighbor roommate flatmate classmate mate guest
    朋友 邻居 室友 同学 同桌 客人 闺蜜`,
  company: `party crowd noisy noise quiet loud gathering social introvert extrovert venue
    聚会 社交 内向 外向 安静 吵闹 热闹 场所 人多`,
  body: `height tall weigh weight slim fat hair beard tattoo skin diet
    身高 体重 减肥 减重 头发 皮肤 胡子 纹身`,
  belief: `religion church muslim buddhist christian jewish hindu pray halal kosher ramadan
    宗教 教堂 清真 佛教 基督 信仰 祷告 穆斯`,
  games: 'game gaming console playstation nintendo xbox steam puzzle 游戏 主机 桌游 打游',
  look: 'colour color theme dark interface chart 颜色 配色 主题 深色 界面 图表',
}

/** Each has a name in the locale files. */
export const TOPIC_NAMES = Object.keys(TOPICS)

const HAN = /^\p{Script=Han}+$/u
const PREFIX = 'about:'

/** By English stem or by Chinese word of one or two characters; a longer one counts by its first two. */
const TOPICS_OF: ReadonlyMap<string, readonly string[]> = wordsByTopic()

function wordsByTopic(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [topic, words] of Object.entries(TOPICS)) {
    for (const word of words.split(/\s+/)) {
      const key = HAN.test(word) ? word.slice(0, 2) : stemmer(baseForm(word))
      const list = found.get(key) ?? []
      if (!list.includes(PREFIX + topic)) list.push(PREFIX + topic)
      found.set(key, list)
    }
  }
  return found
}

/** What a text is about, by the words in it: tokens such as `about:food`, each once. */
export function topicsOf(words: Iterable<string>): Set<string> {
  const found = new Set<string>()
  for (const word of words) for (const topic of TOPICS_OF.get(word) ?? []) found.add(topic)
  return found
}

export const isTopic = (token: string): boolean => token.startsWith(PREFIX)
