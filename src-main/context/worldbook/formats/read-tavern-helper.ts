import { said } from '../../../ipc/said-contract'
import { asDepth, asFlag, asKeys, asLevel, asNumber, asPercent, asText, type Fields, isFields, own } from './coerce'
import { asLogic, asPosition, asRole, roleInPosition } from './entry-fields'
import { first, foreignArrival, known } from './foreign'
import { contentProblem, type EntryReader } from './read-entries'

const part = (raw: Fields, name: string): Fields => {
  const value = own(raw, name)
  return isFields(value) ? value : {}
}

/** TavernHelper entry: words where SillyTavern has numbers, grouped in strategy, position, recursion and effect. */
export const readTavernHelperEntry: EntryReader = (raw, _index, notes) => {
  const problem = contentProblem(own(raw, 'content'))
  if (problem) return problem
  const [strategy, position] = [part(raw, 'strategy'), part(raw, 'position')]
  const [recursion, effect] = [part(raw, 'recursion'), part(raw, 'effect')]
  const second = own(strategy, 'keys_secondary')
  const secondary = isFields(second) ? second : { keys: second }
  const until = own(recursion, 'delay_until')
  const place = asPosition(own(position, 'type'))
  const name = asText(own(raw, 'name'))
  if (place === undefined && own(position, 'type') !== undefined) {
    notes.warn(
      'field_unread',
      said`"${String(own(position, 'type')).slice(0, 40)}" is no known position; "before" is used.`,
    )
  }
  return foreignArrival(raw, {
    format: 'tavern-helper',
    id: own(raw, 'uid'),
    known: known({
      comment: name,
      content: asText(own(raw, 'content')),
      enabled: asFlag(own(raw, 'enabled')),
      constant: own(strategy, 'type') === 'constant',
      vectorized: own(strategy, 'type') === 'vectorized',
      keys: asKeys(own(strategy, 'keys')),
      secondaryKeys: asKeys(own(secondary, 'keys')),
      selectiveLogic: asLogic(own(secondary, 'logic')),
      scanDepth: asNumber(own(strategy, 'scan_depth')),
      position: place,
      role: asRole(own(position, 'role')) ?? roleInPosition(own(position, 'type')),
      depth: asDepth(own(position, 'depth')),
      order: asNumber(own(position, 'order')),
      probability: asPercent(own(raw, 'probability')),
      excludeRecursion: asFlag(own(recursion, 'prevent_incoming')),
      preventRecursion: asFlag(own(recursion, 'prevent_outgoing')),
      delayUntilRecursion: asLevel(until),
      sticky: asNumber(first(effect, 'sticky')),
      cooldown: asNumber(first(effect, 'cooldown')),
      delay: asNumber(first(effect, 'delay')),
    }),
    exact: ['name', 'content', 'enabled', 'probability', 'uid'],
    changed: ['strategy', 'position', 'recursion', 'effect'],
  })
}
