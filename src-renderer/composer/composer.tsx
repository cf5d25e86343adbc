import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shortcutLabel } from '../app/shortcuts'
import { SLOTS } from '../app/slots'
import { FileChip } from '../chat/attachment-list'
import { stopRunning } from '../chat/chat-actions'
import { useRunning } from '../chat/running-store'
import { langOf } from '../i18n/format'
import { Button, IconButton } from '../ui/button'
import { cx } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { Tip } from '../ui/tooltip'
import { attachFiles, LIMITS, useAttaching } from './attach-files'
import { setComposerField } from './composer-focus'
import { useComposerKeys } from './composer-keys'
import { changeDraft, draftOf, loadDraft, useDraft } from './draft-store'
import { ImageNote } from './image-note'
import { pasteInto } from './paste'
import { QueueList } from './queue-list'
import { loadQueue } from './queue-store'
import { sendDraft } from './send-message'
import { useSnippetToFill } from './snippet-insert'
import { SnippetMenu } from './snippet-menu'

const GROWS_TO_PX = 320
const MEASURED_UP_TO = 20_000

/** Where a message is written: draft, attachments, queue, send and stop. */
export function Composer({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  const draft = useDraft(sessionId)
  const running = useRunning((state) => (sessionId ? Boolean(state.bySession[sessionId]) : false))
  const attaching = useAttaching((state) => state.count)
  const [over, setOver] = useState(false)
  const [snippets, setSnippets] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const toFill = useSnippetToFill((state) => state.snippet)
  const onKeyDown = useComposerKeys({ sessionId, openSnippets: () => setSnippets(true), snippetsOpen: snippets })

  useEffect(() => {
    void loadDraft(sessionId)
    if (sessionId) void loadQueue(sessionId)
  }, [sessionId])
  useEffect(() => {
    setComposerField(area.current)
    return () => setComposerField(null)
  }, [])
  useGrow(area, draft.text)

  const empty = !draft.text.trim() && draft.attachments.length === 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped anywhere on the box; the button does the same
    <div
      className={cx('comp-box', over && 'drop')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        void attachFiles(sessionId, [...event.dataTransfer.files])
      }}
    >
      <QueueList sessionId={sessionId} />
      {(draft.attachments.length > 0 || attaching > 0) && (
        <div className="comp-att">
          {draft.attachments.map((attachment) => (
            <FileChip
              key={attachment.id}
              attachment={attachment}
              onRemove={() =>
                changeDraft(sessionId, {
                  attachments: draftOf(sessionId).attachments.filter((each) => each.id !== attachment.id),
                })
              }
            />
          ))}
          {attaching > 0 && <span className="small dim pulse">{t('reading', { count: attaching })}</span>}
        </div>
      )}
      {draft.unread !== undefined && <UnreadNote sessionId={sessionId} why={draft.unread} />}
      <ImageNote sessionId={sessionId} attachments={draft.attachments} />
      {(snippets || toFill) && <SnippetMenu sessionId={sessionId} toFill={toFill} onClose={() => setSnippets(false)} />}
      <textarea
        ref={area}
        data-focus-home
        rows={1}
        aria-label={t('message')}
        placeholder={running ? t('placeholderQueue') : t('placeholder')}
        lang={langOf(draft.text)}
        value={draft.text}
        onChange={(event) => changeDraft(sessionId, { text: event.target.value })}
        onKeyDown={onKeyDown}
        onPaste={(event) => pasteInto(sessionId, event)}
      />
      <div className="comp-foot">
        <IconButton icon="clip" label={t('attachUpTo', LIMITS)} onClick={() => picker.current?.click()} />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void attachFiles(sessionId, [...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <IconButton icon="bolt" label={t('snippets.open')} shortcut="/" onClick={() => setSnippets(!snippets)} />
        {SLOTS.composerStart.map((Part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is a constant
          <Part key={index} sessionId={sessionId} />
        ))}
        <span className="grow" />
        {SLOTS.composerFoot.map((Part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is a constant
          <Part key={index} sessionId={sessionId} />
        ))}
        <SendButton sessionId={sessionId} running={running} empty={empty} />
      </div>
    </div>
  )
}

/** The kept draft could not be read: it is safe, and nothing typed here replaces it. */
function UnreadNote({ sessionId, why }: { sessionId: string | null; why: string }) {
  const { t } = useTranslation(['composer', 'common'])
  return (
    <div className="note" role="status">
      <Icon name="warn" size={14} />
      <span>{t('draft.unread', { why })}</span>
      <span className="grow" />
      <Button small onClick={() => void loadDraft(sessionId)}>
        {t('common:retry')}
      </Button>
    </div>
  )
}

/** The field grows with its lines; very long drafts scroll instead, measuring them would take too long. */
function useGrow(area: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const field = area.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height =
      text.length > MEASURED_UP_TO ? `${GROWS_TO_PX}px` : `${Math.min(field.scrollHeight, GROWS_TO_PX)}px`
  }, [area, text])
}

interface SendButtonProps {
  sessionId: string | null
  running: boolean
  empty: boolean
}

function SendButton({ sessionId, running, empty }: SendButtonProps) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  if (running && empty) {
    return (
      <Tip text={t('stop')} shortcut={shortcutLabel('chat.stop')} side="top">
        <button type="button" className="send" aria-label={t('stop')} onClick={() => stopRunning()}>
          <Icon name="stop" />
        </button>
      </Tip>
    )
  }
  const label = running ? t('queueUp') : t('send')
  return (
    <>
      {running && (
        <IconButton icon="stop" label={t('stop')} shortcut={shortcutLabel('chat.stop')} onClick={() => stopRunning()} />
      )}
      <Tip text={label} shortcut="↵" side="top">
        <button
          type="button"
          className="send"
          aria-label={label}
          aria-disabled={empty}
          onClick={() => void sendDraft(sessionId)}
        >
          <Icon name="send" />
        </button>
      </Tip>
    </>
  )
}
