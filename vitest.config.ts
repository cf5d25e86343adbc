import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src-main/**/*.test.ts',
      'src-renderer/**/*.test.{ts,tsx}',
      'src-preload/**/*.test.ts',
      'e2e/electron-stand-in/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
