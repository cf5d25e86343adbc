import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export const OUT = join(import.meta.dirname, '../../out')

export interface BuiltFile {
  path: string
  as: 'module' | 'commonjs'
}

export interface ParsedFile {
  path: string
  imports: string[]
  error?: string
}

/**
 * Every script under a build folder and what it is loaded as. The package is one of modules, the page and its workers
 * load modules too; only a preload must be CommonJS, and says so by its name. @throws for a script of no known kind
 */
export function builtScripts(out = OUT): BuiltFile[] {
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[cm]?jsx?$/.test(name))
  return names.map((name) => {
    const path = join(out, name)
    const part = name.split(/[\\/]/, 1)[0]
    if (part === 'preload' && name.endsWith('.cjs')) return { path, as: 'commonjs' }
    if ((part === 'main' || part === 'renderer') && /\.m?js$/.test(name)) return { path, as: 'module' }
    throw new Error(`Nobody knows what out/${name} is loaded as. Say so in scripts/built/built-files.ts.`)
  })
}

/** Parses them as the engine does: a name declared twice is an error, as is every other that is found before running. */
export function parseBuilt(files: readonly BuiltFile[]): ParsedFile[] {
  const script = join(import.meta.dirname, 'parse-files.mjs')
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, script], {
    input: JSON.stringify(files),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`The parser ended with ${status}. ${stderr}`)
  return JSON.parse(stdout) as ParsedFile[]
}
