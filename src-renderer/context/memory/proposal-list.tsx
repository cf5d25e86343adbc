import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemoryProposal } from '../../../src-main/context/memory/contract'
import { openSession } from '../../app/navigation'
import { formatWhen, langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { Button, LinkButton } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { acceptProposals, changeProposalText, declineProposals, proposalText, useProposals } from './proposal-store'
import { sessionTitle } from './session-title'

/** Proposals with their words to edit, the sentence they come from, and the two decisions. */
export function ProposalList({ proposals, sourced }: { proposals: readonly MemoryProposal[]; sourced: boolean }) {
  const { t } = useTranslation('memory')
  return (
    <ul className="proposals" aria-label={t('propose.label')}>
      {proposals.map((proposal) => (
        <ProposalView key={proposal.id} proposal={proposal} sourced={sourced} />
      ))}
    </ul>
  )
}

const GROWS_TO = 240

function ProposalView({ proposal, sourced }: { proposal: MemoryProposal; sourced: boolean }) {
  const { t } = useTranslation('memory')
  const text = useProposals((state) => proposalText(proposal, state.texts))
  const { quote } = proposal.source
  return (
    <li>
      <TextArea
        aria-label={t('propose.text')}
        rows={1}
        growTo={GROWS_TO}
        lang={langOf(text)}
        value={text}
        onChange={(event) => changeProposalText(proposal.id, event.target.value)}
      />
      {quote && (
        <p className="small mid quote" lang={langOf(quote)}>
          “{quote}”
        </p>
      )}
      <div className="row small">
        <Mark tone="plain">{t(`kind.${proposal.kind}`)}</Mark>
        {sourced && <SourceChat proposal={proposal} />}
        <time className="dim num">{formatWhen(proposal.createdAt)}</time>
        <span className="grow" />
        <Button small tone="ghost" onClick={() => void declineProposals([proposal])}>
          {t('propose.decline')}
        </Button>
        <Button small disabled={text.trim() === ''} onClick={() => void acceptProposals([proposal])}>
          {t('propose.accept')}
        </Button>
      </div>
    </li>
  )
}

function SourceChat({ proposal }: { proposal: MemoryProposal }) {
  const { t } = useTranslation('memory')
  const { sessionId, messageId } = proposal.source
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (sessionId) void sessionTitle(sessionId).then(setTitle)
  }, [sessionId])
  if (!sessionId) return null
  return (
    <LinkButton onClick={() => openSession(sessionId, messageId)}>
      <span className="cut" lang={langOf(title)}>
        {title || t('detail.chat')}
      </span>
    </LinkButton>
  )
}

/** Decides all of them at once. */
export function ProposalChoices({ proposals }: { proposals: readonly MemoryProposal[] }) {
  const { t } = useTranslation('memory')
  if (proposals.length < 2) return null
  return (
    <>
      <Button small tone="ghost" onClick={() => void declineProposals(proposals)}>
        {t('propose.declineAll')}
      </Button>
      <Button small onClick={() => void acceptProposals(proposals)}>
        {t('propose.acceptAll')}
      </Button>
    </>
  )
}
