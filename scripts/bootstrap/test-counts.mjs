import { existsSync, readFileSync } from 'node:fs'

/** A run that failed without a failing test (a crash, a broken configuration) must not look like success. */
function withCode(count, code) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/**
 * @param {string} path of Vitest's JSON report
 * @param {number} code its exit code
 * @returns {{ passed: number, failed: number, skipped: number }} a file that could not be loaded counts as one failure
 */
export function vitestCount(path, code) {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const count = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  return withCode(count, code)
}

/**
 * @param {string} path of Playwright's JSON report
 * @param {number} code its exit code
 */
export function playwrightCount(path, code) {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return withCode({ passed: expected + flaky, failed: unexpected, skipped }, code)
}
