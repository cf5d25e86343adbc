// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { CallError } from '../api/client'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import * as toast from '../ui/toast'
import { reportFailure, watchPage } from './page-failures'

const strata = fakeStrata({ 'app.report': () => ({}) })
const shown = vi.spyOn(toast, 'showToast').mockImplementation(() => () => undefined)
const refused = vi.spyOn(toast, 'showError').mockImplementation(() => undefined)
watchPage()

const rejected = (reason: unknown) => window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))

it('logs places and no words of a person, and says so once', () => {
  const error = new SyntaxError('Unexpected token in "Dear diary"')
  for (let time = 0; time < 5; time += 1) rejected(error)
  window.dispatchEvent(Object.assign(new Event('error'), { message: error.message, error }))
  const reports = strata.inputsOf('app.report') as { where: string; name: string; message: string; stack: string[] }[]
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ where: 'promise', name: 'SyntaxError' })
  expect(JSON.stringify(reports)).not.toContain('diary')
  expect(reports[0]?.stack.length).toBeGreaterThan(0)
  expect(shown).toHaveBeenCalledOnce()
})

it('shows a refused call in its own words, and nothing of what is no failure', () => {
  shown.mockClear()
  const before = strata.inputsOf('app.report').length
  rejected(new CallError('busy', 'An answer is still being written.'))
  rejected(new DOMException('stopped', 'AbortError'))
  window.dispatchEvent(Object.assign(new Event('error'), { message: 'ResizeObserver loop completed.' }))
  expect(refused).toHaveBeenCalledOnce()
  expect(shown).not.toHaveBeenCalled()
  expect(strata.inputsOf('app.report')).toHaveLength(before)
})

it('says what happened behind the window', () => {
  shown.mockClear()
  strata.send('app.trouble', { message: 'Something in the background failed.' })
  expect(shown).toHaveBeenCalledWith('Something in the background failed.', { tone: 'bad' })
})

it('reports another failure of a part', () => {
  expect(reportFailure('part', new Error('drawn wrong'))).toBe(true)
  expect(reportFailure('part', 'no error at all')).toBe(true)
})
