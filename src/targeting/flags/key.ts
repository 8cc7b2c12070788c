const KEY = /^[A-Za-z0-9$_.-]{1,64}$/

/** What flags and experiments are asked for by. `__proto__` would vanish from the maps of a project file. */
export const isKey = (key: unknown): boolean => typeof key === 'string' && KEY.test(key) && key !== '__proto__'

/** What a key can name. */
export type KeyHolder = 'flag' | 'experiment'

/** The sentence of the 409 `CONFLICT` for a key that would name both. */
export const sharedKey = (key: string, holder: KeyHolder): string =>
  `${key} is the key of ${holder === 'flag' ? 'a flag' : 'an experiment'} already, and a key names one or the other; choose another`
