import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { langOf } from '../i18n/format'
import { type Approval, answerApproval } from '../tools/approval-store'
import { Button } from '../ui/button'
import { TextArea } from '../ui/field'
import { ApprovalNote } from './approval-note'

/** The tool through which a model asks the person something: it wants words, not a permission. */
export const asksUser = (approval: Approval) => approval.tool === 'ask_user'

/** Whether a tool may run: once, in this chat, always, or not. A note goes to the model with the decision. */
export function ApprovalFoot({ approval }: { approval: Approval }) {
  const { t } = useTranslation('chat')
  const [note, setNote] = useState('')
  const decide = (decision: 'once' | 'session' | 'always' | 'deny') => () =>
    void answerApproval(approval, decision, note.trim() ? { note: note.trim() } : {})
  return (
    <footer className="approval">
      <ApprovalNote note={note} onNote={setNote} />
      <div className="row">
        <Button small tone="ghost" onClick={decide('deny')}>
          {t('tool.deny')}
        </Button>
        <span className="grow" />
        <Button small tone="ghost" onClick={decide('always')}>
          {t('tool.always')}
        </Button>
        <Button small onClick={decide('session')}>
          {t('tool.session')}
        </Button>
        <Button small tone="primary" onClick={decide('once')}>
          {t('tool.once')}
        </Button>
      </div>
    </footer>
  )
}

/** A call the app did not see the end of: nobody knows what it did, so a person says how to go on. */
export function InterruptedFoot({ approval }: { approval: Approval }) {
  const { t } = useTranslation('chat')
  const [note, setNote] = useState('')
  const decide = (decision: 'once' | 'deny') => () =>
    void answerApproval(approval, decision, note.trim() ? { note: note.trim() } : {})
  return (
    <footer className="approval">
      <p className="question">{t('tool.mayHaveRun')}</p>
      <ApprovalNote note={note} onNote={setNote} />
      <div className="row">
        <span className="grow" />
        <Button small onClick={decide('once')}>
          {t('tool.runAgain')}
        </Button>
        <Button small tone="primary" onClick={decide('deny')}>
          {t('tool.tellInterrupted')}
        </Button>
      </div>
    </footer>
  )
}

function questionOf(value: unknown): { question: string; choices: string[] } {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return {
    question: typeof fields.question === 'string' ? fields.question : '',
    choices: Array.isArray(fields.choices) ? fields.choices.map(String) : [],
  }
}

/** A question of the model: its choices as buttons, and room for words of one's own. */
export function QuestionFoot({ approval }: { approval: Approval }) {
  const { t } = useTranslation('chat')
  const [answer, setAnswer] = useState('')
  const { question, choices } = questionOf(approval.arguments)
  const send = (words: string) => void answerApproval(approval, 'once', { answer: words })
  return (
    <footer className="approval">
      <p className="question" lang={langOf(question)}>
        {question}
      </p>
      {choices.length > 0 && (
        <div className="row choices">
          {choices.map((choice) => (
            <Button small key={choice} onClick={() => send(choice)}>
              {choice}
            </Button>
          ))}
        </div>
      )}
      <TextArea
        className="approval-note"
        aria-label={t('tool.yourAnswer')}
        placeholder={t('tool.yourAnswer')}
        rows={1}
        growTo={160}
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.key !== 'Enter' || event.shiftKey || !answer.trim()) return
          event.preventDefault()
          send(answer.trim())
        }}
      />
      <div className="row">
        <Button small tone="ghost" onClick={() => void answerApproval(approval, 'deny')}>
          {t('tool.noAnswer')}
        </Button>
        <span className="grow" />
        <Button small tone="primary" disabled={!answer.trim()} onClick={() => send(answer.trim())}>
          {t('tool.answer')}
        </Button>
      </div>
    </footer>
  )
}
