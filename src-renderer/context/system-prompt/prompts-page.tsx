import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SystemPrompt } from '../../../src-main/context/system-prompt/contract'
import { putListAway } from '../../app/list-button'
import { openPlace, useNavigation } from '../../app/navigation'
import { PageFrame } from '../../app/page-frame'
import { langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { SearchField } from '../../ui/field'
import { showError } from '../../ui/toast'
import { PromptEditor } from './prompt-editor'
import { savePrompt, usePrompts } from './prompt-store'
import { WhereItGoes } from './where-it-goes'

/** The named global prompts: list, editor, and where the text ends up. */
export function PromptsPage() {
  const { t } = useTranslation('prompts')
  const prompts = usePrompts((state) => state.prompts)
  const target = useNavigation((state) => state.placeTarget)
  const fallback = prompts.find((prompt) => prompt.isDefault) ?? prompts[0]
  const chosen = prompts.find((prompt) => prompt.id === target) ?? fallback
  const create = async () => {
    try {
      const made = await savePrompt({ name: t('untitled'), text: '' })
      openPlace('prompts', made.id)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <PageFrame
      listWidth={252}
      listLabel={t('list')}
      list={<PromptList prompts={prompts} chosenId={chosen?.id} onNew={() => void create()} />}
      end={chosen && <WhereItGoes key={chosen.id} prompt={chosen} />}
    >
      {chosen ? (
        <PromptEditor key={chosen.id} prompt={chosen} />
      ) : (
        <EmptyState
          icon="prompt"
          title={t('empty')}
          action={
            <Button tone="primary" icon="plus" onClick={() => void create()}>
              {t('new')}
            </Button>
          }
        >
          {t('emptyHelp')}
        </EmptyState>
      )}
    </PageFrame>
  )
}

interface PromptListProps {
  prompts: readonly SystemPrompt[]
  chosenId: string | undefined
  onNew(): void
}

function PromptList({ prompts, chosenId, onNew }: PromptListProps) {
  const { t } = useTranslation('prompts')
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const shown = prompts.filter(({ name, text }) => `${name}\n${text}`.toLowerCase().includes(wanted))
  useEffect(() => {
    document.querySelector('.side-list [aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <>
      <div className="side-top">
        <SearchField label={t('search')} value={query} onValue={setQuery} />
        <IconButton icon="plus" label={t('new')} onClick={onNew} />
      </div>
      <div className="side-list">
        <div className="grp sect">
          {t('list')}
          <span className="grow" />
          {t('sessions')}
        </div>
        {shown.map((prompt) => (
          <button
            key={prompt.id}
            type="button"
            className="ses as-button"
            aria-current={prompt.id === chosenId ? 'true' : undefined}
            onClick={() => {
              openPlace('prompts', prompt.id)
              putListAway()
            }}
          >
            <b className="row prompt-name">
              <span className="cut" lang={langOf(prompt.name)}>
                {prompt.name}
              </span>
              {prompt.isDefault && <Mark tone="set">{t('default')}</Mark>}
            </b>
            <time className="num">{prompt.usedBySessions}</time>
            <span className="cut" lang={langOf(prompt.text)}>
              {prompt.text.trim().slice(0, 120) || '—'}
            </span>
          </button>
        ))}
        {wanted && shown.length === 0 && <p className="tiny dim list-note">{t('noHits')}</p>}
        <p className="tiny dim list-note">{t('note')}</p>
      </div>
    </>
  )
}
