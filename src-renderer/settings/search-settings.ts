import { i18n } from '../i18n/i18n'
import { pathsOf, SECTIONS, type SectionId, type SettingPath } from './setting-specs'

/** Where a section without rows of its own keeps the words it is found by. */
const WORDS: Partial<Record<SectionId, string>> = {
  connections: 'connections',
  shortcuts: 'keys',
  backups: 'backups',
  about: 'about',
  context: 'templates',
}

const wordsIn = (tree: unknown): string =>
  typeof tree === 'string'
    ? tree
    : Object.values((tree ?? {}) as object)
        .map(wordsIn)
        .join('\n')

/** The words of one branch of the catalogue, in both languages: people look for what they know. */
function wordsAt(key: string): string {
  return ['en', i18n.language]
    .map((lng) => wordsIn(i18n.getResource(lng, 'settings', key)))
    .join('\n')
    .toLowerCase()
}

/** Sections and rows whose name, help or choices hold every word asked for. */
export function searchSettings(query: string): { section: SectionId; paths: SettingPath[] }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (text: string) => words.every((word) => text.includes(word))
  return SECTIONS.flatMap(({ id }) => {
    const name = wordsAt(`section.${id}`)
    const paths = pathsOf(id).filter((path) => holds(`${wordsAt(`rows.${path}`)}\n${path.toLowerCase()}`))
    const own = WORDS[id]
    const byName = holds(name) || (own !== undefined && holds(`${wordsAt(own)}\n${wordsAt(`lead.${id}`)}`))
    if (paths.length === 0 && !byName) return []
    return [{ section: id, paths: holds(name) ? pathsOf(id) : paths }]
  })
}
