import { call, on } from '../../api/client'
import { openSession } from '../../app/navigation'
import { focusComposer } from '../../composer/composer-focus'
import { changeDraft } from '../../composer/draft-store'
import { i18n } from '../../i18n/i18n'
import { inWords } from '../../i18n/said'
import { createSession } from '../../sessions/session-actions'
import { showError, showToast } from '../../ui/toast'

const summaryOf = async (sessionId: string) =>
  (await call('recent-conversations.list', {})).find((summary) => summary.sessionId === sessionId)

/** Resolves with the summary once the job that writes it is through; throws with the reason it failed. */
async function writeSummary(sessionId: string): Promise<string> {
  const { jobId } = await call('recent-conversations.generate', { sessionId })
  await new Promise<void>((resolve, reject) => {
    const stop = on('job.progress', (job) => {
      if (job.jobId !== jobId || !['done', 'failed', 'cancelled'].includes(job.state)) return
      stop()
      if (job.state === 'done') resolve()
      else reject(new Error(job.state))
    })
  }).catch(async () => {
    const job = (await call('jobs.list', { state: 'all' })).find((each) => each.id === jobId)
    throw new Error(
      i18n.t('context:foot.summaryFailed', { reason: inWords(job?.lastError ?? '', job?.lastErrorWords) }),
    )
  })
  return (await summaryOf(sessionId))?.text ?? ''
}

/** A fresh chat whose draft begins with the summary of this one. The draft is shown, not sent. */
export async function newChatWithSummary(sessionId: string): Promise<void> {
  try {
    const known = await summaryOf(sessionId)
    if (!known?.text) showToast(i18n.t('context:foot.noSummary'))
    const summary = known?.text || (await writeSummary(sessionId))
    const session = await createSession()
    changeDraft(session.id, { text: i18n.t('context:foot.carried', { summary }) })
    openSession(session.id)
    focusComposer()
  } catch (error) {
    showError(error)
  }
}
