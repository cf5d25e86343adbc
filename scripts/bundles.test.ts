import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error the bootstrap scripts are plain JavaScript: they run before anything is installed
import { buildIfNeeded } from './bootstrap/app-build.mjs'

const OUT = join(import.meta.dirname, '../out')
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

describe('the bundles', () => {
  beforeAll(() => buildIfNeeded(), 120_000)

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
