import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpServer } from '../../src-main/tools/contract'
import { call } from '../api/client'
import { openSession, useNavigation } from '../app/navigation'
import { focusComposer } from '../composer/composer-focus'
import { addToDraft } from '../composer/draft-store'
import { langOf } from '../i18n/format'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { type Field, FieldRows, recordOf } from './field-rows'
import { closeToolDialog, useToolView } from './tool-view-store'

/** A text a server offers: read it, give it what it asks for, and put it into the message field. */
export function PromptDialog() {
  const dialog = useToolView((state) => state.dialog)
  if (dialog?.kind !== 'prompt') return null
  return <OpenDialog server={dialog.server} prompt={dialog.prompt} />
}

function OpenDialog({ server, prompt }: { server: McpServer; prompt: string }) {
  const { t } = useTranslation(['tools', 'common'])
  const [rows, setRows] = useState<Field[]>([])
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const read = () => {
    call('mcp.prompt', { id: server.id, prompt, arguments: recordOf(rows) }).then(
      (found) => {
        setText(found.text)
        setError('')
      },
      (failure: Error) => setError(failure.message),
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once on opening; afterwards on the button
  useEffect(read, [])
  const insert = () => {
    const { sessionId } = useNavigation.getState()
    addToDraft(sessionId, text)
    closeToolDialog()
    openSession(sessionId)
    setTimeout(focusComposer)
  }
  const description = server.prompts?.find((each) => each.name === prompt)?.description
  return (
    <Dialog
      open
      onOpen={(open) => !open && closeToolDialog()}
      title={prompt}
      note={server.name}
      width={600}
      footer={
        <>
          <span className="grow" />
          <Button onClick={read}>{t('prompt.read')}</Button>
          <Button tone="primary" disabled={!text} onClick={insert}>
            {t('prompt.insert')}
          </Button>
        </>
      }
    >
      <div className="mform">
        {description && <p className="mid">{description}</p>}
        <div className="f">
          <span className="fl">{t('prompt.arguments')}</span>
          <FieldRows rows={rows} onRows={setRows} />
        </div>
        {error && <p className="danger-t small">{error}</p>}
        {text && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <pre className="raw-text" tabIndex={0} lang={langOf(text)}>
            {text}
          </pre>
        )}
      </div>
    </Dialog>
  )
}
