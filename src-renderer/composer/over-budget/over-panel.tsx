import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Preview } from '../../../src-main/turns/contract'
import { formatOver } from '../../context/context-bar/usage-words'
import { formatTokens } from '../../i18n/format'
import { announce } from '../../ui/announcer'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Icon } from '../../ui/icon'
import { focusComposer } from '../composer-focus'
import { fits, type OverChoice } from './over-choices'
import { settleOver, useOver } from './over-gate'

/** Stands above the composer while a message that does not fit waits for a choice. */
export function OverPanel({ sessionId }: { sessionId: string | null }) {
  const { attempt, preview, choices, chosen } = useOver()
  if (!preview || !attempt || attempt.sessionId !== sessionId) return null
  return <Panel preview={preview} choices={choices} chosen={chosen} />
}

interface PanelProps {
  preview: Preview
  choices: readonly OverChoice[]
  chosen: OverChoice['id'] | null
}

function Panel({ preview, choices, chosen }: PanelProps) {
  const { t } = useTranslation(['context', 'common'])
  const id = useId()
  const { usage } = preview
  const title = t('over.title', { over: formatOver(usage.over) })
  const biggest = [...usage.segments].sort((a, b) => b.tokens - a.tokens)[0]
  const current = choices.find((choice) => choice.id === chosen && choice.result !== undefined) ?? null
  const list = useRef<HTMLFieldSetElement>(null)
  useEffect(() => announce(title), [title])
  useEffect(() => {
    list.current?.querySelector<HTMLInputElement>('input')?.focus()
  }, [])
  const keep = () => {
    settleOver(null)
    focusComposer()
  }
  return (
    <section
      className="overp"
      aria-labelledby={`${id}-h`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        keep()
      }}
    >
      <header>
        <Icon name="warn" />
        <div>
          <b className="strong" id={`${id}-h`}>
            {title}
          </b>
          {biggest && (
            <div className="small over-biggest">
              {t('over.biggest', {
                block: t(`common:block.${biggest.segment}`),
                tokens: `≈ ${formatTokens(biggest.tokens)}`,
                used: formatTokens(usage.used),
              })}
            </div>
          )}
        </div>
      </header>
      <fieldset
        ref={list}
        className="over-list"
        onKeyDown={(event) => {
          // the Enter that asked to send may still be held down
          if (event.key === 'Enter' && !event.repeat && current) settleOver(current)
        }}
        aria-busy={choices.some((choice) => choice.result === undefined)}
      >
        <legend className="vh">{t('over.choices')}</legend>
        {choices.map((choice) => (
          <label key={choice.id} className="opt">
            <input
              type="radio"
              name={id}
              checked={choice.id === chosen}
              onChange={() => useOver.setState({ chosen: choice.id })}
            />
            <ChoiceName choice={choice} />
            <Outcome choice={choice} />
          </label>
        ))}
      </fieldset>
      <footer>
        <span className="tiny dim">{t('over.turnOnly')}</span>
        <span className="grow" />
        <Button small tone="ghost" onClick={keep}>
          {t('over.keep')}
        </Button>
        {current && (
          <Button small tone="primary" onClick={() => settleOver(current)}>
            {current.id === 'trim' ? t('over.send.trim', { count: current.count ?? 0 }) : t(`over.send.${current.id}`)}
          </Button>
        )}
      </footer>
    </section>
  )
}

function ChoiceName({ choice }: { choice: OverChoice }) {
  const { t } = useTranslation('context')
  if (choice.id === 'trim') {
    return <span>{choice.count ? t('over.trim', { count: choice.count }) : t('over.trimOldest')}</span>
  }
  if (choice.id === 'smaller') {
    return <span>{t('over.smaller', { to: formatTokens(choice.to ?? 0), from: formatTokens(choice.from ?? 0) })}</span>
  }
  return <span>{t(`over.${choice.id}`)}</span>
}

function Outcome({ choice }: { choice: OverChoice }) {
  const { t } = useTranslation('context')
  const usage = choice.result?.usage
  if (choice.result === undefined) return <span className="small dim pulse">{t('over.working')}</span>
  return (
    <span className={cx('num small', fits(choice) ? 'ok-t' : 'dim')}>
      {!usage
        ? t('over.refuse')
        : usage.over > 0
          ? t('over.still', { over: formatTokens(usage.over) })
          : t('over.fits', { percent: Math.round(usage.percent ?? 0) })}
    </span>
  )
}
