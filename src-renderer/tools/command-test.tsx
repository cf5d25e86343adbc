import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandTool } from '../../src-main/tools/contract'
import { type CallOutput, call } from '../api/client'
import { formatNumber } from '../i18n/format'
import { Mark } from '../ui/badge'
import { Button } from '../ui/button'
import { Labelled, TextArea } from '../ui/field'
import { argumentsOf } from './schema-view'

/** Runs the stored command once with arguments of one's own, outside any chat. */
export function CommandTest({ command, unsaved }: { command: CommandTool; unsaved: boolean }) {
  const { t } = useTranslation('tools')
  const [given, setGiven] = useState(() => sampleOf(command.schema))
  const [result, setResult] = useState<CallOutput<'commands.test'> | null>(null)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setError('')
    try {
      setResult(await call('commands.test', { id: command.id, arguments: JSON.parse(given || '{}') }))
    } catch (failure) {
      setResult(null)
      setError(failure instanceof Error ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="command-test" aria-label={t('test.title')}>
      <h2>{t('test.title')}</h2>
      <Labelled label={t('test.arguments')} error={error}>
        {(ids) => (
          <TextArea
            {...ids}
            className="mono code-in"
            rows={2}
            growTo={140}
            spellCheck={false}
            value={given}
            onChange={(event) => setGiven(event.target.value)}
          />
        )}
      </Labelled>
      <div className="row">
        <Button small disabled={busy || unsaved} onClick={() => void run()}>
          {busy ? t('test.running') : t('test.run')}
        </Button>
        {unsaved && <span className="small dim">{t('test.unsaved')}</span>}
        {result && (
          <>
            <Mark tone={result.outcome === 'completed' ? 'ok' : 'bad'}>
              {t(`outcome.${result.outcome as 'completed'}`, { defaultValue: result.outcome })}
            </Mark>
            <span className="small dim num">{t('test.took', { ms: formatNumber(result.elapsedMs) })}</span>
          </>
        )}
      </div>
      {result && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre className="raw-text" tabIndex={0}>
          {result.output || t('test.nothing')}
        </pre>
      )}
    </section>
  )
}

/** An object with every argument the schema names, to fill in. */
function sampleOf(schema: unknown): string {
  const sample = argumentsOf(schema).map(({ name, type }) => [
    name,
    type === 'number' || type === 'integer' ? 1 : type === 'boolean' ? false : '',
  ])
  return JSON.stringify(Object.fromEntries(sample))
}
