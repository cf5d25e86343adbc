import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, langOf } from '../i18n/format'
import { LinkButton } from '../ui/button'
import { Markdown } from './markdown/markdown'

const LONG_CHARS = 6000
const SHOWN_CHARS = 1500

/** What a person wrote. Long pastes are folded, so that a chat stays readable. */
export function UserText({ text }: { text: string }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [open, setOpen] = useState(false)
  if (!text) return null
  const long = text.length > LONG_CHARS
  return (
    <div className="read" lang={langOf(text)}>
      <Markdown text={long && !open ? `${text.slice(0, SHOWN_CHARS)} …` : text} breaks />
      {long && (
        <LinkButton onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? t('showLess') : t('showAll', { count: text.length, shown: formatNumber(text.length) })}
        </LinkButton>
      )}
    </div>
  )
}
