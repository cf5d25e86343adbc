import { describe, expect, test } from 'vitest'
import { type ApprovalAnswer, type ApprovalRequest, Approvals } from './approvals'

interface Asked {
  requestId: string
  callId: string
}

function queue() {
  const asked: Asked[] = []
  let last = 0
  const approvals = new Approvals(
    (_name, payload) => void asked.push(payload as unknown as Asked),
    () => {
      last += 1
      return `r${last}`
    },
  )
  return { approvals, asked }
}

const request = (callId: string, fields: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  turnId: 't',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'echo',
  arguments: {},
  ...fields,
})
const never = new AbortController().signal
const say = (decision: 'once' | 'session' | 'always' | 'deny') => ({ kind: 'answered' as const, decision })

describe('the queue of questions', () => {
  test('one at a time, in order; only the one shown can be answered, and only once', async () => {
    const { approvals, asked } = queue()
    const first = approvals.ask(request('a'), never)
    const second = approvals.ask(request('b'), never)
    expect(asked.map((each) => each.callId)).toEqual(['a'])
    expect(approvals.pending().map((each) => each.callId)).toEqual(['a'])
    expect(approvals.answer('r2', say('once'))).toBe(false)
    expect(approvals.answer('r1', say('once'))).toBe(true)
    expect(approvals.answer('r1', say('deny'))).toBe(false)
    expect(asked.map((each) => each.callId)).toEqual(['a', 'b'])
    expect(approvals.answer('r2', say('deny'))).toBe(true)
    expect([await first, await second]).toEqual([say('once'), say('deny')])
    expect(approvals.pending()).toEqual([])
  })

  test('“this session” is known before the next question is looked at, and covers it', async () => {
    const { approvals, asked } = queue()
    let granted = false
    const hooks = {
      covered: (): ApprovalAnswer | undefined => (granted ? say('once') : undefined),
      answered: () => {
        granted = true
      },
    }
    const calls = ['a', 'b', 'c'].map((callId) => approvals.ask(request(callId), never, hooks))
    approvals.answer('r1', say('session'))
    expect(await Promise.all(calls)).toEqual([say('session'), say('once'), say('once')])
    expect(asked).toHaveLength(1)
  })

  test('stopping a turn cancels its own questions only', async () => {
    const { approvals } = queue()
    const own = approvals.ask(request('a'), never)
    const other = approvals.ask(request('b', { turnId: 'u', sessionId: 'z' }), never)
    approvals.cancelTurn('t')
    expect(await own).toEqual({ kind: 'cancelled' })
    expect(approvals.pending().map((each) => each.callId)).toEqual(['b'])
    expect(approvals.answer('r1', say('once'))).toBe(false)
    approvals.answer('r2', say('once'))
    expect(await other).toEqual(say('once'))
  })

  test('a signal cancels one that waits behind another, and the other stays', async () => {
    const { approvals, asked } = queue()
    const control = new AbortController()
    const first = approvals.ask(request('a'), never)
    const second = approvals.ask(request('b'), control.signal)
    control.abort()
    expect(await second).toEqual({ kind: 'cancelled' })
    approvals.answer('r1', say('once'))
    expect(await first).toEqual(say('once'))
    expect(asked).toHaveLength(1)
    expect(await approvals.ask(request('c'), control.signal)).toEqual({ kind: 'cancelled' })
  })
})
