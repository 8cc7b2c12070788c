import type { MarkKind, Marks } from './marks'
import { type Finding, isContact, isHarmless, personalParts } from './personal-text'

type Members = Readonly<Record<string, unknown>>

/**
 * A copy of an answer with marks for addresses, phone numbers, names, IP addresses, device keys and the texts of
 * attributes. A text that is personal at one place of the answer is replaced at every other place too.
 */
export function masked(answer: unknown, marks: Marks): unknown {
  const found = new Map<string, MarkKind>()
  collect(answer, '', {}, found)
  return replaceAll(answer, found, marks)
}

/** As `masked`, for the cells of a query whose columns may hold personal data in any form. */
export function maskedCells(answer: unknown, marks: Marks): unknown {
  const cellsOf = (value: unknown): unknown => (Array.isArray(value) ? value.map(cellOf) : value)
  const cellOf = (cell: unknown): unknown => {
    if (typeof cell === 'number') return Math.abs(cell) >= LONG_NUMBER ? marks.markOf('text', String(cell)) : cell
    if (typeof cell === 'object' && cell !== null) return marks.markOf('text', JSON.stringify(cell))
    return typeof cell === 'string' && !isHarmless(cell) ? marks.markOf('text', cell) : cell
  }
  if (!isMembers(answer) || !isMembers(answer.data) || !Array.isArray(answer.data.rows)) return masked(answer, marks)
  return { ...answer, data: { ...answer.data, rows: answer.data.rows.map(cellsOf) } }
}

/** A phone number that was read as a number has at least so many digits. */
const LONG_NUMBER = 1e9

/** A text of a person, or of a model, in which only what is recognised by its form can be replaced. */
export const maskedText = (text: string, marks: Marks, known: ReadonlyMap<string, MarkKind> = new Map()): string =>
  replaceParts(text, [...entriesOf(known), ...personalParts(text)], marks)

function collect(value: unknown, key: string, holder: Members, found: Map<string, MarkKind>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, key, holder, found)
  else if (isMembers(value)) {
    if (/^(\$?attributes|customAttributes)$/.test(key)) collectAttributes(value, found)
    for (const [name, member] of Object.entries(value)) collect(member, name, value, found)
  } else if (typeof value === 'string') {
    const kind = kindOf(key, value, holder)
    if (kind) found.set(value, kind)
  }
}

/** The texts of attributes: people and apps write anything into them. */
function collectAttributes(attributes: Members, found: Map<string, MarkKind>): void {
  for (const [name, given] of Object.entries(attributes)) {
    const value = isMembers(given) ? given.value : given
    if (typeof value === 'string' && !isHarmless(value)) found.set(value, kindOfName(name) ?? 'text')
  }
}

const DEVICE = /device_?keys?$/i
const CONTACT = /(^|_|[a-z])(app_?user_?id|label|user_?id|external_?id)$/i
const PERSONAL_NAMES: readonly (readonly [RegExp, MarkKind])[] = [
  [/e_?mail/i, 'email'],
  [/phone|mobile|msisdn/i, 'phone'],
  [/^\$?(first|last|full|given|family|nick|user|middle)_?name$/i, 'name'],
  [/^\$?ip(_?address)?$|_ip$|^lastIp$/i, 'ip'],
  [/^\$?(street|postal_?code|zip|birth(day|_?date)|postal_?address|address)$/i, 'text'],
]

const kindOfName = (name: string): MarkKind | null =>
  DEVICE.test(name)
    ? 'device'
    : /^\$?display_?name$|^\$?name$/i.test(name)
      ? 'name'
      : (PERSONAL_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null)

function kindOf(key: string, value: string, holder: Members): MarkKind | null {
  if (value === '' || OWN_ID.test(value)) return null
  if (DEVICE.test(key)) return 'device'
  if (CONTACT.test(key)) return isContact(value) ? 'email' : null
  if (/^(name|displayName)$/.test(key)) return isPerson(holder) ? 'name' : null
  if (/^(title|subtitle)$/.test(key)) return isPersonHit(holder) ? 'name' : null
  if (key === 'value' && 'key' in holder && 'source' in holder) return isHarmless(value) ? null : 'text'
  const kind = PERSONAL_NAMES.find(([pattern]) => pattern.test(key))?.[1] ?? null
  return kind !== null && isHarmless(value) ? null : kind
}

const OWN_ID = /^[a-z]{2,4}_[0-9a-z]{26}$/

const isPerson = (holder: Members): boolean => 'email' in holder || 'subscriberId' in holder || 'userId' in holder

/** A hit of the search: a subscriber is called by their name, their address or their device. */
const isPersonHit = ({ kind, person }: Members): boolean =>
  (typeof kind === 'string' && /^subscriber$/i.test(kind)) || person !== undefined

function replaceAll(value: unknown, found: ReadonlyMap<string, MarkKind>, marks: Marks): unknown {
  if (typeof value === 'string') return replaceText(value, found, marks)
  if (Array.isArray(value)) return value.map((item) => replaceAll(item, found, marks))
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      replaceParts(name, personalParts(name), marks),
      replaceAll(member, found, marks),
    ]),
  )
}

function replaceText(text: string, found: ReadonlyMap<string, MarkKind>, marks: Marks): string {
  const whole = found.get(text)
  if (whole) return marks.markOf(whole, text)
  if (OWN_ID.test(text)) return text
  return replaceParts(text, [...entriesOf(found), ...personalParts(text)], marks)
}

/** Shorter texts occur in others by chance. */
const MIN_PART = 3

const entriesOf = (found: ReadonlyMap<string, MarkKind>): Finding[] =>
  [...found].filter(([text]) => text.length >= MIN_PART).map(([text, kind]) => ({ kind, text }))

/** The longest first, so that a name within an address does not take it apart. */
function replaceParts(text: string, parts: readonly Finding[], marks: Marks): string {
  let left = text
  for (const { kind, text: part } of parts.toSorted((a, b) => b.text.length - a.text.length))
    if (left.toLowerCase().includes(part.toLowerCase())) left = replaceWords(left, part, marks.markOf(kind, part))
  return left
}

/** Also in another case; not inside of a longer word. */
const replaceWords = (text: string, part: string, mark: string): string =>
  text.replace(new RegExp(`(?<![\\p{L}\\d_])${RegExp.escape(part)}(?![\\p{L}\\d_])`, 'giu'), () => mark)

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
