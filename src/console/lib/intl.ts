// To make a format takes milliseconds on a slow machine, so each is made once.

const cache = new Map<string, unknown>()

function kept<T>(kind: string, locale: string, options: object, make: () => T): T {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  const found = cache.get(key) as T | undefined
  if (found) return found
  const made = make()
  cache.set(key, made)
  return made
}

export const numbersOf = (locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  kept('number', locale, options, () => new Intl.NumberFormat(locale, options))

export const datesOf = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept('date', locale, options, () => new Intl.DateTimeFormat(locale, options))

export const distancesOf = (locale: string): Intl.RelativeTimeFormat =>
  kept('distance', locale, {}, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

/** English dates are written with the day first. */
export const dateTag = (locale: string): string => (locale === 'en' ? 'en-GB' : locale)
