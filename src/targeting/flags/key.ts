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
