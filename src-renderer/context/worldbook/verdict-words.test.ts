// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { POSITIONS } from '../../../src-main/context/worldbook/entry-contract'
import { type FiredWhy, NOT_FIRED_REASONS, type NotFired } from '../../../src-main/context/worldbook/trace-contract'
import { said } from '../../../src-main/ipc/said-contract'
import { i18n, setLanguage } from '../../i18n/i18n'
import { placeWords } from './place-words'
import { firedWords, notFiredWords } from './verdict-words'

const t = i18n.getFixedT(null, 'worldbook')
const tides = { worldbookId: 'b', entryId: '0', comment: 'Tides' }
const whyKey = (message: number): FiredWhy => ({
  kind: 'key',
  text: '',
  key: 'TIDE',
  matched: 'tide',
  place: { in: 'message', message, span: [0, 4] },
  secondary: [],
})
const not = (reason: NotFired['reason'], facts: NotFired['facts'], detail = '') =>
  notFiredWords(t, { reason, detail, ...(facts ? { facts } : {}) })

afterEach(() => setLanguage('en'))

describe('why an entry fired', () => {
  it('names the matched words and the message, the newest one as the draft while it is one', () => {
    expect(firedWords(t, whyKey(-2), { draft: true })).toBe('key “tide” in message −2')
    expect(firedWords(t, whyKey(-1), { draft: true })).toBe('key “tide” in the draft')
    expect(firedWords(t, whyKey(-1))).toBe('key “tide” in message −1')
    expect(firedWords(t, whyKey(-1), { single: true })).toBe('key tide')
  })

  it('tells the whole chain of a recursion', () => {
    const words = firedWords(t, {
      kind: 'recursion',
      text: '',
      key: 'Kestrel',
      matched: 'Kestrel',
      place: { in: 'entry', entry: tides, span: [0, 7] },
      secondary: [],
      chain: [tides, { worldbookId: 'b', entryId: '7', comment: '' }],
    })
    expect(words).toBe('recursion from Tides → #7: “Kestrel”')
  })

  it('has figures for the rest', () => {
    expect(firedWords(t, { kind: 'sticky', text: '', until: 53 })).toBe('Sticky until message 53')
    expect(firedWords(t, { kind: 'similarity', text: '', score: 0.4123 })).toBe('Similar in meaning, 0.41')
  })
})

describe('why an entry did not fire', () => {
  it('says it with the figures of the engine', () => {
    expect(not('outside_scan_depth', { key: '码头', message: -7, depth: 2 })).toBe(
      'Outside scan depth: the key 码头 occurs at −7, depth is 2',
    )
    expect(not('lost_group', { group: 'tide', to: 'Spring' })).toBe('Lost group “tide” to Spring')
    expect(not('probability', { rolled: 63.24, probability: 50 })).toBe('Rolled 63.2 against 50 %')
    expect(not('probability', { rolled: 63, probability: 0 })).toBe('Probability 0 never fires')
    expect(not('over_budget', { needs: 1200, left: 40 })).toBe('Over budget: needs 1.20k, 40 left')
    expect(not('cooldown', { left: 3, until: 9 })).toBe('Cooldown: 3 messages left')
    expect(not('cooldown', undefined)).toBe('Cooldown: it fires once only')
  })

  it('says what only the engine can say, in either language', () => {
    const { text: detail, words } =
      said`key ${'“夜”'} was found, but ${said`secondary keys (and-all): ${'“雾”'} was not found`}`
    const refused = { reason: 'secondary_failed', detail, words } as const
    expect(notFiredWords(t, refused)).toBe(detail)
    setLanguage('zh-CN')
    const zh = i18n.getFixedT('zh-CN', 'worldbook')
    expect(notFiredWords(zh, refused)).toBe('关键词“夜”命中，但次要关键词（需全部命中）“雾” 未出现')
    expect(notFiredWords(zh, { reason: 'secondary_failed', detail: 'something new' })).toBe('something new')
  })

  it.each(['en', 'zh-CN'])('has words for every reason and every place in %s', (language) => {
    const fixed = i18n.getFixedT(language, 'worldbook')
    for (const reason of NOT_FIRED_REASONS) {
      const words = notFiredWords(fixed, {
        reason,
        detail: 'd',
        facts: { left: 1, needs: 1, probability: 5, rolled: 9 },
      })
      expect(words, reason).not.toMatch(/notFired|\{\{|undefined/)
      expect(words).not.toBe('')
    }
    for (const position of POSITIONS) expect(placeWords(fixed, { position })).not.toMatch(/place\.|\{\{/)
  })
})
