import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpPrompt, McpServer } from '../../src-main/tools/contract'
import { call } from '../api/client'
import { openSession, useNavigation } from '../app/navigation'
import { focusComposer } from '../composer/composer-focus'
import { addToDraft } from '../composer/draft-store'
import { langOf } from '../i18n/format'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Labelled, TextField } from '../ui/field'
import { closeToolDialog, useToolView } from './tool-view-store'

/** A text a server offers: read it, give it what it asks for, and put it into the message field. */
export function PromptDialog() {
  const dialog = useToolView((state) => state.dialog)
  if (dialog?.kind !== 'prompt') return null
  return <OpenDialog server={dialog.server} prompt={dialog.prompt} />
}

function OpenDialog({ server, prompt }: { server: McpServer; prompt: string }) {
  const { t } = useTranslation(['tools', 'common'])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const listed = server.prompts?.find((each) => each.name === prompt)
  const asked = listed?.arguments ?? []
  const complete = asked.every(({ name, required }) => !required || values[name]?.trim())
  const read = () => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    call('mcp.prompt', { id: server.id, prompt, arguments: given }).then(
      (found) => {
        setText(found.text)
        setError('')
      },
      (failure: Error) => setError(failure.message),
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once on opening; afterwards on the button
  useEffect(() => {
    if (complete) read()
  }, [])
  const change = (name: string, value: string) => {
    setValues({ ...values, [name]: value })
    setText('') // it was made from other values
  }
  const insert = () => {
    const { sessionId } = useNavigation.getState()
    addToDraft(sessionId, text)
    closeToolDialog()
    openSession(sessionId)
    setTimeout(focusComposer)
  }
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
          <Button disabled={!complete} onClick={read}>
            {t('prompt.read')}
          </Button>
          <Button tone="primary" disabled={!text} onClick={insert}>
            {t('prompt.insert')}
          </Button>
        </>
      }
    >
      <div className="mform">
        {listed?.description && <p className="mid">{listed.description}</p>}
        <Arguments asked={asked} values={values} onChange={change} />
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

interface ArgumentsProps {
  asked: NonNullable<McpPrompt['arguments']>
  values: Readonly<Record<string, string>>
  onChange(name: string, value: string): void
}

/** One field for each argument the server names. */
function Arguments({ asked, values, onChange }: ArgumentsProps) {
  const { t } = useTranslation('tools')
  if (asked.length === 0) return <p className="small dim">{t('prompt.none')}</p>
  return asked.map(({ name, description, required }) => (
    <Labelled key={name} label={required ? `${name} (${t('prompt.required')})` : name} help={description}>
      {(ids) => (
        <TextField
          {...ids}
          required={required}
          value={values[name] ?? ''}
          onChange={(event) => onChange(name, event.target.value)}
        />
      )}
    </Labelled>
  ))
}
