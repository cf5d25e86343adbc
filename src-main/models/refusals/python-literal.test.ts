import { expect, test } from 'vitest'
import { pythonAsJson } from './python-literal'

const read = (text: string): unknown => {
  const json = pythonAsJson(text)
  return json === undefined ? undefined : JSON.parse(json)
}

test('a Python literal is read as JSON, whatever is printed in it', () => {
  expect(read("{'a': ('b',), 'c': None, 'd': [True, -1.5], 'e': \"it's\", 'f': 'it\\'s\\n'}")).toEqual({
    a: ['b'],
    c: null,
    d: [true, -1.5],
    e: "it's",
    f: "it's\n",
  })
  expect(read("[{'ctx': {'error': ValueError('No tools.')}, 'of': <class 'int'>}]")).toEqual([
    { ctx: { error: ['No tools.'] }, of: "<class 'int'>" },
  ])
})

test('what is none is left alone, and a long one takes no time', () => {
  expect(pythonAsJson("{'a': 'b")).toBeUndefined()
  expect(pythonAsJson('[1; 2]')).toBeUndefined()
  const long = `[${"{'type': 'extra', 'loc': ('body', 'a')}, ".repeat(50_000)}]`
  const from = performance.now()
  expect(read(long)).toHaveLength(50_000)
  expect(performance.now() - from).toBeLessThan(3000)
})
