// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { SnippetMenu } from './snippet-menu'

afterEach(cleanup)

it('keeps the words of a snippet that is refused in its form', async () => {
  let refuse = true
  const onClose = vi.fn()
  const strata = fakeStrata({
    'snippets.list': () => [{ id: 'n1', name: 'Greeting', text: 'Hello' }],
    'snippets.save': () => {
      if (refuse) throw new Error('The disk is full.')
      return {}
    },
  })
  render(<SnippetMenu sessionId="s1" toFill={null} onClose={onClose} />)
  fireEvent.keyDown(await screen.findByRole('combobox'), { key: 'F2' })
  fireEvent.change(await screen.findByLabelText('Text'), { target: { value: 'Hello there' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(strata.inputsOf('snippets.save')).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByDisplayValue('Hello there')).toBeTruthy()
  refuse = false
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
