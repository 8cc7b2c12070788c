import { isLocale } from './locale'
import type { LocalText } from './model'
import { isObject, type Reading } from './reading'

const MAX_TEXT = 2000

/** A text by locale. */
export function readLocalText(reading: Reading, given: unknown, path: string): LocalText {
  if (!isObject(given)) {
    reading.refuse(path, 'must be a text by language, like {"en": "Hello"}')
    return {}
  }
  const texts = Object.entries(given).map(([locale, text]): [string, string] => {
    if (!isLocale(locale)) reading.refuse(`${path}.${locale}`, 'must stand under a language tag like en or tr-TR')
    return [locale, reading.text(text, `${path}.${locale}`, MAX_TEXT)]
  })
  return Object.fromEntries(texts)
}
