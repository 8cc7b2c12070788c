import { describe, expect, test } from 'bun:test'
import type { Report } from '../observation'
import type { Invoice, Subscription } from './shapes'
import { dayOf, FROM, invoice, line, subscription } from './shapes.fixtures'
import { subscriptionReports } from './subscription'

const TOLD = { eventId: 'evt_1', eventAt: dayOf(40) * 1000, providerGraceDays: 7 }

const reportsOf = (of: Partial<Subscription>, invoices: Invoice[], told = TOLD): Report[] =>
  subscriptionReports({ ...subscription, ...of }, invoices, told)

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
  test('has another for another time', () => {
    expect(idOf({})).not.toBe(idOf({}, { ...TOLD, eventAt: TOLD.eventAt + 1000 }) ?? '')
  })
  test('of two events in one second sorts by the events', () => {
    const ids = ['evt_1', 'evt_2', 'evt_3'].map((eventId) => String(idOf({}, { ...TOLD, eventId })))
    expect(ids.toSorted()).toEqual(ids)
  })
  test('is dated by the event, that of an invoice by its payment', () => {
    expect(reportsOf({}, [first]).map(({ eventAt }) => eventAt)).toEqual([(FROM + 1) * 1000, TOLD.eventAt])
  })
})

describe('the end of a subscription that is over', () => {
  const ended = { status: 'canceled', ended_at: dayOf(30), cancel_at_period_end: true }

  test('asked for, but without a word of why, is UNSUBSCRIBED', () => {
    expect(reportsOf(ended, [first]).at(-1)?.ended).toEqual({ at: dayOf(30) * 1000, reason: 'UNSUBSCRIBED' })
  })
  test('is the event when nobody dates it', () => {
    expect(reportsOf({ ...ended, ended_at: null }, [first]).at(-1)?.ended?.at).toBe(TOLD.eventAt)
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
