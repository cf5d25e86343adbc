import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client'
import { formatTokens } from '../../i18n/format'

const WAIT_MS = 200

/** Tokens of a text for a model; the last known number stays until the new one is there. */
export function useTokenCount(text: string, modelId?: string | null): number | null {
  const [tokens, setTokens] = useState<number | null>(null)
  useEffect(() => {
    let current = true
    const timer = setTimeout(() => {
      if (text.trim() === '') return setTokens(0)
      void call('models.count-tokens', { text, ...(modelId ? { modelId } : {}) }).then(
        (count) => current && setTokens(count.tokens),
        () => undefined, // a missing count is no reason to stop someone writing
      )
    }, WAIT_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text, modelId])
  return tokens
}

/** `≈ 640 tokens` */
export function TokenCount({ text, modelId }: { text: string; modelId?: string | null }) {
  const { t } = useTranslation()
  const tokens = useTokenCount(text, modelId)
  if (tokens === null) return null
  return (
    <span className="tiny dim num">
      <span className="ap">≈</span>
      {t('tokens', { count: tokens, shown: formatTokens(tokens) })}
    </span>
  )
}
