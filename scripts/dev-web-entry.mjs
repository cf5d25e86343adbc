// What electron-vite starts in Electron's place (see dev.mjs): the web entry, at an address that survives restarts.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './bootstrap/project-node.mjs'
import { say } from './bootstrap/run-program.mjs'

const { STRATA_DEV_PORT: port = '0', STRATA_DEV_TOKEN: token = '' } = process.env
process.argv = [...process.argv.slice(0, 2), '--port', port, '--token', token]
await import(pathToFileURL(join(ROOT, 'out/main/serve.js')).href)
say(`\n  http://127.0.0.1:${port}/#token=${token}\n`)
