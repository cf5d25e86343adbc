import { expect, it } from 'vitest'
import { rebase } from './rebase'

it('keeps what was changed in the form and takes the rest as it is stored by now', () => {
  const base = { name: 'a', headers: ['x'], key: '', note: 'n' }
  expect(rebase(base, { ...base, name: 'mine' }, { ...base, name: 'theirs', headers: ['x', 'y'], note: 'm' })).toEqual({
    name: 'mine',
    headers: ['x', 'y'],
    key: '',
    note: 'm',
  })
})
