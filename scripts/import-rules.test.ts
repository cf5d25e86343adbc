import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Each file breaks the rule it names; the ones without a name break none. */
const FILES: [path: string, text: string, rule?: string][] = [
  [
    'src-main/rooms/contract.ts',
    "import { z } from 'zod'\nimport type { A } from './inner-contract'\nexport const b = z.string()\nexport type B = A",
  ],
  ['src-main/rooms/inner-contract.ts', 'export type A = 1'],
  ['src-main/rooms/private.ts', 'export type P = 1\nexport const p = 1'],
  [
    'src-main/broken/contract.ts',
    "import type { P } from '../rooms/private'\nexport type Q = P",
    'contract-is-a-treaty',
  ],
  [
    'src-main/broken/node-contract.ts',
    "import { join } from 'node:path'\nexport const j = join",
    'contract-is-a-treaty',
  ],
  [
    'src-main/context/assemble/order.ts',
    "import { p } from '../../rooms/private'\nexport const o = p",
    'assemble-is-pure',
  ],
  [
    'src-main/context/assemble/clock.ts',
    "import { hrtime } from 'node:process'\nexport const o = hrtime",
    'assemble-is-pure',
  ],
  ['src-main/context/time/block.ts', "import { m } from '../memory/inner'\nexport const o = m", 'room-stays-inside'],
  ['src-main/context/time/uses.ts', "import { p } from '../../rooms/private'\nexport const o = p", 'room-may-use'],
  ['src-main/context/time/fine.ts', "import type { A } from '../../rooms/inner-contract'\nexport type O = A"],
  ['src-main/context/memory/inner.ts', 'export const m = 1'],
  ['src-main/turns/run.ts', "import type { W } from '../web/host'\nexport type O = W", 'turns-know-no-host'],
  ['src-main/web/host.ts', 'export type W = 1\nexport const w = 1'],
  ['src-main/storage/open.ts', "import { p } from '../rooms/private'\nexport const o = p", 'ground-knows-no-domain'],
  [
    'src-main/tools/open.ts',
    "import { shell } from 'electron'\nexport const o = shell",
    'electron-lives-in-one-folder',
  ],
  ['src-main/other/open.ts', "import { w } from '../web/host'\nexport const o = w", 'only-web-speaks-http-to-pages'],
  ['src-main/app.ts', "import { h } from './host/lock'\nexport const o = h", 'app-knows-no-host'],
  ['src-main/host/lock.ts', 'export const h = 1'],
  [
    'src-main/rooms/look.ts',
    "import { u } from '../../src-renderer/ui/button'\nexport const o = u",
    'main-without-renderer',
  ],
  ['src-preload/index.ts', "import { p } from '../src-main/rooms/private'\nexport const o = p", 'preload-is-a-border'],
  [
    'src-renderer/app/page.tsx',
    "import type { P } from '../../src-main/rooms/private'\nexport type O = P",
    'renderer-through-contracts',
  ],
  ['src-renderer/app/fine.ts', "import type { B } from '../../src-main/rooms/contract'\nexport type O = B"],
  ['src-renderer/app/node.ts', "import { join } from 'node:path'\nexport const o = join", 'renderer-without-node'],
  ['src-renderer/ui/button.ts', 'export const u = 1'],
  ['src-renderer/ui/knows.ts', "import type { O } from '../app/fine'\nexport type U = O", 'ui-knows-no-domain'],
  ['src-main/testing/clock.ts', 'export const fixed = 1'],
  [
    'src-main/rooms/uses-testing.ts',
    "import { fixed } from '../testing/clock'\nexport const o = fixed",
    'testing-stays-in-tests',
  ],
  ['src-main/rooms/some.test.ts', "import { fixed } from '../testing/clock'\nexport const o = fixed"],
  ['src-main/rooms/uses-test.ts', "import { o } from './some.test'\nexport const u = o", 'tests-are-not-imported'],
  ['src-main/rooms/lost.ts', "import { o } from './nowhere'\nexport const u = o", 'no-unresolved'],
  ['src-main/rooms/one.ts', "import { two } from './two'\nexport const one = two", 'no-cycles'],
  ['src-main/rooms/two.ts', "import { one } from './one'\nexport const two = () => one"],
]

let dir: string
let found: { from: string; rule: { name: string } }[]

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'strata-imports-'))
  for (const [path, text] of FILES) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  cpSync(join(ROOT, '.dependency-cruiser.cjs'), join(dir, '.dependency-cruiser.cjs'))
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'), 'junction')
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const args = [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'src-main',
    'src-preload',
    'src-renderer',
  ]
  const { stdout } = spawnSync(process.execPath, [program, ...args], { cwd: dir, encoding: 'utf8' })
  found = JSON.parse(stdout).summary.violations
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))

it.each(FILES.map(([path, , rule]) => [path, rule]))('%s breaks: %s', (path, rule) => {
  const names = found.filter(({ from }) => from === path).map(({ rule: { name } }) => name)
  expect([...new Set(names)]).toEqual(rule === undefined ? [] : expect.arrayContaining([rule]))
})
