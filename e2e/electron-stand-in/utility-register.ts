// Gives a forked child the `process.parentPort` that Electron's utilityProcess gives.
import { EventEmitter } from 'node:events'

const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => process.send?.(message) })
process.on('message', (data) => port.emit('message', { data, ports: [] }))
Object.assign(process, { parentPort: port })
