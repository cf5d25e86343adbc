import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '../../src-main/sessions/contract'
import { call } from '../api/client'
import { useNavigation } from '../app/navigation'
import { formatNumber, formatStamp, langOf } from '../i18n/format'
import { modelName, useModels } from '../models/model-store'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Select } from '../ui/field'
import { showError } from '../ui/toast'
import { selectVersion } from './chat-actions'
import { Markdown } from './markdown/markdown'
import { useTranscript } from './transcript-store'

const close = () => useNavigation.setState({ comparing: null })

/** Two versions of one message side by side, each with a way to make it the one that counts. */
export function CompareDialog() {
  const { t } = useTranslation('chat')
  const comparing = useNavigation((state) => state.comparing)
  const message = useTranscript((state) => state.current?.messages.find((each) => each.id === comparing))
  if (!message) return null
  return (
    <Dialog open onOpen={(open) => !open && close()} title={t('compare.title')} width={1120} className="compare">
      <Versions key={message.id} message={message} />
    </Dialog>
  )
}

function Versions({ message }: { message: Message }) {
  const at = message.siblings.indexOf(message.id)
  const other = message.siblings[at > 0 ? at - 1 : at + 1] ?? message.id
  const [left, setLeft] = useState(other)
  const [right, setRight] = useState(message.id)
  return (
    <div className="compare-columns">
      <Version siblings={message.siblings} id={left} current={message.id} onPick={setLeft} />
      <Version siblings={message.siblings} id={right} current={message.id} onPick={setRight} />
    </div>
  )
}

interface VersionProps {
  siblings: readonly string[]
  id: string
  /** The version that is sent. */
  current: string
  onPick(id: string): void
}

function Version({ siblings, id, current, onPick }: VersionProps) {
  const { t } = useTranslation('chat')
  const models = useModels((state) => state.models)
  const [message, setMessage] = useState<Message | null>(null)
  useEffect(() => {
    let wanted = true
    call('messages.get', { messageId: id }).then((read) => wanted && setMessage(read), showError)
    return () => {
      wanted = false
    }
  }, [id])
  const use = () => {
    close()
    void selectVersion(id)
  }
  const shown = message?.id === id ? message : null
  return (
    <section className="compare-version" aria-label={t('compare.version', { number: siblings.indexOf(id) + 1 })}>
      <div className="row">
        <Select
          aria-label={t('compare.pick')}
          value={id}
          onValue={onPick}
          options={siblings.map((sibling, index) => ({
            value: sibling,
            label: `${t('compare.version', { number: index + 1 })}${sibling === current ? ` · ${t('compare.current')}` : ''}`,
          }))}
        />
        <span className="grow" />
        <Button small disabled={id === current} onClick={use}>
          {t('compare.use')}
        </Button>
      </div>
      <p className="tiny dim num">
        {shown &&
          [modelName(shown.modelId, models), formatStamp(shown.createdAt), outputNote(shown)]
            .filter(Boolean)
            .join(' · ')}
      </p>
      <div className="read" lang={langOf(shown?.text ?? '')}>
        {shown && <Markdown text={shown.text} breaks={shown.role === 'user'} />}
      </div>
    </section>
  )

  function outputNote({ usage }: Message): string {
    if (usage?.outputTokens === undefined) return ''
    return t('tokensOut', { count: usage.outputTokens, shown: formatNumber(usage.outputTokens) })
  }
}
