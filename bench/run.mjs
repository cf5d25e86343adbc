// npm run bench [-- name]: measures; nothing here is a test. A name runs only the files whose path holds it.
import { join } from 'node:path'
import { projectNode, ROOT } from '../scripts/bootstrap/project-node.mjs'
import { handOver } from '../scripts/bootstrap/run-program.mjs'

const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
handOver(projectNode(), [vitest, 'run', '--config', 'vitest.bench.config.ts', ...process.argv.slice(2)])
