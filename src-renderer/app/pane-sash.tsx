import { useTranslation } from 'react-i18next'
import { PANE_WIDTHS, useNavigation, widthKeyOf } from './navigation'

const LEAST = 300
const clamp = (width: number) => Math.round(Math.min(Math.max(width, LEAST), Math.max(LEAST, window.innerWidth * 0.6)))
const resize = (width: number) => useNavigation.setState(({ paneTab }) => ({ [widthKeyOf(paneTab)]: clamp(width) }))
const reset = () => resize(PANE_WIDTHS[widthKeyOf(useNavigation.getState().paneTab)])

/** The edge between transcript and right pane: drag it, or use the arrow keys. */
export function PaneSash() {
  const { t } = useTranslation('app')
  const width = useNavigation((state) => state[widthKeyOf(state.paneTab)])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable splitter has no element of its own
    <div
      className="sash"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('pane.resize')}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={900}
      onDoubleClick={reset}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') resize(width + 16)
        else if (event.key === 'ArrowRight') resize(width - 16)
        else return
        event.preventDefault()
      }}
      onPointerDown={(event) => {
        const sash = event.currentTarget
        const pane = sash.parentElement
        if (!pane || event.button !== 0) return
        sash.setPointerCapture(event.pointerId)
        const right = pane.getBoundingClientRect().right
        const move = (moved: PointerEvent) => resize(right - moved.clientX)
        const end = () => {
          sash.removeEventListener('pointermove', move)
          sash.removeEventListener('pointerup', end)
          sash.removeEventListener('pointercancel', end)
        }
        sash.addEventListener('pointermove', move)
        sash.addEventListener('pointerup', end)
        sash.addEventListener('pointercancel', end)
      }}
    />
  )
}
