import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportReport, SessionPrompts } from '../../../../src-main/context/worldbook/contract'
import { call } from '../../../api/client'
import { openSession } from '../../../app/navigation'
import { langOf } from '../../../i18n/format'
import { keepSession } from '../../../sessions/session-store'
import { Mark } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { showError } from '../../../ui/toast'
import { Segmented } from '../../../ui/toggle'
import { loadBooks } from '../book-store'
import { closeImport, hasMore, type ImportItem, storeItem, useImport } from './import-store'

const OPENINGS = ['message', 'topic', 'none'] as const
type Opening = (typeof OPENINGS)[number]

/** A character card's own texts can become the prompts of a new chat, with its book bound. */
export function CardOffer({ item, report }: { item: ImportItem; report: ImportReport }) {
  const { t } = useTranslation('worldbook')
  const [opening, setOpening] = useState<Opening>('message')
  const [busy, setBusy] = useState(false)
  const made = useImport((state) => state.chatId !== null && state.items.length > 1 && item.state === 'done')
  const prompts = report.sessionPrompts
  if (!prompts) return null
  const make = async () => {
    setBusy(true)
    try {
      const worldbookIds = report.books.length > 0 ? await storeItem(item.id) : []
      if (!worldbookIds) return
      const session = await call(
        'sessions.create',
        chatFrom(prompts, [...worldbookIds], { place: opening, heading: t('card.opening') }),
      )
      keepSession(session)
      await loadBooks()
      if (hasMore(item.id)) {
        useImport.setState({ chatId: session.id })
        return
      }
      closeImport()
      openSession(session.id)
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="card-offer" aria-label={t('card.title')}>
      <div className="row">
        <h3 className="strong cut" lang={langOf(prompts.title)}>
          {prompts.title}
        </h3>
        <span className="small dim">{t('card.title')}</span>
        <span className="grow" />
        {made ? (
          <Mark tone="ok">{t('card.made')}</Mark>
        ) : (
          <Button small icon="chat" disabled={busy} onClick={() => void make()}>
            {t('card.make')}
          </Button>
        )}
      </div>
      {prompts.topicPrompt && (
        <p className="small mid clamp" lang={langOf(prompts.topicPrompt)}>
          {prompts.topicPrompt}
        </p>
      )}
      <p className="tiny dim">{prompts.enhancedPrompt ? t('card.help') : t('card.helpTopic')}</p>
      <OpeningChoice prompts={prompts} opening={opening} onOpening={setOpening} />
    </section>
  )
}

interface OpeningChoiceProps {
  prompts: SessionPrompts
  opening: Opening
  onOpening(opening: Opening): void
}

/** The card's first message: said by the assistant, told to it as a scene, or left out. */
function OpeningChoice({ prompts, opening, onOpening }: OpeningChoiceProps) {
  const { t } = useTranslation('worldbook')
  const [first, ...others] = greetingsOf(prompts)
  if (first === undefined) return null
  const help =
    opening === 'message' && others.length > 0
      ? t('card.openings.versions', { count: others.length })
      : t(`card.openings.${opening}Help`)
  return (
    <div className="card-opening">
      <p className="small mid clamp" lang={langOf(first)}>
        {first}
      </p>
      <div className="row">
        <span className="small dim">{t('card.firstMessage')}</span>
        <Segmented
          label={t('card.firstMessage')}
          value={opening}
          options={OPENINGS.map((value) => ({ value, label: t(`card.openings.${value}`) }))}
          onValue={onOpening}
        />
      </div>
      <p className="tiny dim">{help}</p>
    </div>
  )
}

const greetingsOf = ({ firstMessage, alternateGreetings }: SessionPrompts) =>
  [firstMessage, ...alternateGreetings].filter((greeting) => greeting !== '')

/** Only what the card says; a part it leaves empty stays inherited. */
export function chatFrom(
  prompts: SessionPrompts,
  worldbookIds: string[],
  { place, heading }: { place: Opening; heading: string },
) {
  const greetings = greetingsOf(prompts)
  const opening = place === 'topic' && greetings[0] ? `## ${heading}\n${greetings[0]}` : ''
  return {
    title: prompts.title.slice(0, 500),
    topicPrompt: [prompts.topicPrompt, opening].filter(Boolean).join('\n\n'),
    ...(prompts.enhancedPrompt ? { enhancedPrompt: prompts.enhancedPrompt } : {}),
    worldbookIds,
    ...(place === 'message' && greetings.length > 0 ? { greetings } : {}),
  }
}
