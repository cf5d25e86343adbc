import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

/**
 * The rule: no code of the window writes state it captured before an `await`. While it waited, another window, an event
 * or a key may have changed it, and the write would take that back.
 */
interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'

/** Every node below this one; functions inside it too: they run later still. */
function nodesOf(node: Node): Node[] {
  const below = Object.values(node).flat().filter(isNode)
  return below.flatMap((each) => [each, ...nodesOf(each)])
}

const namesOf = (pattern: Node): string[] =>
  pattern.type === 'Identifier'
    ? [String(pattern.name)]
    : nodesOf(pattern).flatMap((node) =>
        node.type === 'Property' && isNode(node.value) && node.value.type === 'Identifier'
          ? [String(node.value.name)]
          : [],
      )

/** Puts something into a store, a component's state or the main process. */
const WRITES = /^(set|put|keep|show|call)$|setState$|^(set|keep)[A-Z]/
const READS = /\.getState\(\)/

/** Values read from a store before an `await` whose old content is spread into a write after it. */
function capturedWrites(source: string): string[] {
  const textOf = (node: unknown) => (isNode(node) ? source.slice(node.start, node.end) : '')
  const all = nodesOf(parseAst(source, { lang: 'tsx' }) as unknown as Node)
  return all
    .filter((node) => node.async === true && isNode(node.body))
    .flatMap((made) => {
      const nodes = nodesOf(made)
      const waits = nodes.filter(({ type }) => type === 'AwaitExpression')
      const captured = nodes.flatMap((node) =>
        node.type === 'VariableDeclarator' && READS.test(textOf(node.init)) && isNode(node.id)
          ? namesOf(node.id).map((name) => ({ name, at: node.end }))
          : [],
      )
      return captured.flatMap(({ name, at }) => {
        const wait = waits.find(({ start }) => start > at)?.end
        const isWrite = (node: Node) =>
          wait !== undefined && node.type === 'CallExpression' && node.start > wait && WRITES.test(textOf(node.callee))
        return nodes.filter(isWrite).flatMap((write) => {
          const spreads = nodesOf(write).filter(({ type }) => type === 'SpreadElement')
          const old = spreads.some(({ argument }) => new RegExp(`^${name}\\b`).test(textOf(argument)))
          return old ? [`writes \`${name}\` as it was before an await: ${textOf(write).slice(0, 80)}`] : []
        })
      })
    })
}

/** An answer put into a store in the expression that waits for it: whichever comes back last wins, also an older one. */
const UNORDERED = /setState\(\s*\{[^}]*\bawait\b/

it('knows the shape it looks for', () => {
  const bad =
    'async function f() { const { book } = useBook.getState(); await save(); set({ book: { ...book, a: 1 } }) }'
  const good =
    'async function f() { await save(); const { book } = useBook.getState(); set({ book: { ...book, a: 1 } }) }'
  expect(capturedWrites(bad)).toHaveLength(1)
  expect(capturedWrites(bad.replace('async function f()', 'const f = async (): Promise<void> =>'))).toHaveLength(1)
  expect(capturedWrites(good)).toEqual([])
  expect(UNORDERED.test("usePrompts.setState({ prompts: await call('x', {}), loaded: true })")).toBe(true)
})

it('no code of the window writes state it captured before an await', () => {
  const root = join(import.meta.dirname, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name),
  )
  const found = files.flatMap((name) => {
    const source = readFileSync(join(root, name), 'utf8')
    if (!source.includes('await')) return []
    const unordered = UNORDERED.test(source) ? ['stores an answer in the order of replies'] : []
    return [...capturedWrites(source), ...unordered].map((what) => `${name} ${what}`)
  })
  expect(files.length).toBeGreaterThan(200)
  expect(found).toEqual([])
})
