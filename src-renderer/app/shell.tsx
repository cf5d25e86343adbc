import { Suspense } from 'react'
import { ReadOnlyScreen } from '../first-run/read-only-screen'
import { Announcer } from '../ui/announcer'
import { Toasts } from '../ui/toast'
import { TipProvider } from '../ui/tooltip'
import { CommandPalette } from './command-palette'
import { ErrorBoundary } from './error-boundary'
import { useFocusKeeper } from './focus-keeper'
import { useGlobalKeys } from './global-keys'
import { LinkNotice } from './link-notice'
import { useNavigation } from './navigation'
import { PLACES } from './places'
import { Rail } from './rail'
import { ShortcutSheet } from './shortcut-sheet'
import { SLOTS } from './slots'
import { StorageBar } from './storage-bar'
import { UnsavedNotice } from './unsaved-notice'

export function Shell() {
  const placeId = useNavigation((state) => state.place)
  const place = PLACES.find((each) => each.id === placeId) ?? PLACES[0]
  useGlobalKeys()
  useFocusKeeper()
  return (
    <TipProvider>
      <ReadOnlyScreen />
      <StorageBar />
      <UnsavedNotice />
      <div className="shell">
        <Rail />
        <ErrorBoundary resetKey={placeId}>
          <Suspense fallback={<div className="page" />}>{place && <place.Page />}</Suspense>
        </ErrorBoundary>
      </div>
      <LinkNotice />
      <CommandPalette />
      <ShortcutSheet />
      {SLOTS.layers.map((Layer, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is a constant
        <ErrorBoundary key={index}>
          <Suspense fallback={null}>
            <Layer />
          </Suspense>
        </ErrorBoundary>
      ))}
      <Toasts />
      <Announcer />
    </TipProvider>
  )
}
