import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/button'
import { NARROW_LIST_PX, toggleList, useNavigation } from './navigation'
import { shortcutLabel } from './shortcuts'

/** The way back to a page's list while it is hidden. Stands first in a page's header. */
export function ListButton() {
  const { t } = useTranslation('chat')
  const listOpen = useNavigation((state) => state.listOpen)
  if (listOpen) return null
  return <IconButton icon="panelL" label={t('showList')} shortcut={shortcutLabel('pane.left')} onClick={toggleList} />
}

/** In a narrow window the list lies over the page: picking something in it puts it away. */
export function putListAway(): void {
  if (window.innerWidth < NARROW_LIST_PX) useNavigation.setState({ listOpen: false })
}
