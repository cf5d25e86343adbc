import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const here = import.meta.dirname

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: {
          index: resolve(here, 'src-main/index.ts'),
          serve: resolve(here, 'src-main/serve.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(here, 'src-preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react()],
    worker: { format: 'es' },
    build: {
      // fonts as data: addresses would break the content policy
      assetsInlineLimit: 0,
      outDir: 'out/renderer',
      minify: true,
      rolldownOptions: {
        input: { index: resolve(here, 'src-renderer/index.html') },
        // zod tries out whether code may be made from text; under the content policy the try itself is a violation
        output: { banner: 'globalThis.__zod_globalConfig ??= { jitless: true };' },
      },
    },
  },
})
