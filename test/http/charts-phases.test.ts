import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import type { Observation, RenewalPart } from '../../src/stores/observation'
import { type Stage, stage } from '../support/cast'
import { isoOf, type Purchase, type Recorded } from '../support/figures/history'
import { EARLIEST } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { type StaffCalls, staff } from '../support/staff'

// Statuses, endings, billing issues and forecasts of a few subscriptions that are told here, with their exact numbers.

const START = Date.UTC(2024, 0, 1)
const day = (number: number) => START + number * DAY
const iso = (number: number) => isoOf(day(number))

let s: Stage
let member: StaffCalls
beforeEach(async () => {
  s = await stage({ now: EARLIEST, env: { SVC_RATE_USER: '0' } })
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

/** A subscription of 30 days for 10 dollars that begins on a day, and what its store reports afterwards. */
function subscription(name: string, from: number, ...told: Recorded[]): Purchase {
  return {
    ...{ id: name, subscriberId: name, store: 'IOS_STORE', environment: 'PRODUCTION', productType: 'SUBSCRIPTION' },
    ...{ storeProductId: 'monthly', productPeriod: 'P1M', country: 'DE', platform: 'ios' },
    observations: [period(name, 1, from), ...told],
  }
}

const at = (number: number, observation: object, recorded = number): Recorded => {
  const one = { kind: 'REPORT', id: `${number} ${JSON.stringify(observation)}`, eventAt: day(number), ...observation }
  return { ...(one as Observation), recordedAt: day(recorded) }
}

const period = (name: string, number: number, from: number, days = 30): Recorded =>
  at(from, {
    transaction: {
      ...{ transactionId: `${name} ${number}`, storeProductId: 'monthly', purchaseDate: day(from) },
      ...{ originalPurchaseDate: day(from), expiresAt: day(from + days), isTrial: false, isIntroOffer: false },
      ...{ offerId: null, price: { amountMicros: 10_000_000, currency: 'USD' }, quantity: 1 },
      ...{ ownershipType: 'PURCHASED', reason: number === 1 ? 'PURCHASE' : 'RENEWAL' },
    },
  })

const renewal = (number: number, part: RenewalPart, recorded?: number) => at(number, { renewal: part }, recorded)

const know = (...purchases: Purchase[]) => seedHistory(s, { timezone: 'UTC', rates: [], purchases })

async function totals(id: string, from: number, to: number, query = '') {
  const { status, body } = await member.get(`/charts/${id}?from=${iso(from)}&to=${iso(to)}&grain=total${query}`)
  expect([id, status]).toEqual([id, 200])
  return body.data.totals
}

async function sumOfRows(id: string, from: number, to: number, value: string, query = '') {
  const path = `/charts/${id}/rows?start=${iso(from)}&to=${iso(to)}&grain=total&value=${value}&limit=200${query}`
  const { status, body } = await member.get(path)
  expect([path, status]).toEqual([path, 200])
  return body.data.items.reduce((sum: number, { contribution }: { contribution: number }) => sum + contribution, 0)
}

/** Grace from day 30 to 36, then recovered; grace and retry until the end; an open retry. */
const inTrouble = () => [
  subscription('ada', 0, renewal(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) }), period('ada', 2, 36)),
  subscription(
    'bo',
    1,
    renewal(31, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(37) }),
    at(50, { ended: { at: day(31), reason: 'BILLING_ERROR' }, renewal: { autoRenews: false } }),
  ),
  subscription('cy', 2, renewal(32, { billingTrouble: 'RETRY' })),
]

describe('billing issues', () => {
  beforeEach(() => know(...inTrouble()))

  test('begin, are recovered and are lost', async () => {
    expect(await totals('billing-issues', 20, 45)).toEqual({ start: 0, begun: 3, recovered: 1, lost: 0, end: 2 })
    expect(await totals('billing-issues', 45, 60)).toEqual({ start: 2, begun: 0, recovered: 0, lost: 1, end: 1 })
    expect(await totals('billing-recovery-rate', 20, 60)).toEqual({ value: 0.5 })
    expect(await totals('billing-recovery-time', 20, 60)).toEqual({ value: 6 * DAY })
    expect(await totals('grace-periods', 20, 60)).toEqual({ start: 0, entered: 2, recovered: 1, lost: 1, end: 0 })
    expect(await totals('grace-recovery-rate', 20, 60)).toEqual({ value: 0.5 })
    // Ada is active, cy in billing retry.
    expect(await totals('billing-issue-share', 20, 60)).toEqual({ value: 0.5 })
  })

  test('are churn for want of a payment', async () => {
    expect(await totals('churn-reasons', 20, 60)).toEqual({ voluntary: 0, billing: 2, refund: 0, other: 0 })
    expect(await totals('billing-churn-rate', 20, 60)).toEqual({ value: 2 / 3 })
    expect(await totals('voluntary-churn-rate', 20, 60)).toEqual({ value: 0 })
    expect(await totals('expiry-reasons', 20, 60)).toMatchObject({ billing: 1, voluntary: 0, unknown: 0 })
    const cancelled = { voluntary: 0, billing: 0, price: 0, other: 0 }
    expect(await totals('cancellations', 20, 60)).toEqual(cancelled)
  })

  test('show in the statuses', async () => {
    const none = { trial: 0, active: 0, grace: 0, retry: 0, paused: 0, expired: 0, refunded: 0 }
    expect(await totals('subscription-status', 20, 33)).toEqual({ ...none, grace: 2, retry: 1 })
    expect(await totals('subscription-status', 20, 40)).toEqual({ ...none, active: 1, retry: 2 })
    expect(await totals('subscription-status', 20, 60)).toEqual({ ...none, active: 1, retry: 1, expired: 1 })
    expect(await totals('auto-renewing', 20, 60)).toEqual({ value: 2 })
    expect(await totals('subscription-status', 20, 60, '&store=PAYMENT')).toEqual(none)
  })

  test('open to their subscriptions', async () => {
    for (const id of ['billing-issues', 'grace-periods', 'subscription-status', 'churn-reasons', 'expiry-reasons'])
      for (const [value, figure] of Object.entries(await totals(id, 20, 60)))
        expect([id, value, await sumOfRows(id, 20, 60, value)]).toEqual([id, value, figure])
    expect(await sumOfRows('billing-recovery-rate', 20, 60, 'value')).toBe(1)
    const path = `/charts/billing-recovery-time/rows?start=${iso(20)}&to=${iso(60)}&value=value`
    expect((await member.get(path)).status).toBe(400)
  })
})

test('an end has the reason that is told later, from then on', async () => {
  await know(
    subscription('ada', 0, at(40, { ended: { at: day(30), reason: 'PRODUCT_UNAVAILABLE' } })),
    subscription('bo', 0, renewal(10, { autoRenews: false, priceConsent: 'DECLINED' })),
    subscription('cy', 0, renewal(10, { autoRenews: false }), renewal(12, { autoRenews: true })),
    subscription('di', 0, { ...at(20, { kind: 'REFUND', transactionId: 'di 1', amount: null }) }),
  )
  const none = { voluntary: 0, billing: 0, price: 0, unavailable: 0, developer: 0, replaced: 0, unknown: 0, refund: 0 }
  const found = { ...none, unavailable: 1, price: 1, unknown: 1, refund: 1 }
  expect(await totals('expiry-reasons', 0, 35)).toEqual(found)
  expect(await totals('expiry-reasons', 35, 60)).toEqual(none)
  const known = { ...none, unknown: 2, price: 1, refund: 1 }
  expect(await totals('expiry-reasons', 0, 35, `&knownAt=${iso(39)}`)).toEqual(known)
  expect(await sumOfRows('expiry-reasons', 0, 35, 'unknown')).toBe(1)
  expect(await sumOfRows('expiry-reasons', 0, 35, 'unknown', `&knownAt=${iso(39)}`)).toBe(2)
  expect(await totals('cancellations', 0, 60)).toEqual({ voluntary: 1, billing: 0, price: 1, other: 0 })
  expect(await totals('cancellations-taken-back', 0, 60)).toEqual({ value: 1 })
  expect(await totals('churn-reasons', 0, 60)).toEqual({ voluntary: 1, billing: 0, refund: 1, other: 2 })
})

describe('what is to be expected', () => {
  beforeEach(async () => {
    await know(
      subscription('ada', 0, period('ada', 2, 30), period('ada', 3, 60)),
      subscription('bo', 10, period('bo', 2, 40), renewal(65, { autoRenews: false })),
      subscription('cy', 40, period('cy', 2, 70)),
      subscription('di', 5, renewal(20, { autoRenews: false })),
    )
    s.ctx.clock.set(day(75))
  })

  test('is due at the end of the present periods, and renews as often as it did', async () => {
    expect(await totals('renewals', 0, 75)).toEqual({ value: 4 })
    // Until now 4 renewed and di and bo left.
    expect(await totals('renewal-forecast', 75, 120)).toEqual({
      due: 20_000_000,
      expected: Math.round((20_000_000 * 4) / 6),
    })
    expect(await totals('renewals-due', 75, 95)).toEqual({ value: 1 })
    expect(await totals('renewals-due', 95, 120)).toEqual({ value: 1 })
    expect(await totals('renewals-due', 120, 300)).toEqual({ value: 0 })
    expect(await sumOfRows('renewal-forecast', 75, 120, 'due')).toBe(20_000_000)
    const rows = `/charts/renewal-forecast/rows?start=${iso(75)}&to=${iso(120)}&value=expected`
    expect((await member.get(rows)).status).toBe(400)
  })

  test('was more before it was cancelled', async () => {
    expect(await totals('renewals-due', 62, 95, `&knownAt=${iso(62)}`)).toEqual({ value: 3 })
  })

  test('cohorts bring what their subscriptions brought, and open to them', async () => {
    const revenue = await totals('revenue-cohorts', 0, 40)
    // The third charge of Ada is at the very end of two months.
    expect([revenue.m1, revenue.m2, revenue.m3]).toEqual([50_000_000, 50_000_000, null])
    expect(await sumOfRows('revenue-cohorts', 0, 40, 'm2')).toBe(50_000_000)
    expect(await sumOfRows('revenue-cohorts', 0, 40, 'm3')).toBe(60_000_000)
    const shares = await totals('retention', 0, 40)
    expect([shares.m0, shares.m1, shares.m2, shares.m3]).toEqual([1, 2 / 3, 1 / 3, null])
    expect(await sumOfRows('retention', 0, 40, 'm1')).toBe(2)
    const { body } = await member.get(`/charts/retention?from=${iso(0)}&to=${iso(40)}&grain=total&groupBy=country`)
    expect(body.data.groups).toMatchObject([{ key: 'DE', totals: { m1: 2 / 3 } }])
    expect(await sumOfRows('retention', 0, 40, 'm1', '&groupBy=country&group=DE')).toBe(2)
    expect(await sumOfRows('retention', 0, 40, 'm1', '&groupBy=country&group=US')).toBe(0)
  })

  test('a value of twelve months is predicted once somebody has completed them', async () => {
    expect(await totals('predicted-ltv', 0, 40)).toEqual({ value: null, low: null, high: null })
    s.ctx.clock.set(day(366 + 12))
    const { value, low, high } = await totals('predicted-ltv', 0, 12)
    // Ada 30, bo 20 and di 10 dollars; the squares of what they differ from the mean come to 200.
    expect(value).toBe(20_000_000)
    const margin = (1.959964 * Math.sqrt(200e12)) / 3
    expect([low, high]).toEqual([Math.round(20e6 - margin), Math.round(20e6 + margin)])
    // Cy has not completed them: ten of its months are those of everyone.
    expect((await totals('predicted-ltv', 39, 41)).value).toBe(20_000_000)
    expect(await totals('predicted-ltv', 12, 39)).toEqual({ value: null, low: null, high: null })
    const rows = `/charts/predicted-ltv/rows?start=${iso(0)}&to=${iso(40)}&value=value`
    expect((await member.get(rows)).status).toBe(400)
  })

  test('of another project nothing is told', async () => {
    const stranger = staff(s).as('STRANGER')
    for (const id of ['retention', 'revenue-cohorts', 'renewal-forecast', 'billing-issues'])
      for (const path of [`/charts/${id}`, `/charts/${id}/rows?start=${iso(0)}`])
        expect([path, (await stranger.get(path)).status]).toEqual([path, 404])
  })
})

test('entries of an earlier release are completed', async () => {
  await know(...inTrouble())
  const expected = await totals('billing-issues', 20, 60)
  const { figureEntries: f, figureProjects: p } = s.ctx.tables
  await rebuildProjects(s.ctx, () => false)
  await s.ctx.write(async (tx) => {
    const none = { billingIn: 0, billingRecovered: 0, billingLost: 0, recoveryMs: 0 }
    await tx.db.update(f).set(none)
    await tx.db.update(p).set({ fingerprint: 'as it was' })
  })
  expect(await totals('billing-issues', 20, 60)).toMatchObject({ begun: 0, recovered: 0, lost: 0 })
  await rebuildProjects(s.ctx, () => false)
  expect(await totals('billing-issues', 20, 60)).toEqual(expected)
  const count = (await s.ctx.db.select().from(f)).length
  await rebuildProjects(s.ctx, () => false)
  expect(await s.ctx.db.select().from(f)).toHaveLength(count)
})

test('a purchase and its renewals have no more rows than they need', async () => {
  await know(subscription('ada', 0))
  const { figureEntries: f } = s.ctx.tables
  // The charge, the beginning, and the end that is to be expected.
  expect(await s.ctx.db.select().from(f)).toHaveLength(3)
})
