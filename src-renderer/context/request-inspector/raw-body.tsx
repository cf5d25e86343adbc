import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Preview } from '../../../src-main/turns/contract'
import { formatNumber } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { LinkButton } from '../../ui/button'

const SHOWN_CHARACTERS = 200_000

/** What leaves, byte for byte: method, address, headers with keys redacted, body. */
export function RawBody({ preview }: { preview: Preview }) {
  const { t } = useTranslation('context')
  const [whole, setWhole] = useState(false)
  const { method, url, headers, body } = preview.wire
  const hidden = whole ? 0 : Math.max(0, body.length - SHOWN_CHARACTERS)
  return (
    <div className="raw">
      <p className="mono raw-line">
        <b>{method}</b> {url}
      </p>
      <details>
        <summary className="small dim">{t('sent.headers')}</summary>
        <dl className="mono">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {preview.projection.length > 0 && (
        <details>
          <summary className="small dim">{t('sent.projection')}</summary>
          <ul className="small mid">
            {preview.projection.map((step, index) => (
              <li key={step}>{inWords(step, preview.projectionWords?.[index])}</li>
            ))}
          </ul>
        </details>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard */}
      <pre className="mono raw-body" tabIndex={0}>
        {hidden ? body.slice(0, SHOWN_CHARACTERS) : body}
      </pre>
      {hidden > 0 && (
        <LinkButton onClick={() => setWhole(true)}>
          {t('sent.moreText', { count: hidden, shown: formatNumber(hidden) })}
        </LinkButton>
      )}
    </div>
  )
}
