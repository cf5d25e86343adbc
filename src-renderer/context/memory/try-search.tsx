import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallOutput, call } from '../../api/client'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { showError } from '../../ui/toast'
import { CandidateView } from './candidate-view'
import { RetrievalHead } from './retrieval-view'

/** One question put to the memories as a turn would put it; nothing is sent to a model. */
export function TrySearch() {
  const { t } = useTranslation('memory')
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<CallOutput<'memory.search'> | null>(null)
  const run = async (event: FormEvent) => {
    event.preventDefault()
    if (!query.trim()) return
    try {
      setFound(await call('memory.search', { query, limit: 10 }))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <>
      <form className="row" onSubmit={(event) => void run(event)}>
        <TextField
          aria-label={t('try.query')}
          placeholder={t('try.query')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Button type="submit">{t('try.run')}</Button>
      </form>
      {found && (
        <div className="try-found">
          <RetrievalHead retrieval={found.retrieval} />
          {found.hits.map((hit) => {
            const candidate = found.retrieval.candidates.find((each) => each.memoryId === hit.memory.id)
            return candidate && <CandidateView key={hit.memory.id} candidate={candidate} memory={hit.memory} />
          })}
          {found.hits.length === 0 && <p className="small mid try-none">{t('try.nothing')}</p>}
        </div>
      )}
    </>
  )
}
