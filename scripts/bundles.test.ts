import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error the bootstrap scripts are plain JavaScript: they run before anything is installed
import { buildIfNeeded } from './bootstrap/app-build.mjs'
import { builtScripts, OUT, type ParsedFile, parseBuilt } from './built/built-files'
import { firstAnswer, firstTasks } from './built/first-tasks'

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)["']([^"'\n]+)["']/g

/** Everything an entry loads: its own chunks, and the names of packages. */
function loadedBy(entry: string) {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (path: string) => {
    // a comment may name a file that is none
    if (files.has(path) || !existsSync(path)) return
    files.add(path)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) visit(join(dirname(path), name))
      else packages.add(name)
    }
  }
  visit(join(OUT, entry))
  return { files: [...files].map((path) => relative(OUT, path)), packages }
}

beforeAll(() => buildIfNeeded(), 180_000)

describe('the bundles', () => {
  it('the web host and its chunks load no Electron', () => {
    const { files, packages } = loadedBy('main/serve.js')
    expect(files.length).toBeGreaterThan(1)
    expect(packages).toContain('better-sqlite3')
    expect([...packages].filter((name) => /^electron(\/|$)/.test(name))).toEqual([])
    expect(loadedBy('main/index.js').packages).toContain('electron')
  })

  it('the preload loads Electron and nothing else', () => {
    const { files, packages } = loadedBy('preload/index.cjs')
    expect([files, [...packages]]).toEqual([['preload/index.cjs'], ['electron']])
  })

  it('the test stand-in and test helpers are in none of them', () => {
    const texts = readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(c?js|html)$/.test(name))
    const marked = texts.filter((name) => /stand-in\.invalid|__standIn/.test(readFileSync(join(OUT, name), 'utf8')))
    expect(texts.length).toBeGreaterThan(3)
    expect(marked).toEqual([])
  })
})

const elsewhere = mkdtempSync(join(tmpdir(), 'strata-built-'))
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }))

const broken = (files: readonly ParsedFile[]) => files.filter((file) => file.error !== undefined)

describe('every built script', () => {
  let parsed: ParsedFile[] = []
  beforeAll(() => {
    parsed = parseBuilt(builtScripts())
  })

  it('parses as what it is loaded as', () => {
    const parts = new Set(parsed.map(({ path }) => relative(OUT, path).split(/[\\/]/, 1)[0]))
    expect([...parts].toSorted()).toEqual(['main', 'preload', 'renderer'])
    expect(broken(parsed)).toEqual([])
  })

  it('imports what is there: files of the build, Node, Electron, and packages that are installed with the app', () => {
    const shipped = JSON.parse(readFileSync(join(OUT, '../package.json'), 'utf8')) as { dependencies: object }
    const known = new Set([...builtinModules, 'electron', ...Object.keys(shipped.dependencies)])
    const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')
    const isThere = (path: string, name: string): boolean => {
      if (name.startsWith('.')) return existsSync(join(dirname(path), name))
      if (relative(OUT, path).startsWith('renderer')) return false
      return name.startsWith('node:') || known.has(packageOf(name))
    }
    const lost = parsed.flatMap(({ path, imports }) =>
      imports.filter((name) => !isThere(path, name)).map((name) => [path, name]),
    )
    expect(lost).toEqual([])
  })

  it('the page loads module scripts only', () => {
    const tags = [...readFileSync(join(OUT, 'renderer/index.html'), 'utf8').matchAll(/<script\b[^>]*>/g)].map(
      ([tag]) => tag,
    )
    expect(tags.length).toBeGreaterThan(0)
    expect(tags.filter((tag) => !/\btype="module"/.test(tag) || !/\bsrc="/.test(tag))).toEqual([])
  })

  it('the parser finds a name declared twice, in modules and in a preload', () => {
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(elsewhere, name)), { recursive: true })
      writeFileSync(join(elsewhere, name), text)
    }
    // a package's own `require` beside the one the bundler puts into a worker
    write(
      'main/chunks/worker.js',
      'import { createRequire } from "module";\nconst require = 1;\nvar require = createRequire("/");\n',
    )
    write('main/index.js', 'import { join } from "node:path";\nconst require = join;\nexport { require };\n')
    write('preload/index.cjs', 'let one = require("electron");\nlet one = 2;\n')
    write('renderer/assets/index.js', 'await 1;\nimport { a } from "./b.js";\nfunction a() {}\n')
    const found = parseBuilt(builtScripts(elsewhere))
    expect(
      broken(found)
        .map(({ path }) => relative(elsewhere, path))
        .toSorted(),
    ).toEqual(['main/chunks/worker.js', 'preload/index.cjs', 'renderer/assets/index.js'])
    expect(found.find(({ path }) => path.endsWith('main/index.js'))?.imports).toEqual(['node:path'])
    write('preload/other.js', '')
    expect(() => builtScripts(elsewhere)).toThrow('out/preload/other.js')
  })
})

const CHUNKS = join(OUT, 'main/chunks')
const FIRST_TASKS = firstTasks(elsewhere)

const sources = new Map(
  globSync('src-main/**/*.ts', { exclude: ['**/*.test.ts'] }).map((path) => [path, readFileSync(path, 'utf8')]),
)
const LEADS_TO_WORKER = /['"]([^'"\n]+)\?(?:modulePath|nodeWorker)['"]/g
const named = [...sources].flatMap(([path, text]) =>
  path.endsWith('ipc/thread.ts') ? [] : [...text.matchAll(LEADS_TO_WORKER)].map((match) => basename(match[1] ?? '')),
)

/** The built file of a worker: its name and a hash. */
function chunksOf(name: string): string[] {
  return readdirSync(CHUNKS).filter(
    (file) => file.startsWith(`${name}-`) && /^-[\w-]{8}\.js$/.test(file.slice(name.length)),
  )
}

describe('the workers of the built app', () => {
  it('are all known here', () => {
    expect(named.toSorted()).toEqual(Object.keys(FIRST_TASKS).toSorted())
    const starts = [...sources].filter(([, text]) =>
      /\bnew Worker\(|\butilityProcess\b|\bfork\(\s*(?:file|new URL)/.test(text),
    )
    // whoever starts a thread is handed a path that was found above
    expect(starts.map(([path]) => path).toSorted()).toEqual([
      'src-main/ipc/thread.ts',
      'src-main/models/tokens/start-worker.ts',
    ])
  })

  it('are the files the built app starts', () => {
    const texts = ['', 'chunks/'].flatMap((part) =>
      readdirSync(join(OUT, 'main', part))
        .filter((name) => name.endsWith('.js'))
        .map((name) => readFileSync(join(OUT, 'main', part, name), 'utf8')),
    )
    const started = texts.flatMap((text) =>
      [...text.matchAll(/import\.meta\.dirname,\s*"\.\/(?:chunks\/)?([^"]+\.js)"/g)].map((match) => match[1] ?? ''),
    )
    expect([...new Set(started)].toSorted()).toEqual(Object.keys(FIRST_TASKS).flatMap(chunksOf).toSorted())
  })

  it.each(Object.entries(FIRST_TASKS))('%s starts and answers', async (name, first) => {
    const [chunk, ...more] = chunksOf(name)
    expect([chunk === undefined, more]).toEqual([false, []])
    const answer = await firstAnswer(join(CHUNKS, chunk ?? ''), first)
    expect(answer).toEqual(first.room === undefined ? first.answer : { id: 1, value: first.answer })
  })
})
