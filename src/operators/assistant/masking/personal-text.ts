import type { MarkKind } from './marks'

/** A personal part of a text. */
export interface Finding {
  kind: MarkKind
  text: string
}

const EMAIL = /[^\s@"'`<>()[\]{},;:|\\/=]+@[^\s@"'`<>()[\]{},;:|\\/=]+\.[\p{L}\d-]{2,}/gu
const IP_V4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g
const IP_V6 = /(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])/gi
const PHONE =
  /(?<![\w.:+-])(?:\+|00|0|\()[\d][\d\s()./-]{5,24}\d(?![\w:])|(?<![\w.:+-])\d{2,5}[\s()/-][\d\s()/-]{4,20}\d(?![\w:])/g

/** ISO times and our own ids look like phone numbers in parts, and are none. */
const NEVER = /^(\d{4}-\d\d-\d\d([T ].*)?|\d{4}-\d\d|[a-z]{2,4}_[0-9a-z]{26})$/

const MIN_DIGITS = 8
const MAX_DIGITS = 15

/** The addresses, phone numbers and IP addresses in a text, wherever they are in it. */
export function personalParts(text: string): Finding[] {
  if (NEVER.test(text)) return []
  return [
    ...partsOf(text, EMAIL, 'email'),
    ...partsOf(text, IP_V4, 'ip'),
    ...partsOf(text, IP_V6, 'ip').filter((found) => found.text.length > 6),
    ...partsOf(text, PHONE, 'phone').filter((found) => isPhone(found.text)),
  ]
}

const partsOf = (text: string, pattern: RegExp, kind: MarkKind): Finding[] =>
  [...text.matchAll(pattern)].map(([found]) => ({ kind, text: found }))

const isPhone = (text: string): boolean => !/^\d{4}-\d\d-\d\d/.test(text) && hasPhoneLength(text)

const hasPhoneLength = (text: string): boolean => {
  const { length } = text.replace(/\D/g, '')
  return length >= MIN_DIGITS && length <= MAX_DIGITS
}

/** Whether a label of a person is an address or a phone number as a whole, also one that is written as digits alone. */
export const isContact = (text: string): boolean =>
  personalParts(text).length > 0 || (/^\d+$/.test(text) && hasPhoneLength(text))

/** Values that say nothing about one person: numbers, booleans, times, codes of languages and countries. */
export const isHarmless = (text: string): boolean =>
  text === '' ||
  /^(true|false|null|[A-Z]{2}|[a-z]{2}(-[A-Z]{2})?|-?\d{1,6}(\.\d{1,6})?)$/.test(text) ||
  (NEVER.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)))) ||
  /^[a-z]{2,4}_[0-9a-z]{26}$/.test(text)
