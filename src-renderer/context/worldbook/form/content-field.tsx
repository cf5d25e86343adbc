import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/client'
import { formatTokens, langOf } from '../../../i18n/format'
import { TextArea } from '../../../ui/field'
import { useOpenBook } from '../editor/open-book'
import type { EntryPartProps } from './entry-form'

const COUNT_AFTER_MS = 200

/** Counted by the main process while typing; the stored count stands until then. */
function useTokens(id: string, text: string): number | undefined {
  const stored = useOpenBook((state) => state.tokens[id])
  const [counted, setCounted] = useState<{ text: string; tokens: number } | null>(null)
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => {
      call('models.count-tokens', { text })
        .then(({ tokens }) => current && setCounted({ text, tokens }))
        // the stored figure stays; saving reports what is wrong
        .catch(() => undefined)
    }, COUNT_AFTER_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text])
  return counted?.text === text ? counted.tokens : (counted?.tokens ?? stored)
}

export function ContentField({ entry, onEdit }: EntryPartProps) {
  const { t } = useTranslation(['worldbook', 'common'])
  const tokens = useTokens(entry.id, entry.content)
  return (
    <div className="fs">
      <div className="row content-top">
        <label className="fl" htmlFor="entry-content">
          {t('form.content')}
        </label>
        <span className="grow" />
        {tokens !== undefined && (
          <span className="tiny dim num">
            <span className="ap">≈</span>
            {t('book.tokens', { tokens: formatTokens(tokens) })}
          </span>
        )}
      </div>
      <TextArea
        id="entry-content"
        className="read"
        rows={5}
        growTo={320}
        lang={langOf(entry.content)}
        placeholder={t('form.contentHint')}
        value={entry.content}
        onChange={(event) => onEdit({ content: event.target.value })}
      />
    </div>
  )
}
