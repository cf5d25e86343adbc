// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { SignInRow } from './sign-in-row'
import { aServer } from './tool-test-data'

let strata: ReturnType<typeof fakeStrata>
beforeEach(() => {
  strata = fakeStrata({
    'mcp.sign-in': () => ({ page: 'https://login.example/', server: aServer() }),
    'mcp.stop-sign-in': () => aServer(),
    'mcp.sign-out': () => aServer(),
    'mcp.list': () => [],
    'commands.list': () => [],
    'tools.list': () => [],
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('opens the page of a sign-in in the browser', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  render(<SignInRow server={aServer({ signIn: 'needed' })} />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(open).toHaveBeenCalledWith('https://login.example/', '_blank', 'noopener'))
  expect(strata.inputsOf('mcp.sign-in')).toEqual([{ id: 's1' }])
})

it('offers the page again while it waits, and to give up', async () => {
  render(<SignInRow server={aServer({ signIn: 'waiting', signInPage: 'https://login.example/' })} />)
  expect(screen.getByRole('link', { name: 'Open the sign-in page' }).getAttribute('href')).toBe(
    'https://login.example/',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(strata.inputsOf('mcp.stop-sign-in')).toEqual([{ id: 's1' }]))
})

it('signs out; a server that asks nobody shows nothing', async () => {
  const { rerender, container } = render(<SignInRow server={aServer({ signIn: 'done' })} />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(strata.inputsOf('mcp.sign-out')).toEqual([{ id: 's1' }]))
  rerender(<SignInRow server={aServer()} />)
  expect(container.textContent).toBe('')
})
