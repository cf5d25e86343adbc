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
    // Real processes, files and threads on two busy cores: a slow moment is no failure.
    testTimeout: 40_000,
    hookTimeout: 40_000,
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    maxWorkers: 2,
  },
})
