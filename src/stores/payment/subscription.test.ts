import { describe, expect, test } from 'bun:test'
import type { Report } from '../observation'
import type { Invoice, Subscription } from './shapes'
import { dayOf, FROM, invoice, line, subscription } from './shapes.fixtures'
import { type ReportSource, subscriptionReports } from './subscription'

const AT = dayOf(40) * 1000
const TOLD: ReportSource = { fetchedAt: AT, eventAt: AT - 5000, providerGraceDays: 7, pausedCollection: 'access' }

const reportsOf = (of: Partial<Subscription>, invoices: Invoice[], told = TOLD): Report[] =>
  subscriptionReports({ ...subscription, ...of }, invoices, new Map(), null, told).flatMap(({ reports }) => reports)

const first = invoice([line()], { id: 'in_b' })
const second = invoice([line({ from: 30, to: 60 })], { id: 'in_a', status_transitions: { paid_at: dayOf(30) } })

test('an invoice that comes along twice is told once', () => {
  const ids = reportsOf({}, [first, second, first]).map(({ id }) => id)
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(3)
})

test('the newest period is the current one, whatever the ids and the order', () => {
  for (const invoices of [
    [first, second],
    [second, first],
  ])
    expect(reportsOf({}, invoices).at(-1)?.transaction).toMatchObject({ transactionId: 'in_a' })
})

test('two periods that begin together go by their ids', () => {
  const twin = invoice([line()], { id: 'in_c' })
  for (const invoices of [
    [first, twin],
    [twin, first],
  ])
    expect(reportsOf({}, invoices).at(-1)?.transaction).toMatchObject({ transactionId: 'in_c' })
})

describe('the report of a state', () => {
  const idOf = (of: Partial<Subscription>, told = TOLD) => reportsOf(of, [first], told).at(-1)?.id

  test('has the same id for the same state at the same event', () => expect(idOf({})).toBe(idOf({}) ?? ''))
  test('has another for another state', () => expect(idOf({})).not.toBe(idOf({ cancel_at_period_end: true }) ?? ''))
  test('does not heed what nobody reads', () => expect(idOf({ metadata: { color: 'blue' } })).toBe(idOf({}) ?? ''))
  test('has another for another fetch', () => {
    expect(idOf({})).not.toBe(idOf({}, { ...TOLD, fetchedAt: AT + 1 }) ?? '')
  })
  test('has the same whatever event caused the fetch', () => {
    expect(idOf({})).toBe(idOf({}, { ...TOLD, eventAt: AT - 9000 }) ?? '')
  })
  test('is dated by the fetch, that of an invoice by its payment', () => {
    expect(reportsOf({}, [first]).map(({ eventAt }) => eventAt)).toEqual([(FROM + 1) * 1000, AT])
  })
})

describe('a renewal with another price', () => {
  const other = { price: 'price_yearly' }
  const mayChange = (invoices: Invoice[]) =>
    reportsOf({}, invoices).map(({ transaction }) => transaction?.mayChangeProduct ?? false)
  const paidAt = (at: number) => ({
    ...{ id: `in_${at}`, billing_reason: 'subscription_cycle' },
    status_transitions: { paid_at: dayOf(at) },
  })
  const renewed = invoice([line({ from: 30, to: 60, ...other })], paidAt(30))

  test('may be a change of product, and so may each later one', () => {
    const third = invoice([line({ from: 60, to: 90 })], paidAt(60))
    expect(mayChange([first, second])).toEqual([false, false, false])
    expect(mayChange([first, renewed]).slice(0, 2)).toEqual([false, true])
    expect(mayChange([third, renewed, first]).slice(0, 3)).toEqual([false, true, true])
  })
  test('is none when a proration of the period before charged for it, in its own invoice or before', () => {
    const rest = line({ from: 10, to: 30, isProration: true, ...other })
    const ofItsOwn = invoice([rest, line({ from: 30, to: 60, ...other })], paidAt(30))
    expect(mayChange([first, ofItsOwn]).slice(0, 2)).toEqual([false, false])
    const before = invoice([rest], { ...paidAt(10), billing_reason: 'subscription_update' })
    expect(mayChange([first, before, renewed]).filter(Boolean)).toEqual([])
  })
})

describe('the end of a subscription that is over', () => {
  const ended = { status: 'canceled', ended_at: dayOf(30), cancel_at_period_end: true }

  test('asked for, but without a word of why, is UNSUBSCRIBED', () => {
    expect(reportsOf(ended, [first]).at(-1)?.ended).toEqual({ at: dayOf(30) * 1000, reason: 'UNSUBSCRIBED' })
  })
  test('is the fetch when nobody dates it', () => {
    expect(reportsOf({ ...ended, ended_at: null }, [first]).at(-1)?.ended?.at).toBe(AT)
  })
  test('that never was paid for names no transaction', () => {
    const [report, ...others] = reportsOf({ ...ended, status: 'incomplete_expired' }, [])
    expect(others).toEqual([])
    expect(report).not.toHaveProperty('transaction')
  })
})

describe('days of grace', () => {
  const graceOf = (providerGraceDays: number) =>
    reportsOf({ status: 'past_due' }, [first], { ...TOLD, providerGraceDays }).at(-1)?.renewal?.gracePeriodExpiresAt

  for (const days of [0, 1, 7, 30])
    test(`${days} end ${days} days after the paid period`, () => expect(graceOf(days)).toBe(dayOf(30 + days) * 1000))
})

describe('a paused collection', () => {
  const paused = { pause_collection: { resumes_at: dayOf(50) } }
  const pauseOf = (of: Partial<Subscription>, pausedCollection: 'access' | 'noAccess') => {
    const { transaction, renewal } = reportsOf(of, [first], { ...TOLD, pausedCollection }).at(-1) ?? {}
    return [transaction?.expiresAt, renewal?.pausedAt]
  }
  const running = { items: { data: [{ ...itemOf(), current_period_start: dayOf(30), current_period_end: dayOf(60) }] } }

  test('changes nothing, for the provider keeps the access', () => {
    expect(pauseOf({ ...running, ...paused }, 'access')).toEqual([dayOf(60) * 1000, null])
  })
  test('ends the access after what is paid when the project says so', () => {
    expect(pauseOf({ ...running, ...paused }, 'noAccess')).toEqual([dayOf(30) * 1000, dayOf(30) * 1000])
  })
  test('leaves what is paid', () => {
    expect(pauseOf(paused, 'noAccess')).toEqual([dayOf(30) * 1000, dayOf(30) * 1000])
  })
  test('is no pause of the subscription itself, which ends the access in any case', () => {
    expect(pauseOf({ ...running, status: 'paused' }, 'access')).toEqual([dayOf(30) * 1000, dayOf(30) * 1000])
  })
})

describe('the items of a subscription', () => {
  const addon = { ...itemOf(), id: 'si_2', price: { id: 'price_2' }, created: dayOf(15) }
  const both = { items: { data: [itemOf(), addon] } }
  const linesOf = (of: Partial<Subscription>, invoices: Invoice[]) =>
    subscriptionReports({ ...subscription, ...of }, invoices, new Map(), null, TOLD)

  test('have reports of their own', () => {
    const paid = invoice([line(), line({ item: 'si_2', price: 'price_2', amount: 499 })], { amount_paid: 1498 })
    const found = linesOf(both, [paid]).map(({ lineKey, reports }) => [lineKey, reports.length])
    expect(found).toEqual([
      ['si_1', 2],
      ['si_2', 2],
    ])
  })
  test('that were added within a period have access, and no charge of it', () => {
    const [, added] = linesOf(both, [first])
    expect(added?.reports).toHaveLength(1)
    expect(added?.reports[0]?.transaction).toMatchObject({
      transactionId: `si_2:${dayOf(15) * 1000}`,
      isUncharged: true,
      price: null,
      expiresAt: dayOf(30) * 1000,
    })
  })
  test('that were removed are known by what they paid', () => {
    const gone = linesOf({ items: { data: [addon] } }, [first]).find(({ lineKey }) => lineKey === 'si_1')
    expect(gone).toMatchObject({ isPresent: false, storeProductId: 'price_1' })
    expect(gone?.reports.map(({ id }) => id)).toEqual(['in_b'])
  })
})

function itemOf() {
  const [item] = subscription.items.data
  if (!item) throw new Error('The subscription has an item')
  return item
}
