import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DefinitionLine, ToolChange } from '../../src-main/tools/contract'
import { formatDateTime } from '../i18n/format'
import { type Approval, answerApproval } from '../tools/approval-store'
import { Button, LinkButton } from '../ui/button'
import { ApprovalNote } from './approval-note'

/** Where the tool comes from, and what was allowed when: the words under the name of a changed tool. */
export function ChangeOrigin({ change, origin }: { change: ToolChange; origin: string }) {
  const { t } = useTranslation('chat')
  const { scope, allowedAt } = change
  const since =
    scope && allowedAt ? t(`change.allowed.${scope}`, { date: formatDateTime(allowedAt) }) : t('change.inTurn')
  return <span className="dim">{origin ? t('change.origin', { origin, since }) : since}</span>
}

const SIGNS = { same: ' ', added: '+', removed: '−', gap: '' } as const

/** Old and new definition, line by line. Signs and marks say it too, not colour alone. */
export function Difference({ change }: { change: ToolChange }) {
  const { t } = useTranslation('chat')
  return (
    <section className="df" aria-label={t('change.difference')}>
      {change.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a difference never move
        <div key={index} className={`df-l ${line.kind}`}>
          <span>{SIGNS[line.kind]}</span>
          <span>{line.kind === 'gap' ? '…' : <MarkedLine line={line} />}</span>
        </div>
      ))}
    </section>
  )
}

function MarkedLine({ line: { text, marks = [] } }: { line: DefinitionLine }) {
  let at = 0
  const pieces = marks.flatMap(([from, to]) => {
    const plain = text.slice(at, from)
    at = to
    return [plain, <mark key={from}>{text.slice(from, to)}</mark>]
  })
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  )
}

/** Once first: accepting the change is a choice of its own, with the reach the permission had before. */
export function ChangedFoot({ approval, change }: { approval: Approval; change: ToolChange }) {
  const { t } = useTranslation('chat')
  const [note, setNote] = useState('')
  const [whole, setWhole] = useState(false)
  const decide = (decision: 'once' | 'session' | 'always' | 'deny') => () =>
    void answerApproval(approval, decision, note.trim() ? { note: note.trim() } : {})
  const { scope } = change
  return (
    <footer className="approval">
      {whole && (
        <div className="df-whole">
          <Whole title={t('change.before')} text={change.before} />
          <Whole title={t('change.after')} text={change.after} />
        </div>
      )}
      <ApprovalNote note={note} onNote={setNote} />
      <div className="row">
        <LinkButton aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {t(whole ? 'change.hideWhole' : 'change.showWhole')}
        </LinkButton>
        <span className="grow" />
        <Button small tone="ghost" onClick={decide('deny')}>
          {t('tool.deny')}
        </Button>
        {scope && (
          <Button small onClick={decide(scope)}>
            {t('change.accept')}
          </Button>
        )}
        <Button small tone="primary" onClick={decide('once')}>
          {t('tool.once')}
        </Button>
      </div>
    </footer>
  )
}

function Whole({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h3 className="tiny dim">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}
