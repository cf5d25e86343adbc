import { defineConfig } from 'vitest/config'

/** Benches print tables; they are no tests and assert no times. */
export default defineConfig({
  test: {
    include: ['bench/**/*.bench.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
})
