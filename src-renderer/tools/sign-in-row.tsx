import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpServer } from '../../src-main/tools/contract'
import { call } from '../api/client'
import { Button } from '../ui/button'
import { changeTools } from './tool-store'

/** Signing in at a server that wants to know who asks, in the person's own browser. */
export function SignInRow({ server }: { server: McpServer }) {
  const { t } = useTranslation(['tools', 'common'])
  const [busy, setBusy] = useState(false)
  if (server.signIn === undefined || !server.enabled) return null
  const begin = async () => {
    setBusy(true)
    await changeTools(async () => {
      const { page } = await call('mcp.sign-in', { id: server.id })
      // a browser that blocks it leaves the link below
      if (page !== null) window.open(page, '_blank', 'noopener')
    })
    setBusy(false)
  }
  if (server.signIn === 'waiting') {
    return (
      <div className="row sign-in small" role="status">
        <span className="pulse grow">{t('signIn.waiting')}</span>
        <a className="btn sm primary" href={server.signInPage} target="_blank" rel="noopener noreferrer">
          {t('signIn.open')}
        </a>
        <Button small tone="ghost" onClick={() => void changeTools(() => call('mcp.stop-sign-in', { id: server.id }))}>
          {t('common:cancel')}
        </Button>
      </div>
    )
  }
  if (server.signIn === 'done') {
    return (
      <div className="row sign-in small">
        <span className="dim grow">{t('signIn.done')}</span>
        <Button small tone="ghost" onClick={() => void changeTools(() => call('mcp.sign-out', { id: server.id }))}>
          {t('signIn.out')}
        </Button>
      </div>
    )
  }
  return (
    <div className="row sign-in small">
      <span className="grow">{t('signIn.needed')}</span>
      <Button small tone="primary" disabled={busy} onClick={() => void begin()}>
        {busy ? t('signIn.asking') : t('signIn.in')}
      </Button>
    </div>
  )
}
