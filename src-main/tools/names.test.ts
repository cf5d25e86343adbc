import { describe, expect, test } from 'vitest'
import { calledTool, nameTools, offered } from './registry'
import type { Tool } from './tool'

function tool(name: string, server = 'one'): Tool {
  return {
    subject: { id: `mcp/${server}/${name}`, origin: 'mcp', enabledByDefault: true, defaultPolicy: 'ask' },
    name,
    serverName: server,
    description: 'Does it.',
    schema: { type: 'object' },
    run: async () => ({ outcome: 'completed', text: '' }),
  }
}

const named = (...tools: Tool[]) => nameTools(tools, new Map())
const names = (...tools: Tool[]) => named(...tools).map(({ name }) => name)

describe('names of tools', () => {
  test.each([
    ['get_time', 'get_time'],
    ['查询天气', 'cha_xun_tian_qi'],
    ['发送邮件', 'fa_song_you_jian'],
    ['get_天气_now', 'get_tian_qi_now'],
    ['重庆', 'chong_qing'],
    ['météo', 'meteo'],
    ['3d.render/now', 'tool_3d_render_now'],
    ['_private', 'tool_private'],
    ['--', expect.stringMatching(/^tool_[0-9a-f]{8}$/)],
    ['Погода', expect.stringMatching(/^tool_[0-9a-f]{8}$/)],
    ['get Погода', expect.stringMatching(/^get_[0-9a-f]{8}$/)],
    ['天気を見る', expect.stringMatching(/^tian_qi_jian_[0-9a-f]{8}$/)],
    ['x'.repeat(80), expect.stringMatching(/^x+_[0-9a-f]{8}$/)],
    ['查'.repeat(80), expect.stringMatching(/^cha_[a-z_]+_[0-9a-f]{8}$/)],
  ])('%s is %s', (name, expected) => {
    expect(names(tool(name))).toEqual([expected])
    expect(names(tool(name))[0]).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
  })

  test('are never two the same, and do not hang on the order or on what else there is', () => {
    const long = (end: string) => tool(`${'a'.repeat(90)}${end}`)
    const all = [
      tool('search'),
      tool('search', 'two'),
      tool('事件'),
      tool('实践'),
      tool('a.b'),
      tool('a b'),
      long('1'),
      long('2'),
    ]
    const forward = named(...all)
    expect(new Set(forward.map(({ name }) => name)).size).toBe(all.length)
    for (const { name } of forward) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
    expect(names(...all.toReversed())).toEqual(forward.map(({ name }) => name))
    expect(names(tool('search'), tool('search', '二号'))).toEqual(['er_hao_search', 'one__search'])
  })

  test('come with a schema that fits', () => {
    const [one] = named(tool('get_time'))
    expect(one && offered(one).schema).toEqual({ type: 'object', properties: {} })
  })

  test('that could not be kept stand before the description', () => {
    const [one] = named(tool('查询天气'))
    expect(one && offered(one).description).toBe('查询天气: Does it.')
    const [two] = named(tool('get_time'))
    expect(two && offered(two).description).toBe('Does it.')
  })

  test('of earlier versions, and those of the server itself, still find their tool', () => {
    const all = named(tool('查询天气'), tool('3d.render/now'), tool('get_time'))
    const found = (name: string, toolId?: string) =>
      calledTool(all, { name, ...(toolId ? { toolId } : {}) })?.subject.id
    expect(found('cha_xun_tian_qi')).toBe('mcp/one/查询天气')
    expect(found('查询天气')).toBe('mcp/one/查询天气')
    expect(found('3d_render_now', 'mcp/one/3d.render/now')).toBe('mcp/one/3d.render/now')
    expect(found('_')).toBeUndefined()
  })
})
