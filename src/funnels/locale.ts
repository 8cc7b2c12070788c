const LOCALE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/
const MAX_CHARACTERS = 35

/** Whether a text has the form of BCP 47. */
export const isLocale = (text: string): boolean => text.length <= MAX_CHARACTERS && LOCALE.test(text)

interface Localised {
  locales: readonly string[]
  defaultLocale: string
}

/**
 * The locale that a caller gets: the very one; else their language; else any of their language; else the default one.
 * Case does not count: `pt-br` of `[en, pt]` is `pt`.
 */
export function chooseLocale({ locales, defaultLocale }: Localised, wanted: string | null): string {
  if (wanted === null) return defaultLocale
  const tag = wanted.toLowerCase()
  const language = languageOf(tag)
  const named = (name: string) => locales.find((locale) => locale.toLowerCase() === name)
  const related = locales.find((locale) => languageOf(locale.toLowerCase()) === language)
  return named(tag) ?? named(language) ?? related ?? defaultLocale
}

const languageOf = (tag: string): string => tag.split('-')[0] ?? ''
