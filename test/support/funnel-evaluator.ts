import type { Condition, Journey, Page } from './funnel-law'
import { answerOf, OPTION_VALUES } from './funnel-law'

/**
 * Where a visitor is after each step, straight from the text of the specification (wire 5.14, funnels 11). It shares no
 * line with the product and is written for reading, not for speed.
 */

/** The page after a step; null = the end of the funnel. */
export type Place = string | null

export interface Held {
  op: string
  holds: boolean
}

/** @param told hears each condition that was judged, and whether it held */
export function placesOf({ pages, moves }: Journey, today: string, told: (held: Held) => void = () => {}): Place[] {
  const places: Place[] = []
  const answers = new Map<string, unknown>()
  let path = [pages[0]?.id ?? '']
  for (const move of moves) {
    if (move.isBack) {
      if (path.length > 1) path = path.slice(0, -1)
      places.push(path.at(-1) ?? '')
      continue
    }
    const page = pages.find(({ id }) => id === path.at(-1))
    if (!page) throw new Error('no page')
    for (const [index, field] of page.fields.entries()) {
      const answer = answerOf(field, move.picks[index] ?? 0, today)
      if (answer !== undefined) answers.set(field.id, answer)
    }
    const next = nextOf(page, counted(pages, path, answers), today, told)
    places.push(next)
    if (next === null) return places
    path = [...path, next]
  }
  return places
}

/** “Only those of pages in path count in rules”, and `score` is the “sum of value over chosen options”. */
function counted(pages: readonly Page[], path: readonly string[], answers: ReadonlyMap<string, unknown>) {
  const shown = new Map<string, unknown>()
  let score = 0
  for (const page of pages)
    if (path.includes(page.id))
      for (const { id, kind } of page.fields) {
        const answer = answers.get(id)
        shown.set(id, answer)
        if (kind === 'single' && typeof answer === 'string') score += OPTION_VALUES[answer] ?? 0
        if (kind === 'multi' && Array.isArray(answer)) for (const one of answer) score += OPTION_VALUES[one] ?? 0
      }
  shown.set('score', score)
  return shown
}

/** “Rules top down, first match; then `default`; null = end.” */
function nextOf(page: Page, answers: ReadonlyMap<string, unknown>, today: string, told: (held: Held) => void): Place {
  for (const { match, when, to } of page.rules) {
    const results = when.map((condition) => {
      const holds = judge(condition, answers.get(condition.field), today)
      told({ op: condition.op, holds })
      return holds
    })
    if (match === 'all' ? !results.includes(false) : results.includes(true)) return to
  }
  return page.default
}

function judge({ op, value }: Condition, answer: unknown, today: string): boolean {
  const isMissing = answer === undefined || answer === null || answer === '' || isListOf(answer, 0)
  // “On a missing answer only `is_empty`, `ne`, `not_in` hold.”
  if (isMissing) return op === 'is_empty' || op === 'ne' || op === 'not_in'
  if (op === 'is_answered') return true
  if (op === 'is_empty') return false
  if (op === 'eq') return isSame(answer, value)
  if (op === 'ne') return !isSame(answer, value)
  if (op === 'in' || op === 'not_in') {
    let isAny = false
    for (const one of value as unknown[]) if (isSame(answer, one)) isAny = true
    return op === 'in' ? isAny : !isAny
  }
  // “`contains` is substring (case kept) or membership.”
  if (op === 'contains') {
    if (Array.isArray(answer)) return answer.indexOf(value) >= 0
    return typeof answer === 'string' ? answer.split(`${value}`).length > 1 || `${value}` === '' : false
  }
  if (op === 'older_than_days' || op === 'within_days') {
    const age = typeof answer === 'string' ? daysBetween(answer, today) : null
    if (age === null) return false
    // “`older_than_days n` is age > n, `within_days n` 0 ≤ age ≤ n.”
    return op === 'older_than_days' ? age > Number(value) : 0 <= age && age <= Number(value)
  }
  // “`between` includes both ends.”
  if (op === 'between') {
    const [least, most] = value as [unknown, unknown]
    const [low, high] = [orderOf(answer, least), orderOf(answer, most)]
    return low !== null && high !== null && low >= 0 && high <= 0
  }
  const order = op === 'before' || op === 'after' ? dateOrder(answer, value) : orderOf(answer, value)
  if (order === null) return false
  if (op === 'gt' || op === 'after') return order > 0
  if (op === 'gte') return order >= 0
  if (op === 'lt' || op === 'before') return order < 0
  return order <= 0
}

const isListOf = (value: unknown, length: number): boolean => Array.isArray(value) && value.length === length

/** “`eq` on multi compares sets.” */
function isSame(answer: unknown, value: unknown): boolean {
  if (!Array.isArray(answer)) return answer === value
  return answer.length === 1 && answer[0] === value
}

/** “Numbers compare as numbers, dates as calendar dates UTC”; other values have no order. */
function orderOf(answer: unknown, value: unknown): number | null {
  if (typeof answer === 'number' && typeof value === 'number') return Math.sign(answer - value)
  return dateOrder(answer, value)
}

function dateOrder(answer: unknown, value: unknown): number | null {
  if (typeof answer !== 'string' || typeof value !== 'string') return null
  const days = daysBetween(value, answer)
  return days === null ? null : Math.sign(days)
}

/** Counted on the calendar: the years, months and days of both, without the clock of the machine. */
function daysBetween(from: string, to: string): number | null {
  const [first, second] = [dayNumber(from), dayNumber(to)]
  return first === null || second === null ? null : second - first
}

function dayNumber(text: string): number | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!found) return null
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number]
  let days = day
  for (let one = 1; one < month; one++) days += lengthOfMonth(year, one)
  for (let one = 1970; one < year; one++) days += isLeap(one) ? 366 : 365
  return days
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const lengthOfMonth = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
