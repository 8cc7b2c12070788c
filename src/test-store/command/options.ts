import type { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import { DAY, HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import type { Money } from '../../base/lib/money'
import { projectOptions } from '../../projects/project/project-api'
import { MOST_DAYS } from '../dashboard/simulation-wire'
import { USUAL_PRICE } from '../driver/terms'
import { SIMULATED_STORES, type SimulatedStore } from '../stores/life'

export const options = {
  ...projectOptions,
  device: { type: 'string' },
  product: { type: 'string' },
  store: { type: 'string' },
  price: { type: 'string' },
  currency: { type: 'string' },
  trial: { type: 'boolean' },
  print: { type: 'boolean' },
  to: { type: 'string' },
  partial: { type: 'string' },
  prorated: { type: 'boolean' },
  with: { type: 'string', multiple: true },
  commitment: { type: 'boolean' },
  item: { type: 'string' },
  'no-grace': { type: 'boolean' },
  payment: { type: 'string' },
  fail: { type: 'boolean' },
  code: { type: 'string' },
  percent: { type: 'string' },
  duplicate: { type: 'string' },
  reorder: { type: 'boolean' },
  delay: { type: 'string' },
  drop: { type: 'string' },
  'store-down': { type: 'boolean' },
  off: { type: 'boolean' },
  kind: { type: 'string' },
  card: { type: 'string' },
  secret: { type: 'string' },
} as const

export type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

const CHANGING = ['upgrade', 'downgrade', 'add-item', 'schedule'] as const
const BUYING = ['purchase', ...CHANGING] as const

const TROUBLED = ['trouble', 'billing trouble'] as const

/** The actions that take an option; every action takes those that are not here. */
const TAKEN_BY: { readonly [Option in keyof Values]?: readonly string[] } = {
  price: [...BUYING, 'price-increase', 'price'],
  currency: [...BUYING, 'price'],
  trial: ['purchase', 'price'],
  ...{ payment: ['settle'], fail: ['settle'] },
  print: ['purchase'],
  with: ['purchase'],
  commitment: ['purchase'],
  to: CHANGING,
  partial: ['refund'],
  prorated: ['refund', 'upgrade'],
  item: ['refund', 'remove-item', 'schedule', 'seats'],
  'no-grace': ['billing-issue'],
  ...{ duplicate: TROUBLED, reorder: TROUBLED, delay: TROUBLED, drop: TROUBLED },
  ...{ 'store-down': TROUBLED, off: [...TROUBLED, 'promotion'] },
  ...{ kind: ['billing card'], card: ['billing confirm'], secret: ['billing confirm'] },
  ...{ code: ['promotion'], percent: ['promotion'] },
}

/** An option without effect would let the action do something else than its caller wants: `renew --print` renews. */
export function refuseForeignOptions(action: string, values: Values): void {
  for (const [option, actions] of Object.entries(TAKEN_BY))
    if (Object.hasOwn(values, option) && !actions.includes(action))
      throw new UsageError(
        `simulate ${action} takes no --${option}; ${actions.join(' and ')} ${actions.length === 1 ? 'does' : 'do'}`,
      )
}

export function toStore(text: string | undefined): SimulatedStore | null {
  const store = SIMULATED_STORES.find((one) => one === text)
  if (text !== undefined && !store) throw new UsageError(`--store is ios, android or payment, not "${text}"`)
  return store ?? null
}

export const toPrice = ({ price, currency }: Values): Money => ({
  amountMicros: price === undefined ? USUAL_PRICE.micros : toMicros('--price', price),
  currency: toCurrency(currency ?? USUAL_PRICE.currency),
})

export function toMicros(option: string, text: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text)) throw new UsageError(`${option} is an amount such as 9.99, not "${text}"`)
  return Math.round(Number(text) * 1000) * 1000
}

function toCurrency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new UsageError(`--currency is an ISO 4217 code such as USD, not "${text}"`)
  return text
}

const UNITS: Record<string, number> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }

/** Milliseconds of `90s`, `10m`, `2h`, `40d` or `6w`, at most three years. */
export function toDuration(what: string, text: string | undefined): number {
  const [, count = '', unit = ''] = /^(\d{1,8})([smhdw])$/.exec(text ?? '') ?? []
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (ms > 0 && ms <= MOST_DAYS * DAY) return ms
  throw new UsageError(`${what} takes a time such as 10m, 2h or 40d (at most ${MOST_DAYS}d), not "${text ?? ''}"`)
}

export function toSeats(text: string | undefined): number {
  if (/^[1-9]\d{0,3}$/.test(text ?? '')) return Number(text)
  throw new UsageError(`simulate seats takes a number of seats, not "${text ?? ''}"`)
}

export function toPercent(text: string | undefined): number {
  const percent = /^\d{1,3}$/.test(text ?? '') ? Number(text) : 0
  if (percent >= 1 && percent <= 100) return percent
  throw new UsageError(`--percent is a whole number from 1 to 100, not "${text ?? ''}"`)
}

export function toDays(text: string | undefined): number {
  if (/^[1-9]\d{0,2}$/.test(text ?? '')) return Number(text)
  throw new UsageError(`simulate extend takes a number of days, not "${text ?? ''}"`)
}
