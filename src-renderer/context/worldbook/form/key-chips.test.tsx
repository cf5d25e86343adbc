// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import '../../../i18n/i18n'
import { KeyChips, splitKeys } from './key-chips'

afterEach(cleanup)

describe('splitKeys', () => {
  it.each([
    ['tide, neap', ['tide', 'neap']],
    ['大潮日，小潮日、潮汐\nfog', ['大潮日', '小潮日', '潮汐', 'fog']],
    ['/light(house|s), no/i, lamp', ['/light(house|s), no/i', 'lamp']],
    ['/a,b/', ['/a,b/']],
    ['and/or, so', ['and/or', 'so']],
    [' , ,', []],
    ['/not closed, x', ['/not closed', 'x']],
  ])('%j', (text, keys) => expect(splitKeys(text)).toEqual(keys))
})

function Held({ initial, onKeys }: { initial: string[]; onKeys(keys: string[]): void }) {
  const [keys, setKeys] = useState(initial)
  const change = (next: string[]) => {
    onKeys(next)
    setKeys(next)
  }
  return <KeyChips label="Keys" placeholder="Add" keys={keys} onKeys={change} />
}

function setup(initial: string[]) {
  const onKeys = vi.fn()
  render(<Held initial={initial} onKeys={onKeys} />)
  return { onKeys, field: screen.getByLabelText<HTMLInputElement>('Keys') }
}

it('adds with Enter, a comma or on leaving, and never twice', () => {
  const { onKeys, field } = setup(['tide'])
  fireEvent.change(field, { target: { value: 'fog' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onKeys).toHaveBeenLastCalledWith(['tide', 'fog'])
  fireEvent.change(field, { target: { value: 'neap，' } })
  expect(onKeys).toHaveBeenLastCalledWith(['tide', 'fog', 'neap'])
  fireEvent.change(field, { target: { value: 'tide' } })
  fireEvent.blur(field)
  expect(onKeys).toHaveBeenCalledTimes(2)
  expect(field.value).toBe('')
})

it('takes pasted keys apart and leaves a comma in a pattern alone', () => {
  const { onKeys, field } = setup([])
  fireEvent.change(field, { target: { value: '/a,' } })
  expect(onKeys).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: '' } })
  fireEvent.paste(field, { clipboardData: { getData: () => 'one, two\n/th(ree|ird)/i' } })
  expect(onKeys).toHaveBeenLastCalledWith(['one', 'two', '/th(ree|ird)/i'])
})

it('removes by button, and Backspace takes the last one back for editing', () => {
  const { onKeys, field } = setup(['tide', ' '])
  fireEvent.keyDown(field, { key: 'Backspace' })
  expect(onKeys).toHaveBeenLastCalledWith(['tide'])
  expect(field.value).toBe(' ')
  fireEvent.click(screen.getByRole('button', { name: 'Remove key tide' }))
  expect(onKeys).toHaveBeenLastCalledWith([])
})

it('does not act on Enter while an input method composes', () => {
  const { onKeys, field } = setup([])
  fireEvent.change(field, { target: { value: 'chao' } })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(onKeys).not.toHaveBeenCalled()
})
