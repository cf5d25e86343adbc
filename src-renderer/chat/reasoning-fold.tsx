import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessagePart } from '../../src-main/sessions/contract'
import { langOf } from '../i18n/format'
import { Icon } from '../ui/icon'
import { Markdown } from './markdown/markdown'

interface ReasoningFoldProps {
  part: Extract<MessagePart, { type: 'reasoning' }>
  running: boolean
}

/** What the model thought, folded apart from what it says. */
export function ReasoningFold({ part, running }: ReasoningFoldProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [open, setOpen] = useState(false)
  const id = useId()
  const first = part.text.trimStart().slice(0, 160).replace(/\s+/g, ' ')
  return (
    <div className="reasoning">
      <button type="button" className="fold" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} size={14} />
        <span className={running ? 'pulse' : undefined}>{running ? t('reasoning.running') : t('reasoning.done')}</span>
        {part.seconds !== undefined && part.seconds >= 0.5 && (
          <span className="dim num">{t('reasoning.seconds', { count: Math.round(part.seconds) })}</span>
        )}
        {!open && (
          <span className="cut dim" lang={langOf(first)}>
            {first}
          </span>
        )}
      </button>
      {open && (
        <div id={id} className="reasoning-text" lang={langOf(part.text)}>
          <Markdown text={part.text} streaming={running} />
        </div>
      )}
    </div>
  )
}
