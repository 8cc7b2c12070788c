import { isMailAddress } from '../text/addresses'
import { isEmpty } from './conditions-hold'
import { isCalendarDate } from './dates'
import { MEASURES } from './fields'
import type { FunnelField } from './model'
import { isStorable } from './reading'

const MAX_TEXT = 4000

/** Why an answer is refused; each page has the sentences for visitors in their language. */
export type AnswerFault =
  | 'required'
  | 'unknown_option'
  | 'not_a_number'
  | 'too_low'
  | 'too_high'
  | 'too_short'
  | 'too_long'
  | 'too_few'
  | 'too_many'
  | 'not_a_date'
  | 'too_early'
  | 'too_late'
  | 'not_an_email'
  | 'not_a_phone'
  | 'not_a_zip'
  | 'not_accepted'
  | 'wrong_type'

/** An answer as it is kept, or why it is refused. `null` withdraws the answer. */
export type JudgedAnswer = { value: unknown } | { fault: AnswerFault }

const fault = (reason: AnswerFault): JudgedAnswer => ({ fault: reason })

/** Judges an answer against its field (wire 5.14, funnels 2). */
export function judgeAnswer(field: FunnelField, given: unknown): JudgedAnswer {
  if (isEmpty(given) || given === false) return withoutAnswer(field, given)
  return JUDGES[field.kind](field, given)
}

function withoutAnswer(field: FunnelField, given: unknown): JudgedAnswer {
  if (field.required) return fault(field.kind === 'consent' ? 'not_accepted' : 'required')
  return { value: given === false && field.kind === 'consent' ? false : null }
}

type Judge = (field: FunnelField, given: unknown) => JudgedAnswer

const measure: Judge = ({ min, max }, given) => {
  if (typeof given !== 'number' || !Number.isFinite(given)) return fault('not_a_number')
  if (min !== null && given < Number(min)) return fault('too_low')
  return max !== null && given > Number(max) ? fault('too_high') : { value: given }
}

const text: Judge = ({ min, max, pattern }, given) => {
  if (typeof given !== 'string' || !isStorable(given)) return fault('wrong_type')
  if (given.length > Math.min(max === null ? MAX_TEXT : Number(max), MAX_TEXT)) return fault('too_long')
  if (min !== null && given.length < Number(min)) return fault('too_short')
  return pattern ? PATTERNS[pattern](given) : { value: given }
}

const PHONE = /^\+?[0-9][0-9 ()./-]{4,28}[0-9]$/
const ZIP = /^[A-Za-z0-9][A-Za-z0-9 -]{1,10}[A-Za-z0-9]$/

const matching =
  (isFine: (text: string) => boolean, reason: AnswerFault) =>
  (given: string): JudgedAnswer =>
    isFine(given.trim()) ? { value: given.trim() } : fault(reason)

const PATTERNS = {
  email: matching(isMailAddress, 'not_an_email'),
  phone: matching((text) => PHONE.test(text), 'not_a_phone'),
  zip: matching((text) => ZIP.test(text), 'not_a_zip'),
} as const

const patterned =
  (pattern: keyof typeof PATTERNS): Judge =>
  (_field, given) =>
    typeof given === 'string' && given.length <= 254 && isStorable(given)
      ? PATTERNS[pattern](given)
      : fault('wrong_type')

const JUDGES: Record<FunnelField['kind'], Judge> = {
  single: ({ options }, given) => (options.some(({ id }) => id === given) ? { value: given } : fault('unknown_option')),
  multi: ({ options, min, max }, given) => {
    if (!Array.isArray(given)) return fault('wrong_type')
    const chosen = options.map(({ id }) => id).filter((id) => given.includes(id))
    if (new Set(given).size !== chosen.length) return fault('unknown_option')
    if (min !== null && chosen.length < Number(min)) return fault('too_few')
    return max !== null && chosen.length > Number(max) ? fault('too_many') : { value: chosen }
  },
  text,
  number: measure,
  slider: measure,
  height: measure,
  weight: measure,
  rating: (field, given) =>
    Number.isInteger(given)
      ? measure({ ...field, min: field.min ?? 1, max: field.max ?? 5 }, given)
      : fault('not_a_number'),
  date: ({ min, max }, given) => {
    if (!isCalendarDate(given)) return fault('not_a_date')
    if (min !== null && given < String(min)) return fault('too_early')
    return max !== null && given > String(max) ? fault('too_late') : { value: given }
  },
  email: patterned('email'),
  phone: patterned('phone'),
  consent: (_field, given) => (given === true ? { value: true } : fault('wrong_type')),
}

/** The answer that a form without script sends, in the type of its field; texts that have no such type stay as they are. */
export function answerOfForm(field: FunnelField, values: readonly string[]): unknown {
  const [first = ''] = values
  if (field.kind === 'multi') return values.filter((value) => value !== '')
  if (field.kind === 'consent') return first === 'true'
  if (!MEASURES.has(field.kind) && field.kind !== 'rating') return first.trim()
  const plain = first.trim().replace(',', '.')
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : plain
}
