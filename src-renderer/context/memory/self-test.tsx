import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemorySelfTest } from '../../../src-main/context/memory/contract'
import { call } from '../../api/client'
import { formatNumber } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { Mark } from '../../ui/badge'
import { Button, LinkButton } from '../../ui/button'
import { showError } from '../../ui/toast'
import { openMemory } from './memory-store'

/** Asks for the user's own memories with a part of their words, and counts what comes back. */
export function SelfTest() {
  const { t } = useTranslation('memory')
  const [result, setResult] = useState<MemorySelfTest | null>(null)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      setResult(await call('memory.self-test', {}))
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p className="small dim">{t('test.help')}</p>
      <div className="row">
        <Button small disabled={busy} onClick={() => void run()}>
          {busy ? t('test.running') : t('test.run')}
        </Button>
      </div>
      <div role="status">{result && <Result result={result} />}</div>
    </>
  )
}

function Result({ result }: { result: MemorySelfTest }) {
  const { t } = useTranslation('memory')
  if (result.tested === 0) return <p className="small mid">{t('test.nothing')}</p>
  const share = (count: number) => `${Math.round((count / result.tested) * 100)} %`
  return (
    <div className="test-result">
      {result.problem && <p className="warn-t small">{inWords(result.problem, result.problemWords)}</p>}
      <p className="num">
        <b className="strong">{share(result.foundInTopK)}</b>{' '}
        {t('test.found', { count: result.tested, first: share(result.foundFirst) })}
        <span className="dim">
          {' '}
          · {inWords(result.embedder)} · {t('test.took', { ms: formatNumber(result.elapsedMs) })}
        </span>
      </p>
      <ul className="row test-scripts">
        {result.scripts.map(({ script, memories, readable }) => (
          <li key={script} className="small">
            <Mark tone={readable ? 'ok' : 'warn'}>{readable ? t('test.readable') : t('test.wordsOnly')}</Mark>{' '}
            {t(`script.${script as 'Latin'}`, { defaultValue: script })}{' '}
            <span className="dim num">{formatNumber(memories)}</span>
          </li>
        ))}
      </ul>
      {result.missed.length > 0 && (
        <details>
          <summary className="small">{t('test.missed', { count: result.missed.length })}</summary>
          <ul>
            {result.missed.map((miss) => (
              <li key={miss.memoryId} className="small">
                <LinkButton onClick={() => void openMemory(miss.memoryId)}>{miss.query}</LinkButton>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
