import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory, MemoryUseEntry } from '../../../src-main/context/memory/contract'
import { openSession, showSent } from '../../app/navigation'
import { formatStamp, langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { sessionTitle } from './session-title'

interface UsesDialogProps {
  memory: Memory
  uses: readonly MemoryUseEntry[]
  onClose(): void
}

/** Where a memory was found, sent, and echoed: three different things. */
export function UsesDialog({ memory, uses, onClose }: UsesDialogProps) {
  const { t } = useTranslation('memory')
  const titles = useTitles(uses)
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title={t('uses.title')}
      note={<span lang={langOf(memory.text)}>{memory.text.slice(0, 80)}</span>}
      width={600}
    >
      <p className="small dim uses-help">{t('uses.help')}</p>
      <ul className="uses">
        {uses.map((use) => (
          <li key={`${use.messageId}${use.use}`} className="row small">
            <Mark tone={use.use === 'retrieved' ? 'plain' : 'ok'}>{t(`use.${use.use}`)}</Mark>
            <LinkButton
              onClick={() => {
                openSession(use.sessionId, use.messageId)
                showSent(use.messageId)
              }}
            >
              <span className="cut" lang={langOf(titles[use.sessionId] ?? '')}>
                {titles[use.sessionId] || t('detail.chat')}
              </span>
            </LinkButton>
            <span className="grow" />
            <span className="dim num">{t('uses.rank', { rank: use.rank, score: use.score.toFixed(2) })}</span>
            <time className="dim num">{formatStamp(use.at)}</time>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function useTitles(uses: readonly MemoryUseEntry[]): Readonly<Record<string, string>> {
  const [titles, setTitles] = useState<Readonly<Record<string, string>>>({})
  useEffect(() => {
    const ids = [...new Set(uses.map((use) => use.sessionId))]
    void Promise.all(ids.map(async (id) => [id, await sessionTitle(id)] as const)).then((found) =>
      setTitles(Object.fromEntries(found)),
    )
  }, [uses])
  return titles
}
