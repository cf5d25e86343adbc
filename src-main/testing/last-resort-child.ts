// Run by host/last-resort.test.ts as a process of its own: fails in the way it is told and says how it ended.
import { pino } from 'pino'
import { installLastResort, UNEXPECTED_EXIT } from '../host/last-resort'

const [way = ''] = process.argv.slice(2)
const say = (text: string) => process.send?.(text)
const coded = (code: string) => Object.assign(new Error('"what a person wrote" was refused'), { code })

installLastResort({
  log: pino({ level: 'info' }, { write: (line: string) => void say(`log ${line}`) }),
  app: () => ({
    noteStorage: (error) => error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL',
    tell: (sentence) => void say(`told ${typeof sentence === 'string' ? sentence : sentence.text}`),
  }),
  end: () => {
    say('ended')
    setTimeout(() => process.exit(UNEXPECTED_EXIT), 50)
  },
})

const ways: Record<string, () => void> = {
  throw: () => {
    throw coded('ERR_BUG')
  },
  full: () => {
    throw coded('SQLITE_FULL')
  },
  socket: () => {
    throw coded('EPIPE')
  },
  promise: () => {
    void Promise.reject(coded('ERR_BUG'))
    void Promise.reject(coded('ERR_BUG'))
  },
  pipe: () => {
    for (let line = 0; line < 50; line += 1) process.stdout.write(`${'x'.repeat(10_000)}\n`)
  },
}
setTimeout(() => ways[way]?.(), 10)
setTimeout(() => {
  say('still here')
  process.exit(0)
}, 400)
