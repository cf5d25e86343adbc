import { call } from '../api/client'
import { insertSnippet } from '../composer/snippet-insert'
import { openBookPage } from '../context/worldbook/open-book-page'
import { i18n } from '../i18n/i18n'
import { searchSettings } from '../settings/search-settings'
import { openPlace, openSettings } from './navigation'
import type { PaletteItem } from './palette-sources'

/** Enough to pick from; more words narrow it. */
const MOST_MEMORIES = 20
const LABEL_CHARS = 120

/** Prompts by name, and those whose text holds the words. */
export async function findPrompts(query: string): Promise<PaletteItem[]> {
  const words = query.trim().toLowerCase()
  const prompts = await call('system-prompts.list', {})
  return prompts.map(({ id, name, text }) => ({
    id,
    title: name,
    icon: 'prompt',
    ...(words && text.toLowerCase().includes(words) ? { found: true } : {}),
    run: () => openPlace('prompts', id),
  }))
}

export async function findBooks(): Promise<PaletteItem[]> {
  const books = await call('worldbook.list', {})
  return books.map(({ id, name }) => ({ id, title: name, icon: 'book', run: () => openBookPage(id) }))
}

/** Memories whose words match; none before anything is typed. */
export async function findMemories(query: string): Promise<PaletteItem[]> {
  if (!query.trim()) return []
  const { memories } = await call('memory.list', { query: query.trim(), limit: MOST_MEMORIES })
  return memories.map((memory) => ({
    id: memory.id,
    title: memory.text.replace(/\s+/g, ' ').slice(0, LABEL_CHARS),
    icon: 'memory',
    found: true,
    run: () => openPlace('memory', memory.id),
  }))
}

export async function findSnippets(): Promise<PaletteItem[]> {
  const snippets = await call('snippets.list', {})
  return snippets.map((snippet) => ({
    id: snippet.id,
    title: snippet.name,
    note: snippet.text.slice(0, LABEL_CHARS),
    icon: 'bolt',
    run: () => insertSnippet(snippet),
  }))
}

/** Opens the section and puts the focus on the control. The row may come a moment after its page. */
function openSetting(section: string, path: string): void {
  openSettings(section)
  const until = Date.now() + 2000
  const look = () => {
    const row = document.querySelector(`[data-setting="${CSS.escape(path)}"]`)
    if (!row) return Date.now() < until ? void requestAnimationFrame(look) : undefined
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus({ preventScroll: true })
  }
  requestAnimationFrame(look)
}

/** Settings by name, help or choice, in the language on screen or English. */
export function findSettings(query: string): PaletteItem[] {
  if (!query.trim()) return []
  const t = i18n.getFixedT(null, 'settings')
  return searchSettings(query).flatMap(({ section, paths }) => {
    const name = t(`section.${section}`)
    const rows = paths.map(
      (path): PaletteItem => ({
        id: path,
        title: t(`rows.${path}.label`),
        note: name,
        icon: 'sliders',
        found: true,
        run: () => openSetting(section, path),
      }),
    )
    const page: PaletteItem = {
      id: section,
      title: name,
      icon: 'sliders',
      found: true,
      run: () => openSettings(section),
    }
    return [page, ...rows]
  })
}
