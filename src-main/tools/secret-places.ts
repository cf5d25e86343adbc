/** Shown instead of a secret; sent back unchanged it means "keep what is stored". */
export const HIDDEN = '•••'

/** Gets where a likely secret stands and what it is; gives what stands there instead. */
type Replace = (place: string, value: string) => string

const WORDS = '(?:api[-_]?key|access[-_]?key|key|token|secret|password|passwd|pwd|authorization|credentials?)'
const NAMED = new RegExp(`^(?:[\\w.-]*[-_.])?${WORDS}$`, 'i')
const isSecretName = (name: string): boolean => NAMED.test(name.replace(/^-+/, ''))
/** How well-known services begin their keys. */
const KEY = /^(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|glpat|xox[abpr]|hf|npm|AKIA|AIza)[-_A-Za-z0-9]{16,}$/
/** A part of a path nobody typed: long, and letters and digits mixed. */
const RANDOM = /^(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}$/i
/** One that a model, or the environment, fills in is no secret. */
const isFilledIn = (value: string): boolean => value === '' || value.includes('{') || value.startsWith('$')

function inUrl(url: string, replace: Replace): string {
  const [, front = '', query = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? []
  const path = front
    .replace(
      /^(\w+:\/\/[^/:@]*:)([^/@]+)@/,
      (_all, before: string, password: string) => `${before}${replace('@', password)}@`,
    )
    .split('/')
    .map((step, at) => (at > 2 && (step === HIDDEN || RANDOM.test(step)) ? replace(`/${at}`, step) : step))
    .join('/')
  const rest = query.replace(/([?&#])([^=&#]*)=([^&#]*)/g, (all, mark: string, name: string, value: string) =>
    isSecretName(name) && !isFilledIn(value) ? `${mark}${name}=${replace(`?${name}`, value)}` : all,
  )
  return path + rest
}

function inArgument(argument: string, before: string | undefined, replace: Replace): string {
  if (/^\w+:\/\//.test(argument)) return inUrl(argument, replace)
  if (before?.startsWith('-') && isSecretName(before) && !argument.startsWith('-'))
    return isFilledIn(argument) ? argument : replace(before, argument)
  const [, name = '', mark = '', value = ''] = /^([\w.-]+)(=|:\s*)(.+)$/s.exec(argument) ?? []
  if (name !== '' && isSecretName(name) && !isFilledIn(value)) return `${name}${mark}${replace(`${name}=`, value)}`
  return argument === HIDDEN || KEY.test(argument) ? replace('#', argument) : argument
}

/** Numbers places that come more than once. */
function numbered(replace: Replace): Replace {
  const seen = new Map<string, number>()
  return (place, value) => {
    const count = (seen.get(place) ?? 0) + 1
    seen.set(place, count)
    return replace(count === 1 ? place : `${place} ${count}`, value)
  }
}

/** Every likely secret of an argument list, such as what follows `--api-key`, replaced. */
export function replaceInArguments(list: readonly string[], replace: Replace): string[] {
  const once = numbered(replace)
  return list.map((argument, at) => inArgument(argument, list[at - 1], once))
}

/** Every likely secret of an address, such as `?token=`, replaced. */
export const replaceInUrl = (url: string, replace: Replace): string => inUrl(url, numbered(replace))
