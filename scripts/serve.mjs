// npm run serve: the web host, for people and programs. stdout carries its one JSON line and nothing else.
import { join } from 'node:path'
import { buildIfNeeded } from './bootstrap/app-build.mjs'
import { installPackages } from './bootstrap/npm-packages.mjs'
import { projectNode, ROOT } from './bootstrap/project-node.mjs'
import { handOver, keepStdoutClean, say } from './bootstrap/run-program.mjs'

keepStdoutClean()
try {
  await installPackages()
  await buildIfNeeded()
  handOver(projectNode(), [join(ROOT, 'out/main/serve.js'), ...process.argv.slice(2)])
} catch (error) {
  say(error.message)
  process.exit(1)
}
