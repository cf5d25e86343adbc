import { useTranslation } from 'react-i18next'
import type { Message } from '../../../src-main/sessions/contract'
import { openPlace } from '../../app/navigation'
import { Button, LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Icon } from '../../ui/icon'
import { ProposalChoices, ProposalList } from './proposal-list'
import { useProposals } from './proposal-store'

/** A quiet line under a message in which something worth remembering was found. */
export function ProposalNote({ message }: { message: Message }) {
  const { t } = useTranslation('memory')
  const count = useProposals((state) => state.proposals.filter(({ source }) => source.messageId === message.id).length)
  if (count === 0) return null
  return (
    <p className="msg-note">
      <Icon name="memory" size={14} />
      {t('propose.note', { count })}
      <LinkButton onClick={() => useProposals.setState({ openFor: message.id })}>{t('propose.look')}</LinkButton>
    </p>
  )
}

/** What was found in one message. Outside the transcript, which lets go of messages that scroll away. */
export function ProposalDialog() {
  const { t } = useTranslation('memory')
  const { proposals, openFor } = useProposals()
  const found = proposals.filter(({ source }) => source.messageId === openFor)
  if (openFor === null || found.length === 0) return null
  const close = () => useProposals.setState({ openFor: null })
  const showAll = () => {
    close()
    openPlace('memory', 'proposals')
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && close()}
      title={t('propose.title')}
      width={560}
      footer={
        <>
          <Button small tone="ghost" onClick={showAll}>
            {t('propose.every')}
          </Button>
          <span className="grow" />
          <ProposalChoices proposals={found} />
        </>
      }
    >
      <p className="small dim uses-help">{t('propose.help')}</p>
      <ProposalList proposals={found} sourced={false} />
    </Dialog>
  )
}
