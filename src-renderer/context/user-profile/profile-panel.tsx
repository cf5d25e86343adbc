import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserProfile } from '../../../src-main/context/user-profile/contract'
import { type CallInput, call, on } from '../../api/client'
import { useKeptEdit } from '../../app/kept-edits'
import { formatStamp, langOf } from '../../i18n/format'
import { inWords } from '../../i18n/said'
import { updateSettings, useSettings } from '../../settings/settings-store'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/dialog'
import { TextArea } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { showError, showToast } from '../../ui/toast'
import { Switch } from '../../ui/toggle'
import { FactTable } from './fact-table'
import { ProfileChanges } from './profile-changes'

/** The slow picture of the person: overview, facts, and every change with its way back. */
export function ProfilePanel() {
  const { t } = useTranslation('profile')
  const [profile, setProfile] = useProfile()
  const settings = useSettings((state) => state.settings?.userProfile)
  /** True when it is stored: until then the words stay in their field. */
  const save = async (patch: CallInput<'user-profile.save'>): Promise<boolean> => {
    try {
      setProfile(await call('user-profile.save', patch))
      return true
    } catch (error) {
      showError(error)
      return false
    }
  }
  return (
    <>
      <header className="head one">
        <div className="row">
          <h1>{t('profile.title')}</h1>
          {profile?.updatedAt && (
            <span className="small dim num">{t('profile.updated', { time: formatStamp(profile.updatedAt) })}</span>
          )}
          <span className="grow" />
          {settings && (
            <>
              <span className="small mid">{t('profile.use')}</span>
              <Switch
                label={t('profile.use')}
                checked={settings.enabled}
                onValue={(enabled) => void updateSettings({ userProfile: { enabled } }).catch(showError)}
              />
            </>
          )}
        </div>
      </header>
      <div className="sheet">
        <div className="sheet-in">
          <p className="small dim">{settings?.enabled === false ? t('profile.off') : t('profile.help')}</p>
          {profile && (
            <>
              <ProfileNotes profile={profile} />
              <Overview profile={profile} onSave={(overview) => save({ overview })} />
              <FactTable
                facts={profile.facts}
                onSave={(fact) => save({ saveFacts: [fact] })}
                onRemove={(id) => void save({ removeFacts: [id] })}
              />
              <ProfileChanges changes={profile.changes} onProfile={setProfile} />
              <ProfileActions profile={profile} onProfile={setProfile} />
            </>
          )}
        </div>
      </div>
    </>
  )
}

function useProfile() {
  const [profile, setProfile] = useState<UserProfile | null>(null)
  const read = useCallback(() => void call('user-profile.get', {}).then(setProfile, showError), [])
  useEffect(() => {
    read()
    const ends = (['user-profile.changed', 'resync'] as const).map((name) => on(name, read))
    return () => {
      for (const end of ends) end()
    }
  }, [read])
  return [profile, setProfile] as const
}

function ProfileNotes({ profile }: { profile: UserProfile }) {
  const { t } = useTranslation('profile')
  return (
    <>
      {profile.lockedUntil && (
        <p className="small row mid">
          <Icon name="lock" size={14} />
          {t('profile.locked', { time: formatStamp(profile.lockedUntil) })}
        </p>
      )}
      {profile.lastError && (
        <p className="small row warn-t">
          <Icon name="warn" size={14} />
          <span>{t('profile.lastError', { error: inWords(profile.lastError, profile.lastErrorWords) })}</span>
        </p>
      )}
    </>
  )
}

function Overview({ profile, onSave }: { profile: UserProfile; onSave(overview: string): Promise<boolean> }) {
  const { t } = useTranslation(['profile', 'common'])
  const [edit, setEdit] = useKeptEdit<string>('profile:overview')
  const text = edit ?? profile.overview
  const dirty = edit !== null && edit !== profile.overview
  return (
    <section className="sheet-part">
      <h2>{t('profile.overview')}</h2>
      <TextArea
        className="read"
        rows={3}
        growTo={360}
        aria-label={t('profile.overview')}
        placeholder={t('profile.overviewEmpty')}
        lang={langOf(text)}
        value={text}
        onChange={(event) => setEdit(event.target.value)}
      />
      {dirty && (
        <div className="row dirty">
          <span className="small dim">{t('profile.manualWins')}</span>
          <span className="grow" />
          <Button small tone="ghost" onClick={() => setEdit(null)}>
            {t('common:cancel')}
          </Button>
          <Button
            small
            tone="primary"
            onClick={() =>
              void onSave(text).then((done) => {
                // what was typed on since is not stored
                if (done) setEdit((now) => (now === text ? null : now))
              })
            }
          >
            {t('common:save')}
          </Button>
        </div>
      )}
    </section>
  )
}

function ProfileActions({ profile, onProfile }: { profile: UserProfile; onProfile(profile: UserProfile): void }) {
  const { t } = useTranslation(['profile', 'common'])
  const [clearing, setClearing] = useState(false)
  const empty = profile.overview === '' && profile.facts.length === 0
  return (
    <div className="row">
      <Button
        small
        icon="redo"
        onClick={() =>
          void call('user-profile.generate', {}).then(() => showToast(t('profile.queued'), { lasts: 2500 }), showError)
        }
      >
        {t('profile.generate')}
      </Button>
      <Button small tone="danger" className="ghost" disabled={empty} onClick={() => setClearing(true)}>
        {t('profile.clear')}
      </Button>
      <Confirm
        open={clearing}
        onOpen={setClearing}
        title={t('profile.clearTitle')}
        text={t('profile.clearText')}
        action={t('profile.clear')}
        danger
        onConfirm={() => void call('user-profile.clear', {}).then(onProfile, showError)}
      />
    </div>
  )
}
