// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { phrase, said } from '../../src-main/ipc/said-contract'
import { setLanguage } from './i18n'
import { inWords } from './said'

afterEach(() => setLanguage('en'))

const best = said`The best of ${8} memories scored ${'0.48'} and did not stand out.`
const dead = said`${'“Tide”'} can never fire: ${phrase('its probability is 0')}.`

describe('what the main process says', () => {
  it('is its own text in English', () => {
    expect(inWords(best.text, best.words)).toBe('The best of 8 memories scored 0.48 and did not stand out.')
  })

  it('is said in Chinese with the same figures, also inside another sentence', () => {
    setLanguage('zh-CN')
    expect(inWords(best.text, best.words)).toBe('8 条记忆中最高得分为 0.48，不够突出。')
    expect(inWords(dead.text, dead.words)).toBe('“Tide” 永远不会触发：概率为 0。')
  })

  it('needs no words when it has no figures', () => {
    setLanguage('zh-CN')
    expect(inWords('This chat is gone.')).toBe('此会话已不存在。')
  })

  it('never reads a name as a sentence or a place', () => {
    setLanguage('zh-CN')
    const named = said`There is a command named “${'disabled {0}'}” already.`
    expect(inWords(named.text, named.words)).toBe('已有名为“disabled {0}”的命令。')
  })

  it('stays English where nobody has translated it', () => {
    setLanguage('zh-CN')
    expect(inWords('Something new.')).toBe('Something new.')
    const fresh = said`${2} new things`
    expect(inWords(fresh.text, fresh.words)).toBe('2 new things')
  })
})
