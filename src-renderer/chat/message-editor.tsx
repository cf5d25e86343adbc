import { useTranslation } from 'react-i18next'
import type { Message } from '../../src-main/sessions/contract'
import { useKeptEdit } from '../app/kept-edits'
import { Button } from '../ui/button'
import { TextArea } from '../ui/field'
import { editAndResend, editKey, editOnly } from './chat-actions'

/** Edits in place. The old text stays as a version beside the new one. */
export function MessageEditor({ message, onClose }: { message: Message; onClose(): void }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [edit, setText] = useKeptEdit<string>(editKey(message.id))
  const text = edit ?? message.text
  const close = () => {
    setText(null)
    onClose()
  }
  const changed = text.trim() !== '' && text !== message.text
  const resend = () => {
    close()
    void editAndResend(message.id, text)
  }
  const save = () => {
    close()
    void editOnly(message.id, text)
  }
  const user = message.role === 'user'
  return (
    <div className="msg-editor">
      <TextArea
        aria-label={t('editText')}
        value={text}
        growTo={480}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') close()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) (user ? resend : save)()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <div className="row">
        <span className="tiny dim">{t('editNote')}</span>
        <span className="grow" />
        <Button small tone="ghost" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button small tone={user ? 'default' : 'primary'} disabled={!changed} onClick={save}>
          {user ? t('saveOnly') : t('common:save')}
        </Button>
        {user && (
          <Button small tone="primary" disabled={!text.trim()} onClick={resend}>
            {t('saveAndSend')}
          </Button>
        )}
      </div>
    </div>
  )
}
