// Draws resources/cards/harbour-master.png and puts a character card with a small worldbook into it.
// The same script always gives the same bytes; run it again after a change of the texts below.
import { mkdirSync, writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 256
const HEIGHT = 384

const mirror = (extensions) => ({
  ...{ position: 0, depth: 4, role: 0, probability: 100, useProbability: true, selectiveLogic: 0 },
  ...{ exclude_recursion: false, prevent_recursion: false, delay_until_recursion: 0, group: '', sticky: null },
  ...extensions,
})

const entry = (id, comment, keys, content, more = {}) => ({
  ...{ id, keys, secondary_keys: [], name: comment, comment, content, constant: false, selective: false },
  ...{ insertion_order: 100 - id * 10, enabled: true, position: 'before_char', use_regex: false, priority: 10 },
  ...more,
  extensions: mirror({ display_index: id, ...more.extensions }),
})

const book = {
  name: '港务长的账本 The two books',
  description: 'What the harbour master of Fogharbour knows and does not say.',
  scan_depth: 3,
  token_budget: 1200,
  recursive_scanning: true,
  extensions: {},
  entries: [
    entry(
      0,
      '两本账 The two books',
      ['账本', '账', 'ledger', 'the books'],
      ['一本给海关看，一本锁在盐仓钥匙下面。The second one lists what really landed, and who looked away.'].join('\n'),
    ),
    entry(1, '手指 The missing joint', ['手指', 'finger'], '左手小指少一截，缆绳咬的。She never says which ship.'),
    entry(2, '黑旗 Black flag', ['黑旗', 'black flag', '/springs?\\b/i'], '大潮日她亲手挂旗，谁也不许帮。', {
      use_regex: true,
      extensions: { position: 4, depth: 2, role: 0, sticky: 4 },
    }),
    entry(
      3,
      '沈舟 The keeper',
      ['沈舟', '灯塔', 'lighthouse'],
      '她欠沈舟一个冬天。He does not know; she counts it every night.',
      {
        position: 'after_char',
        extensions: { position: 1, prevent_recursion: true },
      },
    ),
    entry(
      4,
      '口令 Radio manner',
      ['无线电', 'radio', 'channel 12'],
      '三个数：能见度，风，沙洲水深。No greeting, no goodbye.',
      {
        extensions: { position: 7, outlet_name: 'signals' },
      },
    ),
    entry(5, '不说“请” Never “please”', [], '她不说“请”，也不说“谢”。Refusals are one word.', { constant: true }),
  ],
}

const data = {
  name: '闻港务长 Harbour Master Wen',
  description:
    '{{char}}, sixty-one, runs Fogharbour by tide and silence. 灰大衣，黄铜哨，左手小指少一截。She knows every draught, every debt and every lamp that went out.',
  personality: 'Dry, exact, loyal to few. 先问水，再听人。',
  scenario: '{{user}} has come to the harbour office at dusk, with fog on the bar and the 22:40 not yet called off.',
  first_mes:
    '*{{char}} does not look up from the tide table.*\n\n“水呢？” A pause. “Then say what you want, {{user}}, and say it in one breath.”',
  mes_example:
    '<START>\n{{user}}: Can we still make the 22:40?\n{{char}}: 水呢？\n{{user}}: One point six on the bar.\n{{char}}: Then no.',
  system_prompt: 'Write as {{char}}. Short sentences. Keep Chinese and English as she mixes them.',
  post_history_instructions: 'Stay brief. {{char}} never says “please” and never explains.',
  creator_notes: 'A sample that comes with the app.',
  ...{ alternate_greetings: [], tags: ['sample'], creator: 'Strata', character_version: '1', extensions: {} },
  character_book: book,
}

/** Colour of one pixel: dusk over a dark sea, a lighthouse on the right, bands of fog. */
function colour(x, y) {
  const horizon = 250
  const mix = (from, to, share) =>
    from.map((value, index) => value + (to[index] - value) * Math.min(1, Math.max(0, share)))
  let rgb = mix([28, 36, 58], [196, 146, 118], (y / horizon) ** 1.6)
  if (Math.hypot(x - 62, y - 84) < 22) rgb = [238, 226, 200]
  if (y > horizon) rgb = mix([62, 74, 88], [16, 24, 36], (y - horizon) / (HEIGHT - horizon))
  if (y > horizon && (y * 7 + Math.round(9 * Math.sin(x / 11 + y / 5))) % 23 === 0)
    rgb = mix(rgb, [170, 150, 140], 0.45)
  const beam = Math.abs(y - 118 - (186 - x) * 0.16)
  if (x < 186 && beam < (186 - x) * 0.12) rgb = mix(rgb, [255, 240, 190], 0.4 * (1 - (186 - x) / 210))
  const half = 11 + (y - 128) * 0.06
  if (y > 128 && y < 268 && Math.abs(x - 192) < half)
    rgb = Math.floor((y - 128) / 28) % 2 === 0 ? [232, 226, 216] : [150, 52, 46]
  if (y > 106 && y <= 128 && Math.abs(x - 192) < 9) rgb = [255, 236, 170]
  if (y > 96 && y <= 106 && Math.abs(x - 192) < 12 - (106 - y)) rgb = [40, 40, 48]
  if (y > 256 && Math.hypot((x - 205) / 3.2, y - 292) < 34) rgb = [24, 26, 32]
  const fog = Math.max(0, Math.sin(y / 17 + x / 90) * 0.5 + Math.sin(y / 29) * 0.5) * (y > 190 && y < 320 ? 0.5 : 0.08)
  return mix(rgb, [206, 206, 210], fog).map(Math.round)
}

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

function text(keyword, value) {
  const base64 = Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
  return chunk('tEXt', Buffer.from(`${keyword}\0${base64}`, 'latin1'))
}

function picture() {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  for (let y = 0; y < HEIGHT; y++) {
    const row = y * (1 + WIDTH * 3)
    // Filter 1: each byte is written as its difference to the pixel on the left, which packs better.
    rows[row] = 1
    let left = [0, 0, 0]
    for (let x = 0; x < WIDTH; x++) {
      const rgb = colour(x, y)
      for (let part = 0; part < 3; part++) rows[row + 1 + x * 3 + part] = (rgb[part] - left[part]) & 0xff
      left = rgb
    }
  }
  return rows
}

const header = Buffer.alloc(13)
header.writeUInt32BE(WIDTH, 0)
header.writeUInt32BE(HEIGHT, 4)
header.set([8, 2, 0, 0, 0], 8)
const target = new URL('../resources/cards/', import.meta.url)
mkdirSync(target, { recursive: true })
writeFileSync(
  new URL('harbour-master.png', target),
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(picture(), { level: 9 })),
    text('chara', { spec: 'chara_card_v2', spec_version: '2.0', data }),
    text('ccv3', { spec: 'chara_card_v3', spec_version: '3.0', data: { ...data, group_only_greetings: [] } }),
    chunk('IEND', Buffer.alloc(0)),
  ]),
)
