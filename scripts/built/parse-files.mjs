// Parses built files as the engine will when it loads them. Reads [{path, as}] from stdin, writes [{path, error}] and what
// each module imports to stdout. A process of its own, because modules are only parsed here under a flag:
//   node --experimental-vm-modules scripts/built/parse-files.mjs
import { readFileSync } from 'node:fs'
import { compileFunction, SourceTextModule } from 'node:vm'

const COMMONJS = ['exports', 'require', 'module', '__filename', '__dirname']

/** @returns {string[]} the specifiers of static imports; [] for CommonJS */
function parse({ path, as }) {
  const text = readFileSync(path, 'utf8')
  if (as === 'module')
    return new SourceTextModule(text, { identifier: path }).moduleRequests.map((one) => one.specifier)
  compileFunction(text, COMMONJS, { filename: path })
  return []
}

const files = JSON.parse(readFileSync(0, 'utf8'))
const answers = files.map((file) => {
  try {
    return { path: file.path, imports: parse(file) }
  } catch (error) {
    return { path: file.path, imports: [], error: String(error) }
  }
})
process.stdout.write(JSON.stringify(answers))
