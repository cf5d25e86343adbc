import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolListing } from '../../src-main/tools/contract'
import { call } from '../api/client'
import { useKeptEdit } from '../app/kept-edits'
import { formatTokens, langOf } from '../i18n/format'
import { Button, IconButton } from '../ui/button'
import { TextArea } from '../ui/field'
import { Icon } from '../ui/icon'
import { showError } from '../ui/toast'
import { Approx } from '../ui/tokens-label'
import { SchemaView } from './schema-view'
import { changeTools, useTools } from './tool-store'
import { openTool, useToolView } from './tool-view-store'
import { reasonWords } from './tool-words'

/** The open tool, under the table: what the model reads about it, and what it may pass. */
export function ToolDetail() {
  const toolId = useToolView((state) => state.toolId)
  const tool = useTools((state) => state.tools.find((each) => each.id === toolId))
  return tool ? <Detail key={tool.id} tool={tool} /> : null
}

function Detail({ tool }: { tool: ToolListing }) {
  const { t } = useTranslation(['tools', 'common'])
  return (
    <section className="mdet tdet" aria-label={tool.name}>
      <div className="row">
        <b className="mono strong">{tool.name}</b>
        <span className="small dim">
          <Approx>{formatTokens(tool.tokens)}</Approx> {t('tokens')}
        </span>
        <span className="grow" />
        <IconButton icon="x" small label={t('common:close')} onClick={() => openTool(null)} />
      </div>
      {!tool.available && (
        <p className="small row mid">
          <Icon name="info" size={14} />
          <span>{reasonWords(tool, t)}</span>
        </p>
      )}
      <div className="tdet-cols">
        <Description tool={tool} />
        <SchemaView schema={tool.schema} />
      </div>
    </section>
  )
}

function Description({ tool }: { tool: ToolListing }) {
  const { t } = useTranslation(['tools', 'common'])
  const [edit, setEdit] = useKeptEdit<string>(`tool:${tool.id}`)
  const [busy, setBusy] = useState(false)
  const text = edit ?? tool.description
  const save = async (description: string) => {
    // what was typed on since is not stored
    if (await changeTools(() => call('tools.set', { toolId: tool.id, description })))
      setEdit((now) => (now === edit ? null : now))
  }
  const propose = async () => {
    setBusy(true)
    try {
      const { description } = await call('tools.propose-description', { toolId: tool.id })
      // a person's own words go before the model's
      setEdit((now) => (now === edit ? description : now))
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <h2>{t('detail.description')}</h2>
      <TextArea
        className="read"
        rows={4}
        growTo={200}
        aria-label={t('detail.description')}
        lang={langOf(text)}
        value={text}
        onChange={(event) => setEdit(event.target.value)}
      />
      <p className="tiny dim">{t('detail.help')}</p>
      <div className="row">
        {edit !== null && edit !== tool.description && (
          <>
            <Button small tone="primary" disabled={!edit.trim()} onClick={() => void save(edit.trim())}>
              {t('common:save')}
            </Button>
            <Button small tone="ghost" onClick={() => setEdit(null)}>
              {t('common:cancel')}
            </Button>
          </>
        )}
        <Button small disabled={busy} onClick={() => void propose()}>
          {busy ? t('detail.proposing') : t('detail.propose')}
        </Button>
        {tool.ownDescription !== undefined && (
          <Button small tone="ghost" icon="undo" title={tool.ownDescription} onClick={() => void save('')}>
            {t('detail.original')}
          </Button>
        )}
      </div>
    </div>
  )
}
