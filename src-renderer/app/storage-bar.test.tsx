// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { i18n } from '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { StorageBar } from './storage-bar'
import { useStorage, wireStorage } from './storage-store'

afterEach(async () => {
  cleanup()
  await i18n.changeLanguage('en')
})

const FULL = {
  trouble: { code: 'storage.full', message: 'The disk is full.', since: '2026-12-01T00:00:00Z' },
  waiting: 2,
} as const

it('says what is safe while the disk is full, in both languages, and leaves by itself', async () => {
  const strata = fakeStrata({ 'storage.state': () => FULL })
  wireStorage()
  render(<StorageBar />)
  await screen.findByText('The disk is full.')
  expect(screen.getByRole('alert').textContent).toContain('What is stored is safe')
  await act(() => i18n.changeLanguage('zh-CN'))
  expect(screen.getByRole('alert').textContent).toContain('磁盘已满')
  act(() => strata.send('storage.changed', { trouble: null, waiting: 0 }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

it('an event is newer than the answer that was asked for before it', async () => {
  let answer = (_state: unknown): void => undefined
  const strata = fakeStrata({
    'storage.state': () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  })
  wireStorage()
  act(() => strata.send('storage.changed', { trouble: null, waiting: 0 }))
  await act(async () => answer(FULL))
  expect(useStorage.getState().trouble).toBeNull()
})
