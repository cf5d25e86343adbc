import { i18n } from '../i18n/i18n'

/** Words and a button without any part of ours: the page failed before it could draw. */
export function showBareFailure(root: HTMLElement): void {
  const box = document.createElement('div')
  box.className = 'crash'
  box.setAttribute('role', 'alert')
  const text = document.createElement('p')
  text.textContent = `${i18n.t('error.crash')}. ${i18n.t('error.crashHelp')}`
  const button = document.createElement('button')
  button.textContent = i18n.t('error.reload')
  button.addEventListener('click', () => location.reload())
  box.append(text, button)
  root.replaceChildren(box)
}
