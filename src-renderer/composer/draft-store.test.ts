// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { CallError } from '../api/client'
import { fakeStrata } from '../testing/fake-strata'
import { changeDraft, draftOf } from './draft-store'

const shown = vi.hoisted(() => ({ errors: [] as unknown[] }))
vi.mock('../ui/toast', () => ({ showError: (error: Error) => shown.errors.push(error.message) }))

it('says once that what is typed cannot be kept, and keeps it in the field', async () => {
  let full = true
  let revision = 0
  const strata = fakeStrata({
    'drafts.get': () => ({ text: '', attachments: [], queue: [], revision }),
    'drafts.save': () => {
      if (full) throw new CallError('storage.full', 'The disk is full.', undefined)
      return { saved: true, revision: ++revision }
    },
  })
  const saves = (count: number) => vi.waitFor(() => expect(strata.inputsOf('drafts.save')).toHaveLength(count))
  const type = async (text: string, count: number) => {
    changeDraft('s', { text })
    await saves(count)
  }
  await type('a', 1)
  await type('ab', 2)
  expect(shown.errors).toEqual(['The disk is full.'])
  expect(draftOf('s').text).toBe('ab')
  full = false
  await type('abc', 3)
  full = true
  await type('abcd', 4)
  expect(shown.errors).toEqual(['The disk is full.', 'The disk is full.'])
})
