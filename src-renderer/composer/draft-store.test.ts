// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { CallError } from '../api/client'
import { UNANSWERED } from '../api/transport'
import { fakeStrata } from '../testing/fake-strata'
import { changeDraft, draftOf, flushDrafts, forgetDrafts, loadDraft, takeDraft, wireDrafts } from './draft-store'

const shown = vi.hoisted(() => ({ errors: [] as unknown[] }))
vi.mock('../ui/toast', () => ({ showError: (error: Error) => shown.errors.push(error.message) }))

afterEach(forgetDrafts)

it('says once that what is typed cannot be kept, and keeps it in the field', async () => {
  let full = true
  let revision = 0
  const strata = fakeStrata({
    'drafts.get': () => ({ text: '', attachments: [], queue: [], revision, saves: [] }),
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

it('keeps what a full disk refused once there is room, though nobody types', async () => {
  let full = true
  const strata = fakeStrata({
    'drafts.get': () => ({ text: '', attachments: [], queue: [], revision: 0, saves: [] }),
    'drafts.save': () => {
      if (full) throw new CallError('storage.full', 'The disk is full.', undefined)
      return { saved: true, revision: 1 }
    },
  })
  changeDraft('patient', { text: 'the last words' })
  await vi.waitFor(() => expect(strata.inputsOf('drafts.save')).toHaveLength(1))
  full = false
  await vi.waitFor(() => expect(strata.inputsOf('drafts.save')).toHaveLength(2), 5000)
  expect(strata.inputsOf('drafts.save')[1]).toMatchObject({ text: 'the last words' })
})

/** A main process whose draft another window changes with `elsewhere`; `hold` keeps the next reading open. */
function sharedDraft(sessionId: string) {
  let kept = { text: '', revision: 0 }
  const saves: string[] = []
  let gate: Promise<void> | undefined
  let losesAnswer = false
  const change = (text: string) => {
    kept = { text, revision: kept.revision + 1 }
    return kept.revision
  }
  const strata = fakeStrata({
    'drafts.get': async () => {
      const answer = { ...kept, attachments: [], queue: [], saves: [...saves] }
      await gate
      return answer
    },
    'drafts.save': ({ text, revision, saveId }: { text: string; revision: number; saveId: string }) => {
      if (revision !== kept.revision) throw new CallError('conflict', 'Changed elsewhere.', undefined)
      const saved = change(text)
      saves.push(saveId)
      if (losesAnswer) throw new CallError('internal', 'No answer.', UNANSWERED)
      return { saved: true, revision: saved }
    },
  })
  wireDrafts()
  return {
    kept: () => kept.text,
    elsewhere: (text: string) => strata.send('drafts.changed', { ids: [sessionId], revision: change(text) }),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = undefined
        resolve()
      }
    },
    /** Main does what it is asked, and ends before it says so. */
    loseAnswers: (on: boolean) => {
      losesAnswer = on
    },
    back: () => strata.send('resync', { reason: 'reconnected' }),
    reads: () => strata.inputsOf('drafts.get').length,
  }
}

it('leaves another window’s words alone while a message is on its way, and puts them together when it comes back', async () => {
  const main = sharedDraft('shared')
  await loadDraft('shared')
  main.elsewhere('one')
  await vi.waitFor(() => expect(draftOf('shared').text).toBe('one'))
  const open = main.hold()
  const before = main.reads()
  main.elsewhere('one two')
  await vi.waitFor(() => expect(main.reads()).toBe(before + 1))
  changeDraft('shared', { text: 'one mine' })
  const leaving = takeDraft('shared')
  open()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(draftOf('shared').text).toBe('')
  leaving.back()
  await vi.waitFor(() => expect(draftOf('shared').text).toBe('one two mine'))
  flushDrafts()
  await vi.waitFor(() => expect(main.kept()).toBe('one two mine'))
})

it('hands a message over with what it was written in and what stays', async () => {
  const main = sharedDraft('handed')
  await loadDraft('handed')
  main.elsewhere('one')
  await vi.waitFor(() => expect(draftOf('handed').text).toBe('one'))
  changeDraft('handed', { text: 'one mine' })
  const leaving = takeDraft('handed')
  changeDraft('handed', { text: 'next' })
  expect(leaving.from()).toEqual({ base: 'one', tried: [], rest: 'next' })
  // main took it off, and another window typed on
  main.elsewhere('next, and more')
  leaving.gone()
  await vi.waitFor(() => expect(draftOf('handed').text).toBe('next, and more'))
})

it('writes a word to its end before another window’s words, where this window began it', async () => {
  const main = sharedDraft('begun')
  await loadDraft('begun')
  changeDraft('begun', { text: 'When is low wat' })
  await vi.waitFor(() => expect(main.kept()).toBe('When is low wat'))
  changeDraft('begun', { text: 'When is low water?' })
  main.elsewhere('When is low wat and high?')
  await vi.waitFor(() => expect(draftOf('begun').text).toBe('When is low water? and high?'))
})

it('does not put words twice whose saving was done and never answered', async () => {
  const main = sharedDraft('lost')
  await loadDraft('lost')
  main.loseAnswers(true)
  changeDraft('lost', { text: 'One.' })
  await vi.waitFor(() => expect(main.kept()).toBe('One.'))
  main.loseAnswers(false)
  changeDraft('lost', { text: 'One. Two.' })
  const leaving = takeDraft('lost')
  expect(leaving.from()).toEqual({ base: '', tried: [{ id: expect.any(String), text: 'One.' }], rest: '' })
  // refused: it comes back, and meets what main keeps
  leaving.back()
  main.back()
  await vi.waitFor(() => expect(main.kept()).toBe('One. Two.'))
  expect(draftOf('lost').text).toBe('One. Two.')
})

it('takes words out of the field that it saved unheard and another window sent', async () => {
  const main = sharedDraft('elsewhere')
  await loadDraft('elsewhere')
  main.loseAnswers(true)
  changeDraft('elsewhere', { text: 'One.' })
  await vi.waitFor(() => expect(main.kept()).toBe('One.'))
  main.loseAnswers(false)
  main.elsewhere('')
  await vi.waitFor(() => expect(draftOf('elsewhere').text).toBe(''))
})
