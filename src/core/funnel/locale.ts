const LOCALE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/
const MAX_CHARACTERS = 35

/** Whether a text has the form of BCP 47. */
export const isLocale = (text: string): boolean => text.length <= MAX_CHARACTERS && LOCALE.test(text)

interface Localised {
  locales: readonly string[]
  defaultLocale: string
}

/**
 * The locale that a caller gets: the same one; else the one that remains when parts are removed from its end, down to
 * the language (RFC 4647, 3.4); else any locale of the same language; else the default. Case does not matter: `pt-br`
 * of `[en, pt]` is `pt`, and `zh-Hant-TW` of `[zh-Hans, zh-Hant]` is `zh-Hant`.
 */
export function chooseLocale({ locales, defaultLocale }: Localised, wanted: string | null): string {
  if (wanted === null) return defaultLocale
  const parts = wanted.toLowerCase().split('-')
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('-')
    const named = locales.find((locale) => locale.toLowerCase() === name)
    if (named) return named
  }
  return locales.find((locale) => languageOf(locale.toLowerCase()) === parts[0]) ?? defaultLocale
}

const languageOf = (tag: string): string => tag.split('-')[0] ?? ''
