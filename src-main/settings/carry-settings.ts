import { type Settings, settingsSchema } from './contract'
import { changedFields, type Fields, isFields, mergeFields, WHOLE, withoutPath } from './settings-fields'

/** What belongs to one installation: it names connections that exist only there, or what was done there. */
const STAYS = [
  'general.firstRunDone',
  'general.defaultModelId',
  'general.backgroundModelId',
  'general.logLevel',
  'memory.embedder',
  'recentConversations.modelId',
]

const DEFAULTS: Fields = settingsSchema.parse({})

/** The settings that may be carried to another installation: what differs from the defaults. Keys are no settings. */
export function carriedSettings(settings: Settings): Fields {
  const changed = changedFields(settings, DEFAULTS) ?? {}
  return STAYS.reduce((left: Fields, path) => withoutPath(left, path.split('.')), changed)
}

interface Leaf {
  path: string
  value: unknown
}

function leavesOf(fields: Fields, above = ''): Leaf[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = above === '' ? name : `${above}.${name}`
    return isFields(value) && !WHOLE.has(path) ? leavesOf(value, path) : [{ path, value }]
  })
}

const at = (fields: Fields, path: string): unknown =>
  path.split('.').reduce((inner: unknown, name) => (isFields(inner) ? inner[name] : undefined), fields)

const asPatch = ({ path, value }: Leaf): Fields =>
  path.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as Fields

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Of settings from elsewhere those that fit here: what still stands at its default here and would change. What somebody
 * chose here stays. `count` is the number of single settings in the patch; `refused` names those that fit no more.
 */
export function fittingSettings(
  current: Settings,
  carried: unknown,
): { patch: Fields; count: number; refused: string[] } {
  let patch: Fields = {}
  let count = 0
  const refused: string[] = []
  for (const leaf of isFields(carried) ? leavesOf(carried) : []) {
    if (STAYS.some((path) => leaf.path === path || leaf.path.startsWith(`${path}.`))) continue
    const here = at(current, leaf.path)
    if (!same(here, at(DEFAULTS, leaf.path)) || same(here, leaf.value)) continue
    const tried = mergeFields(patch, asPatch(leaf))
    if (!settingsSchema.safeParse(mergeFields(current, tried)).success) {
      refused.push(leaf.path)
      continue
    }
    patch = tried
    count += 1
  }
  return { patch, count, refused }
}
