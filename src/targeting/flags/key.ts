const KEY = /^[A-Za-z0-9$_.-]{1,64}$/

/** What flags and experiments are asked for by. `__proto__` would vanish from the maps of a project file. */
export const isKey = (key: unknown): boolean => typeof key === 'string' && KEY.test(key) && key !== '__proto__'
