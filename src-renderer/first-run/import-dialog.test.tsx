// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { UPLOAD_PIECE } from '../../src-main/transfer/contract'
import { CallError } from '../api/client'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { fromBase64 } from '../ui/save-file'
import { ImportDialog } from './import-dialog'

afterEach(cleanup)

const REPORT = {
  format: 'strata',
  sessions: { imported: 2, skipped: [], existing: 0 },
  messages: 5,
  prompts: 0,
  warnings: [],
  sessionIds: [],
  dryRun: true,
}

type Answers = Parameters<typeof fakeStrata>[0]

function openDialog(answers: Answers = {}) {
  let closed = 0
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const strata = fakeStrata({
    'transfer.begin': () => ({ uploadId: 'u' }),
    'transfer.append': ({ dataBase64 }: { dataBase64: string }) => {
      pieces.push(fromBase64(dataBase64))
      return { received: 0 }
    },
    'transfer.import-sent': () => REPORT,
    'transfer.discard': () => ({ discarded: 1 }),
    ...answers,
  })
  const { baseElement } = render(
    <ImportDialog
      source="strata"
      onClose={() => {
        closed += 1
      }}
    />,
  )
  const choose = (file: File) => {
    const picker = baseElement.querySelector('input[type="file"]')
    if (picker) fireEvent.change(picker, { target: { files: [file] } })
  }
  return { strata, pieces, choose, closed: () => closed }
}

it('sends a large file in pieces and imports what was sent', async () => {
  const { strata, pieces, choose, closed } = openDialog()
  const text = '潮'.repeat(UPLOAD_PIECE / 2)
  choose(new File([text], 'all.strata.json'))
  await screen.findByText('2 chats')
  expect(strata.inputsOf('transfer.begin')).toEqual([{ fileName: 'all.strata.json', bytes: UPLOAD_PIECE * 1.5 }])
  expect(pieces.map((piece) => piece.length)).toEqual([UPLOAD_PIECE, UPLOAD_PIECE / 2])
  expect(await new Blob(pieces).text()).toBe(text)
  fireEvent.click(screen.getByRole('button', { name: 'Import' }))
  await waitFor(() => expect(closed()).toBe(1))
  expect(strata.inputsOf('transfer.import-sent')).toEqual([{ uploadId: 'u', dryRun: true }, { uploadId: 'u' }])
  expect(strata.inputsOf('transfer.discard')).toEqual([{ uploadId: 'u' }])
})

it('says what is wrong with a file, and lets the host forget it', async () => {
  const unreadable = () => Promise.reject(new CallError('import.unreadable', 'The end is missing.', undefined))
  const { strata, choose } = openDialog({ 'transfer.import-sent': unreadable })
  choose(new File(['half'], 'half.jsonl'))
  expect((await screen.findByRole('alert')).textContent).toContain('The end is missing.')
  expect(strata.inputsOf('transfer.discard')).toEqual([{ uploadId: 'u' }])
})

it('takes nothing above the limit, before anything is sent', async () => {
  const { strata, choose } = openDialog()
  const file = new File(['x'], 'huge.json')
  Object.defineProperty(file, 'size', { value: 500_000_000 })
  choose(file)
  expect((await screen.findByRole('alert')).textContent).toContain('larger than 400')
  expect(strata.calls).toEqual([])
})
