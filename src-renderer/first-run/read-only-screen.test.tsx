// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { TipProvider } from '../ui/tooltip'
import { ReadOnlyScreen } from './read-only-screen'

afterEach(cleanup)

const show = (readOnlyReason?: string) => {
  const strata = fakeStrata({
    'app.info': () => ({ version: '1.0.0', dataDir: '/home/me/strata', ...(readOnlyReason ? { readOnlyReason } : {}) }),
  })
  render(
    <TipProvider>
      <ReadOnlyScreen />
    </TipProvider>,
  )
  return strata
}

it('says that a newer folder is only read, and keeps saying so', async () => {
  show('Written by a newer version (notes/009).')
  await screen.findByRole('dialog', { name: 'This data folder is newer than this Strata' })
  expect(screen.getByText('/home/me/strata')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Read what is there' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('Open for reading only.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'What this means' }))
  await screen.findByRole('dialog', { name: 'This data folder is newer than this Strata' })
})

it('says nothing about a folder of its own age', async () => {
  const strata = show()
  await waitFor(() => expect(strata.inputsOf('app.info')).toHaveLength(1))
  expect(screen.queryByRole('dialog')).toBeNull()
})
