import { registerHooks } from 'node:module'

const standIn = new URL('./electron-module.ts', import.meta.url).href
const NAMES = new Set(['electron', 'electron/main', 'electron/common'])

registerHooks({
  resolve: (specifier, context, next) =>
    NAMES.has(specifier) ? { url: standIn, shortCircuit: true } : next(specifier, context),
})
