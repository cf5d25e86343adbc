import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './styles/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showBareFailure } from './app/bare-failure'
import { ErrorBoundary } from './app/error-boundary'
import { firstLoad } from './app/first-load'
import { watchPage } from './app/page-failures'
import { Shell } from './app/shell'
import { wireEvents } from './app/wire-events'
import './i18n/i18n'
import { RecoveryGate } from './recovery/recovery-screen'
import { wireRecovery } from './recovery/recovery-store'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

watchPage()
try {
  wireEvents()
  wireRecovery()
  await firstLoad()
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <RecoveryGate>
          <Shell />
        </RecoveryGate>
      </ErrorBoundary>
    </StrictMode>,
  )
} catch (error) {
  showBareFailure(root)
  throw error
}
