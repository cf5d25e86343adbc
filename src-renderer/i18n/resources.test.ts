import { describe, expect, it } from 'vitest'
import { en, zhCN } from './resources'

type Tree = { [key: string]: string | Tree }
const PLURAL = /_(?:one|other)$/

function leaves(tree: Tree, path = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : leaves(value, `${path}${key}.`),
  )
}
const keysOf = (tree: Tree) => [...new Set(leaves(tree).map(([key]) => key.replace(PLURAL, '')))].toSorted()
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*([^},\s]+)/g)].map((match) => match[1]).toSorted()

describe.each(Object.keys(en) as (keyof typeof en)[])('strings of %s', (namespace) => {
  it('exist in both languages', () => {
    expect(keysOf(zhCN[namespace] as Tree)).toEqual(keysOf(en[namespace] as Tree))
  })

  it('are not empty', () => {
    for (const [key, text] of [...leaves(en[namespace] as Tree), ...leaves(zhCN[namespace] as Tree)]) {
      expect(text.trim(), key).not.toBe('')
    }
  })

  it('have every plural form their language needs', () => {
    for (const [tree, forms] of [
      [en[namespace], ['one', 'other']],
      [zhCN[namespace], ['other']],
    ] as const) {
      const keys = leaves(tree as Tree).map(([key]) => key)
      for (const key of keys.filter((each) => PLURAL.test(each))) {
        const stem = key.replace(PLURAL, '')
        for (const form of forms) expect(keys, key).toContain(`${stem}_${form}`)
      }
    }
  })

  it('name the same placeholders in both languages', () => {
    const chinese = new Map(leaves(zhCN[namespace] as Tree))
    for (const [key, text] of leaves(en[namespace] as Tree)) {
      const other = chinese.get(key)
      // a plural form may leave the number out
      if (other === undefined || PLURAL.test(key)) continue
      expect(placeholders(other), key).toEqual(placeholders(text))
    }
  })
})
