import type { HighlightAnswer, HighlightRequest, TokenLine } from './highlight-contract'

let worker: Worker | null = null
const waiting = new Map<number, (lines: readonly TokenLine[] | null) => void>()
let nextRequest = 1
let nextBlock = 1

/** Coloured chunks wait here: one a frame is drawn, so that a long block never holds up typing or scrolling. */
const arrived: HighlightAnswer[] = []

function soon(run: () => void): void {
  // a hidden window gets no frames
  if (document.hidden) setTimeout(run, 30)
  else requestAnimationFrame(run)
}

function handOut(): void {
  const answer = arrived.shift()
  if (arrived.length > 0) soon(handOut)
  if (!answer) return
  waiting.get(answer.requestId)?.(answer.lines)
  waiting.delete(answer.requestId)
}

function start(): Worker | null {
  if (worker || typeof Worker === 'undefined') return worker
  worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    arrived.push(data)
    if (arrived.length === 1) soon(handOut)
  }
  worker.onerror = () => {
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
  }
  return worker
}

export const newBlockId = () => nextBlock++

/** Colours for one chunk of a block; null where there are none to be had. */
export function highlightChunk(request: Omit<HighlightRequest, 'requestId'>): Promise<readonly TokenLine[] | null> {
  const running = start()
  if (!running) return Promise.resolve(null)
  const requestId = nextRequest++
  return new Promise((settle) => {
    waiting.set(requestId, settle)
    running.postMessage({ requestId, ...request } satisfies HighlightRequest)
  })
}
