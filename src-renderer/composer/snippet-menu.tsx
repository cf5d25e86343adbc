import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Snippet } from '../../src-main/sessions/composer-contract'
import { SLOTS } from '../app/slots'
import { Button } from '../ui/button'
import { byWords } from '../ui/by-words'
import { Dialog } from '../ui/dialog'
import { Labelled, TextArea, TextField } from '../ui/field'
import { Icon } from '../ui/icon'
import { showError } from '../ui/toast'
import { focusComposer } from './composer-focus'
import { changeDraft, draftOf } from './draft-store'
import { useSnippetToFill } from './snippet-insert'
import { fillSnippet, loadSnippets, removeSnippet, saveSnippet, useSnippets, variablesOf } from './snippet-store'

interface SnippetMenuProps {
  sessionId: string | null
  /** Already chosen: only its variables are asked for. */
  toFill: Snippet | null
  onClose(): void
}

type Step = { kind: 'pick' } | { kind: 'fill'; snippet: Snippet } | { kind: 'edit'; snippet: Snippet | null }

/** The library behind `/`: pick, fill in the variables, or write a new one. */
export function SnippetMenu({ sessionId, toFill, onClose }: SnippetMenuProps) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  const { snippets, loaded } = useSnippets()
  const [step, setStep] = useState<Step>(toFill ? { kind: 'fill', snippet: toFill } : { kind: 'pick' })
  const [picked, setPicked] = useState('')
  const [offered] = useState(() => SLOTS.slashEntries.flatMap((make) => make()))
  const stillPicking = useRef(true)
  stillPicking.current = step.kind === 'pick'
  useEffect(() => void loadSnippets().catch(showError), [])
  const close = () => {
    useSnippetToFill.setState({ snippet: null })
    onClose()
    focusComposer()
  }
  const insert = (text: string) => {
    const before = draftOf(sessionId).text
    changeDraft(sessionId, { text: before + text })
    close()
  }
  if (step.kind === 'fill') return <FillDialog snippet={step.snippet} onClose={close} onFill={insert} />
  if (step.kind === 'edit') return <EditDialog snippet={step.snippet} onClose={close} />
  return (
    <div className="snippets">
      <Command
        label={t('snippets.open')}
        loop
        filter={byWords}
        value={picked}
        onValueChange={setPicked}
        onKeyDown={(event) => {
          const snippet = event.key === 'F2' && snippets.find(({ id }) => id === picked)
          if (snippet) setStep({ kind: 'edit', snippet })
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      >
        <Command.Input
          autoFocus
          placeholder={t('snippets.search')}
          onBlur={() => setTimeout(() => stillPicking.current && onClose(), 150)}
        />
        <Command.List>
          {loaded && snippets.length === 0 && (
            <p className="list-note">{t('snippets.empty', { open: '{{', close: '}}' })}</p>
          )}
          {snippets.map((snippet) => (
            <Command.Item
              key={snippet.id}
              value={snippet.id}
              keywords={[snippet.name, snippet.text.slice(0, 200)]}
              onSelect={() =>
                variablesOf(snippet.text).length ? setStep({ kind: 'fill', snippet }) : insert(snippet.text)
              }
            >
              <Icon name="bolt" size={14} />
              <b className="cut">{snippet.name}</b>
              <span className="small dim cut">{snippet.text.slice(0, 120)}</span>
              <span className="grow" />
              {/* a choice in a list holds no button of its own: the pencil is the pointer's way, F2 the keyboard's */}
              {picked === snippet.id && <kbd>F2</kbd>}
              <span
                className="ib sm"
                aria-hidden="true"
                title={t('snippets.edit', { name: snippet.name })}
                onMouseDown={(event) => event.preventDefault()}
                onClick={(event) => {
                  event.stopPropagation()
                  setStep({ kind: 'edit', snippet })
                }}
              >
                <Icon name="edit" size={14} />
              </span>
            </Command.Item>
          ))}
          {offered.map((entry) => (
            <Command.Item
              key={entry.id}
              value={entry.id}
              keywords={[entry.name, entry.note]}
              onSelect={() => {
                close()
                // after the field has the focus: a dialog gives it back there
                requestAnimationFrame(() => entry.onSelect())
              }}
            >
              <Icon name="tool" size={14} />
              <b className="cut">{entry.name}</b>
              <span className="small dim cut">{entry.note}</span>
            </Command.Item>
          ))}
          <Command.Item
            value="new"
            keywords={[t('snippets.new')]}
            forceMount={snippets.length === 0}
            className="pop-last"
            onSelect={() => setStep({ kind: 'edit', snippet: null })}
          >
            <Icon name="plus" size={14} />
            {t('snippets.new')}
          </Command.Item>
        </Command.List>
      </Command>
    </div>
  )
}

function FillDialog({ snippet, onClose, onFill }: { snippet: Snippet; onClose(): void; onFill(text: string): void }) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  return (
    <Dialog open onOpen={(open) => !open && onClose()} title={snippet.name} width={440}>
      <form
        className="form-rows"
        onSubmit={(event) => {
          event.preventDefault()
          onFill(fillSnippet(snippet.text, values))
        }}
      >
        {variablesOf(snippet.text).map((name) => (
          <Labelled key={name} label={name}>
            {(ids) => (
              <TextField
                {...ids}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Labelled>
        ))}
        <div className="row">
          <span className="grow" />
          <Button type="submit" tone="primary">
            {t('snippets.insert')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function EditDialog({ snippet, onClose }: { snippet: Snippet | null; onClose(): void }) {
  const { t } = useTranslation(['composer', 'common', 'app'])
  const [name, setName] = useState(snippet?.name ?? '')
  const [text, setText] = useState(snippet?.text ?? '')
  const finish = async (work: Promise<void>) => {
    try {
      await work
      onClose()
    } catch (error) {
      showError(error) // the words stay in the form
    }
  }
  return (
    <Dialog open onOpen={(open) => !open && onClose()} title={snippet ? snippet.name : t('snippets.new')}>
      <form
        className="form-rows"
        onSubmit={(event) => {
          event.preventDefault()
          void finish(saveSnippet({ name: name.trim(), text, ...(snippet ? { id: snippet.id } : {}) }))
        }}
      >
        <Labelled label={t('snippets.name')}>
          {(ids) => <TextField {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Labelled>
        <Labelled label={t('snippets.text')} help={t('snippets.help')}>
          {(ids) => (
            <TextArea {...ids} rows={5} growTo={320} value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Labelled>
        <div className="row">
          {snippet && (
            <Button tone="danger" onClick={() => void finish(removeSnippet(snippet.id))}>
              {t('common:delete')}
            </Button>
          )}
          <span className="grow" />
          <Button type="submit" tone="primary" disabled={!name.trim() || !text.trim()}>
            {t('common:save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
