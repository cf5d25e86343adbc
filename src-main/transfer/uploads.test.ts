import { expect, it, vi } from 'vitest'
import { idSequence } from '../testing/id-sequence'
import { UPLOAD_LIMIT } from './contract'
import { createUploads } from './uploads'

const piece = (text: string) => Buffer.from(text)

it('puts pieces together in the order they come', () => {
  const uploads = createUploads(idSequence())
  const { uploadId } = uploads.begin({ fileName: 'a.json', bytes: 6 })
  expect(uploads.append(uploadId, 0, piece('ab'))).toEqual({ received: 2 })
  expect(() => uploads.take(uploadId)).toThrow('missing')
  expect(() => uploads.append(uploadId, 4, piece('ef'))).toThrow('does not follow')
  expect(() => uploads.append(uploadId, 2, piece('cdefg'))).toThrow('does not follow')
  uploads.append(uploadId, 2, piece('cdef'))
  expect(Buffer.from(uploads.take(uploadId).bytes).toString()).toBe('abcdef')
  expect(uploads.discard(uploadId)).toEqual({ discarded: 1 })
  expect(() => uploads.take(uploadId)).toThrow('Choose it again')
})

it('takes nothing above the limit, and lets the file untouched longest go for want of room', () => {
  const uploads = createUploads(idSequence())
  expect(() => uploads.begin({ fileName: 'a', bytes: UPLOAD_LIMIT + 1 })).toThrow('up to 400 MB')
  const [first, second] = ['a', 'b'].map((fileName) => uploads.begin({ fileName, bytes: 250_000_000 }).uploadId)
  uploads.append(first ?? '', 0, piece('x'))
  uploads.begin({ fileName: 'c', bytes: 250_000_000 })
  expect(uploads.append(first ?? '', 1, piece('y')).received).toBe(2)
  expect(() => uploads.append(second ?? '', 0, piece('x'))).toThrow('Choose it again')
  uploads.close()
  expect(() => uploads.take(first ?? '')).toThrow('Choose it again')
})

it('lets a file go that nobody asks for', () => {
  vi.useFakeTimers()
  try {
    const uploads = createUploads(idSequence())
    const { uploadId } = uploads.begin({ fileName: 'a', bytes: 1 })
    vi.advanceTimersByTime(14 * 60_000)
    uploads.append(uploadId, 0, piece('x'))
    vi.advanceTimersByTime(14 * 60_000)
    expect(uploads.take(uploadId).fileName).toBe('a')
    vi.advanceTimersByTime(16 * 60_000)
    expect(() => uploads.take(uploadId)).toThrow('Choose it again')
  } finally {
    vi.useRealTimers()
  }
})
