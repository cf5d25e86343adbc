import { existsSync } from 'node:fs'
import { defineConfig } from 'playwright/test'
import type { Host } from './e2e/support/launch-app'

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const chromium = process.env.CHROMIUM ?? USUAL_PLACES.find((path) => existsSync(path))

/** Root needs --no-sandbox; the rest keeps Chromium quiet, small and off the network. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
]

/** The same stories in both hosts: the desktop window (Electron, or its stand-in) and the web page. */
export default defineConfig<object, { host: Host }>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Two cores run both hosts, their Chromium and the model server; the list says when another try was needed.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  retries: process.env.CI ? 2 : 0,
  reporter: 'list',
  use: {
    launchOptions: { args, ...(chromium ? { executablePath: chromium } : {}) },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', use: { host: 'desktop' } },
    { name: 'web', testIgnore: '**/desktop/**', use: { host: 'web' } },
  ],
})
