import { useTranslation } from 'react-i18next'
import type { ProfileChange, UserProfile } from '../../../src-main/context/user-profile/contract'
import { call } from '../../api/client'
import { formatStamp, langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { Button } from '../../ui/button'
import { showError } from '../../ui/toast'

interface ProfileChangesProps {
  changes: readonly ProfileChange[]
  onProfile(profile: UserProfile): void
}

/** Newest first: what each change took away and what it added. */
export function ProfileChanges({ changes, onProfile }: ProfileChangesProps) {
  const { t } = useTranslation('profile')
  if (changes.length === 0) return null
  const newestFirst = [...changes].sort((a, b) => b.at.localeCompare(a.at))
  return (
    <section className="sheet-part">
      <h2>{t('changes.title')}</h2>
      <ol className="history">
        {newestFirst.map((change) => (
          <li key={change.id}>
            <div className="row small">
              <b className="strong">{t(`changes.${change.origin}`)}</b>
              <time className="dim num">{formatStamp(change.at)}</time>
              {change.reverted && <Mark>{t('changes.reverted')}</Mark>}
              <span className="grow" />
              {change.origin === 'model' && !change.reverted && (
                <Button
                  small
                  tone="ghost"
                  icon="undo"
                  onClick={() => void call('user-profile.revert', { changeId: change.id }).then(onProfile, showError)}
                >
                  {t('changes.revertAction')}
                </Button>
              )}
            </div>
            <Diff change={change} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Diff({ change: { before, after } }: { change: ProfileChange }) {
  const old = linesOf(before)
  const now = linesOf(after)
  const gone = old.filter((line) => !now.includes(line))
  const added = now.filter((line) => !old.includes(line))
  return (
    <>
      {gone.map((line) => (
        <p key={line} className="del" lang={langOf(line)}>
          {line}
        </p>
      ))}
      {added.map((line) => (
        <p key={line} className="ins" lang={langOf(line)}>
          {line}
        </p>
      ))}
    </>
  )
}

function linesOf({ overview, facts }: ProfileChange['before']): string[] {
  const lines = overview.split('\n').filter((line) => line.trim() !== '')
  return [...new Set([...lines, ...facts.map((fact) => `${fact.category}: ${fact.statement}`)])]
}
