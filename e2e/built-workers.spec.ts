import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from './support/launch-app'

const ROOT = join(import.meta.dirname, '..')

/** A first question to each web worker of the page, and what its answer holds. Those of the main process: scripts/bundles.test.ts. */
const FIRST_QUESTIONS: Record<string, { question: unknown; answer: Record<string, unknown> }> = {
  'highlight-worker': {
    question: { requestId: 7, blockId: 1, chunk: 0, grammar: 'javascript', text: 'const tide = 1' },
    answer: { requestId: 7, lines: [expect.arrayContaining([['const', 'kw']])] },
  },
}

const named = globSync('src-renderer/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.*'] }).flatMap((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const started = [...text.matchAll(/new (?:Shared)?Worker\(\s*new URL\('([^']+)\.ts'/g)].map((match) => match[1] ?? '')
  const imported = [...text.matchAll(/from '([^']+)\?(?:worker|sharedworker)[^']*'/g)].map((match) => match[1] ?? '')
  return [...started, ...imported].map((name) => basename(name))
})

test('every worker of the page starts and answers', async ({ app }) => {
  expect(named.toSorted()).toEqual(Object.keys(FIRST_QUESTIONS).toSorted())
  const assets = readdirSync(join(ROOT, 'out/renderer/assets'))
  for (const [name, { question, answer }] of Object.entries(FIRST_QUESTIONS)) {
    const files = assets.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'))
    expect(files).toHaveLength(1)
    const said = await app.page.evaluate(
      ([file, asked]) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL(`./assets/${file}`, document.baseURI), { type: 'module' })
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = ({ message }) => reject(new Error(message || 'The worker does not parse.'))
          worker.postMessage(asked)
        }),
      [files[0], question] as const,
    )
    expect(said).toMatchObject(answer)
  }
})
