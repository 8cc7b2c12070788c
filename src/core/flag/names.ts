/** In the order in which they are shown and written. */
export const ENVIRONMENTS = ['PROD', 'STAGING', 'DEVELOPMENT'] as const
export type FlagEnvironment = (typeof ENVIRONMENTS)[number]

export const FLAG_TYPES = ['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const
export type FlagType = (typeof FLAG_TYPES)[number]

/** Rules that a flag can have in one environment. */
export const MAX_RULES = 50

const KEY = /^[A-Za-z0-9$_.-]{1,64}$/

/**
 * Whether a value can be the key of a flag or an experiment. Objects with keys as names, as in a project file, would
 * lose `__proto__`.
 */
export const isKey = (key: unknown): boolean => typeof key === 'string' && KEY.test(key) && key !== '__proto__'

/** What a key can name. */
export type KeyHolder = 'flag' | 'experiment'

/** The sentence of the 409 `CONFLICT` for a key that would name both. */
export const sharedKey = (key: string, holder: KeyHolder): string =>
  `${key} is the key of ${holder === 'flag' ? 'a flag' : 'an experiment'} already, and a key names one or the other; choose another`

const MAX_NAME = 100

/** The end of a sentence about a name that is none. */
export const NAMES_AN_ATTRIBUTE = `must be the name of an attribute, of 1 to ${MAX_NAME} characters`

/** Whether a value can name the attribute by which a rollout or an experiment is drawn. */
export const isAttributeName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !/\p{Cc}/u.test(value)

/** `new_checkout (PROD)`: the name of a flag in one environment. Keys have no spaces. */
export const flagName = (key: string, env: string): string => `${key} (${env})`

/** The key and the environment in a name that `flagName` made. */
export function splitFlagName(name: string): { key: string; env: string } {
  const at = name.lastIndexOf(' ')
  return { key: name.slice(0, at), env: name.slice(at + 2, -1) }
}
