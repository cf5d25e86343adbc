import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Damage } from '../../src-main/storage/contract'
import { useAppInfo } from '../app/app-info'
import { formatBytes, formatDateTime, formatNumber } from '../i18n/format'
import { Button, LinkButton } from '../ui/button'
import { Confirm } from '../ui/dialog'
import { Icon } from '../ui/icon'
import { TipProvider } from '../ui/tooltip'
import { BackupChoice } from './backup-choice'
import { decideLater, loadBackups, openRescued, rescueChats, startFresh, useRecovery } from './recovery-store'

/** In place of the app while its chats are damaged; over what can still be read, a bar that leads back here. */
export function RecoveryGate({ children }: { children: ReactNode }) {
  const info = useAppInfo((state) => state.info)
  const later = useRecovery((state) => state.later)
  const rescued = useRecovery((state) => state.rescued)
  const damage = info?.damage
  if (rescued) return <RescuedScreen />
  if (!info || !damage) return children
  if (damage.running && later) {
    return (
      <>
        <DamageBar />
        {children}
      </>
    )
  }
  return (
    <TipProvider>
      <RecoveryScreen damage={damage} dataDir={info.dataDir} />
    </TipProvider>
  )
}

function DamageBar() {
  const { t } = useTranslation('recovery')
  return (
    <div className="read-only-bar">
      <Icon name="warn" size={14} />
      <span className="strong">{t('bar')}</span>
      <span className="grow" />
      <LinkButton onClick={() => decideLater(false)}>{t('choose')}</LinkButton>
    </div>
  )
}

function RecoveryScreen({ damage, dataDir }: { damage: Damage; dataDir: string }) {
  const { t } = useTranslation('recovery')
  const { work, error } = useRecovery()
  useEffect(() => void loadBackups(), [])
  return (
    <main className="recovery">
      <div className="recovery-page">
        <header>
          <h1>{t('title')}</h1>
          <p>{t(`what.${damage.kind}`)}</p>
          <p className="mid">{t('safe')}</p>
        </header>
        <DamagedFiles damage={damage} dataDir={dataDir} />
        {error && (
          <p role="alert" className="recovery-error">
            <Icon name="warn" size={14} /> {error}
          </p>
        )}
        <BackupChoice />
        <OtherWays damage={damage} />
        <p role="status" className="mid">
          {work && t(`working.${work}`)}
        </p>
      </div>
    </main>
  )
}

function DamagedFiles({ damage, dataDir }: { damage: Damage; dataDir: string }) {
  const { t } = useTranslation('recovery')
  const [copied, setCopied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(dataDir).then(() => setCopied(true))
  return (
    <dl className="recovery-files">
      <div className="kv">
        <dt>{t('folder')}</dt>
        <dd>
          <span className="mono">{dataDir}</span>{' '}
          <Button small tone="ghost" icon="copy" onClick={copy}>
            {copied ? t('copied') : t('copy')}
          </Button>
        </dd>
      </div>
      {damage.files.length > 0 && (
        <div className="kv">
          <dt>{t('files')}</dt>
          <dd>
            <span className="mono">{damage.files.join(', ')}</span>{' '}
            <span className="num">{formatBytes(damage.bytes)}</span>
            {damage.changedAt && (
              <span className="mid"> {t('changed', { when: formatDateTime(damage.changedAt) })}</span>
            )}
          </dd>
        </div>
      )}
      {damage.finding && (
        <div className="kv">
          <dt>{t('finding')}</dt>
          <dd className="mono small">{damage.finding}</dd>
        </div>
      )}
    </dl>
  )
}

/** What can be done without a backup. */
function OtherWays({ damage }: { damage: Damage }) {
  const { t } = useTranslation('recovery')
  const busy = useRecovery((state) => state.work !== null)
  const [asking, setAsking] = useState(false)
  const hasFile = damage.kind !== 'missing' && damage.kind !== 'empty'
  return (
    <section>
      <h2>{t('others')}</h2>
      {hasFile && (
        <div className="recovery-way">
          <p>{t(damage.kind === 'journal' ? 'rescueJournalHelp' : 'rescueHelp')}</p>
          <Button disabled={busy} onClick={() => void rescueChats()}>
            {t('rescue')}
          </Button>
        </div>
      )}
      {damage.running && (
        <div className="recovery-way">
          <p>{t('laterHelp')}</p>
          <Button disabled={busy} onClick={() => decideLater(true)}>
            {t('later')}
          </Button>
        </div>
      )}
      <div className="recovery-way">
        <p>{t('freshHelp')}</p>
        <Button tone="danger" disabled={busy} onClick={() => setAsking(true)}>
          {t('fresh')}
        </Button>
      </div>
      <Confirm
        open={asking}
        onOpen={setAsking}
        title={t('freshTitle')}
        text={t('freshText')}
        action={t('fresh')}
        danger
        onConfirm={() => void startFresh()}
      />
    </section>
  )
}

function RescuedScreen() {
  const { t } = useTranslation('recovery')
  const rescued = useRecovery((state) => state.rescued)
  if (!rescued) return null
  const { holds, incomplete } = rescued
  const counts = {
    chats: t('chats', { count: holds.chats, shown: formatNumber(holds.chats) }),
    messages: t('messages', { count: holds.messages, shown: formatNumber(holds.messages) }),
  }
  return (
    <main className="recovery">
      <div className="recovery-page">
        <header>
          <h1>{t('rescuedTitle')}</h1>
          <p>{t('rescuedText', counts)}</p>
          <p className="mid">{t(incomplete.length === 0 ? 'rescuedWhole' : 'rescuedPart')}</p>
          {incomplete.length > 0 && <p className="mono small">{incomplete.join(', ')}</p>}
        </header>
        <p>
          <Button tone="primary" onClick={openRescued}>
            {t('open')}
          </Button>
        </p>
      </div>
    </main>
  )
}
