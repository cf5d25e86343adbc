// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ToolForm } from '../../src-main/tools/contract'
import '../i18n/i18n'
import { fakeStrata } from '../testing/fake-strata'
import { ServerFormFoot } from './server-form-foot'

const form: ToolForm = {
  server: 'pier',
  message: 'Which berth?',
  fields: [
    { name: 'ship', label: 'Ship', type: 'string', required: true },
    { name: 'length', label: 'Length', type: 'number', required: false },
    { name: 'mast', label: 'Has a mast', type: 'boolean', required: false, initial: true },
    {
      name: 'side',
      label: 'Side',
      type: 'string',
      required: false,
      options: [
        { value: 'n', label: 'North' },
        { value: 's', label: 'South' },
      ],
    },
    { name: 'flags', label: 'Flags', type: 'array', required: false, options: [{ value: 'q', label: 'Quarantine' }] },
    { name: 'when', label: 'When', type: 'string', format: 'date-time', required: false },
  ],
}
const approval = { requestId: 'q1', turnId: 't', messageId: 'r1', callId: 'c1', tool: 'moor', arguments: {}, form }
let strata: ReturnType<typeof fakeStrata>
beforeEach(() => {
  strata = fakeStrata({ 'tools.answer': () => ({ accepted: true }), 'tools.pending': () => [] })
  render(<ServerFormFoot approval={approval} form={form} />)
})
afterEach(cleanup)

it('sends figures as figures, moments with their zone, and nothing for what is left empty', async () => {
  fireEvent.change(screen.getByRole('textbox', { name: 'Ship' }), { target: { value: 'Kestrel' } })
  fireEvent.change(screen.getByRole('spinbutton', { name: 'Length (optional)' }), { target: { value: '12.5' } })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Quarantine' }))
  fireEvent.change(screen.getByLabelText('When (optional)'), { target: { value: '2026-03-04T05:06' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  const sent = {
    ship: 'Kestrel',
    length: 12.5,
    mast: true,
    flags: ['q'],
    when: new Date('2026-03-04T05:06').toISOString(),
  }
  await waitFor(() =>
    expect(strata.inputsOf('tools.answer')).toEqual([{ requestId: 'q1', decision: 'once', form: sent }]),
  )
})

it('declines, or puts it away', async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Decline' }))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() =>
    expect(strata.inputsOf('tools.answer')).toEqual([
      { requestId: 'q1', decision: 'deny' },
      { requestId: 'q1', decision: 'deny', cancel: true },
    ]),
  )
})
