import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { DAY, HOUR, SECOND } from '../../src/base/lib/clock'
import { sweepRetention } from '../../src/base/retention/sweep'
import { careFor } from '../../src/operators/plan-billing/care'
import { tellReachedMarks } from '../../src/projects/budget/alerts'
import { recountUsage } from '../../src/projects/usage/recount'
import { advanceBilling } from '../../src/test-store/billing/care'
import { deliverAllBilling } from '../../src/test-store/billing/loop'
import { giveCard } from '../../src/test-store/billing/turns'
import { letters } from '../support/accounts'
import { join } from '../support/crew'
import { dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS } from '../support/plan-billing'
import { iso, opened, postSessions } from '../support/telemetry'

/** FREE includes 10 events, INDIE 40, STUDIO 200. */
const INCLUDED: Readonly<Record<string, number>> = { FREE: 10, INDIE: 40, STUDIO: 200 }
const PLANS = DEFAULT_PLANS.map((plan) => ({
  ...plan,
  meters: plan.meters.map((meter) => ({
    ...meter,
    included: meter.name === 'events' ? (INCLUDED[plan.tier] ?? null) : meter.included,
  })),
}))

const START = Date.UTC(2027, 0, 1, 8)
/** Where clocks are set forward on 28 March and back on 31 October; all of billing is UTC. */
const ZONE = 'Europe/Berlin'

let b: BillingStage
let mailed = 0
const zone = process.env.TZ
beforeAll(async () => {
  process.env.TZ = ZONE
  b = await billingStage({ SVC_BILLING_PLANS: JSON.stringify(PLANS) })
})
afterAll(async () => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
  await b.close()
})

const project = () => b.s.project.id
const post = (path: string, body: object = {}) => dataOf(b.admin().post(`/billing${path}`, body))
const upgrade = (tier: string, paymentMethodId?: string) =>
  post('/upgrade', { tier, ...(paymentMethodId && { paymentMethodId }) })
const invoices = async (): Promise<{ total: string; status: string }[]> =>
  (await dataOf(b.admin().get('/billing/invoices'))).items
const newest = async () => {
  const [one] = await invoices()
  return [one?.total, one?.status]
}

/** What a running server does by itself, a day at a time, up to an instant. */
async function until(instant: string): Promise<void> {
  const end = Date.parse(instant)
  while (b.s.ctx.clock.now() < end) {
    b.s.ctx.clock.set(Math.min(end, b.s.ctx.clock.now() + DAY))
    await deliverAllBilling(b.s.ctx)
    await careFor(b.s.ctx, project())
    await tellReachedMarks(b.s.ctx)
  }
}

const usedEvents = async (): Promise<number> => {
  const { meters } = await dataOf(b.admin().get('/usage'))
  return meters.find(({ name }: { name: string }) => name === 'events').used
}

/** The app sends events until so many are used this month. */
async function useUpTo(wanted: number): Promise<void> {
  b.s.ctx.clock.advance(HOUR)
  for (let left = wanted - (await usedEvents()); left > 0; left -= 40) {
    const now = b.s.ctx.clock.now()
    const events = Array.from({ length: Math.min(40, left) }, (_, n) =>
      opened(b.s, { occurredAt: iso(now - left + n) }),
    )
    expect((await postSessions(b.s, 'svc_year', events)).status).toBeLessThan(300)
  }
  expect(await usedEvents()).toBe(wanted)
}

interface MonthEnd {
  tier: string
  state: string
  locked?: true
  /** Kinds of the mails of the month. */
  mails?: string[]
}

/**
 * The last instant of a month: how the project is billed, the mails of the month, and that every meter is exact. Ends at the
 * first instant of the next one.
 */
async function monthEnds(name: string, { mails = [], ...wanted }: MonthEnd): Promise<void> {
  const [year = 0, month = 0] = name.split('-').map(Number)
  await until(new Date(Date.UTC(year, month) - 1).toISOString())
  const { tier, state, locked } = await b.billing()
  const kinds = (await letters(b.s)).map(({ kind }) => kind)
  const analysis = (await b.admin().get('/overview')).status
  expect({ name, tier, state, locked, analysis, mails: kinds.slice(mailed) }).toEqual({
    ...{ name, locked: false, mails, ...wanted },
    analysis: wanted.locked ? 403 : 200,
  })
  await sweepRetention(b.s.ctx)
  mailed = (await letters(b.s)).length
  expect((await recountUsage(b.s.ctx, project(), name)).differences).toEqual([])
  await until(new Date(Date.UTC(year, month)).toISOString())
}

const at = (instant: string) => `${instant}:00.000Z`

test('a year of a hosted project: free, over the limit, locked, paid, failing, closed, paid again, downgraded', async () => {
  b.s.ctx.clock.set(START)
  await join(b.s, 'ada', 'OWNER')
  await dataOf(b.admin().put('/billing/budget', { alertsAt: [100], stopTelemetryAt: null }))
  await dataOf(b.admin().put('/billing/details', DETAILS))

  // Two months on FREE over its limit lock the analysis from the first instant of the third.
  await useUpTo(12)
  await monthEnds('2027-01', { tier: 'FREE', state: 'FREE', mails: ['usage.alert'] })
  await useUpTo(12)
  await monthEnds('2027-02', { tier: 'FREE', state: 'FREE', mails: ['usage.alert'] })
  expect((await b.billing()).locked).toBe(true)

  // A plan on the 31st opens it at once, and is paid on the last day of each month, at the same time of the day.
  await until(at('2027-03-31T21:30'))
  await useUpTo(12)
  await upgrade('INDIE', 'pm_card_visa')
  expect(await b.billing()).toMatchObject({ renewsAt: at('2027-04-30T22:30'), locked: false })
  await monthEnds('2027-03', { tier: 'INDIE', state: 'ACTIVE' })

  // Two months over the limit of that plan, and one under it.
  await useUpTo(41)
  await monthEnds('2027-04', { tier: 'INDIE', state: 'ACTIVE', mails: ['usage.alert'] })
  expect(await b.billing()).toMatchObject({ renewsAt: at('2027-05-31T22:30') })
  await useUpTo(41)
  await monthEnds('2027-05', { tier: 'INDIE', state: 'ACTIVE', mails: ['usage.alert'] })
  await useUpTo(40)
  await monthEnds('2027-06', { tier: 'INDIE', state: 'ACTIVE', locked: true, mails: ['usage.alert'] })
  expect((await b.billing()).locked).toBe(false)

  // Half of a period is left: 199 and 29 a month differ by 85.
  await until(at('2027-07-16T10:30'))
  expect((await upgrade('STUDIO')).dueNow).toEqual({ amountMicros: 85_000_000, currency: 'USD' })
  expect([await newest(), (await b.billing()).tier]).toEqual([['85.00', 'paid'], 'STUDIO'])
  await useUpTo(150)
  await monthEnds('2027-07', { tier: 'STUDIO', state: 'ACTIVE' })
  await until(at('2027-08-20T10:00'))
  await giveCard(b.s.ctx, project(), 'fails')
  await monthEnds('2027-08', { tier: 'STUDIO', state: 'PAST_DUE' })

  // For 21 days the provider tries again; then the limits are those of FREE.
  await until(at('2027-09-21T23:00'))
  expect(await b.billing()).toMatchObject({ tier: 'STUDIO', state: 'PAST_DUE' })
  await useUpTo(150)
  await monthEnds('2027-09', { tier: 'FREE', state: 'PAUSED', mails: ['usage.alert'] })
  await useUpTo(11)
  await monthEnds('2027-10', { tier: 'FREE', state: 'PAUSED', mails: ['usage.alert', 'billing_paused'] })
  await until(at('2027-11-20T20:00'))
  expect(await b.billing()).toMatchObject({ state: 'PAUSED', locked: true })
  await monthEnds('2027-11', { tier: 'FREE', state: 'DELETED', locked: true, mails: ['billing_paused'] })

  // A plan can be chosen again, for the rest of a year with a 29 February.
  await until(at('2027-12-31T08:00'))
  await useUpTo(11)
  await upgrade('STUDIO', 'pm_card_visa')
  await monthEnds('2027-12', { tier: 'STUDIO', state: 'ACTIVE' })
  await until(at('2028-01-10T09:00'))
  await upgrade('INDIE')
  expect(await b.billing()).toMatchObject({ tier: 'STUDIO', pendingTier: 'INDIE', renewsAt: at('2028-01-31T09:00') })
  await monthEnds('2028-01', { tier: 'INDIE', state: 'ACTIVE' })
  expect([await newest(), (await b.billing()).renewsAt]).toEqual([['29.00', 'paid'], at('2028-02-29T09:00')])

  // A failed payment that a working card makes good at once, and the end.
  await giveCard(b.s.ctx, project(), 'declined')
  await monthEnds('2028-02', { tier: 'INDIE', state: 'PAST_DUE' })
  await upgrade('INDIE', 'pm_card_visa')
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', renewsAt: at('2028-03-31T09:00') })
  await post('/cancel')
  await monthEnds('2028-03', { tier: 'FREE', state: 'FREE' })
  const all = await invoices()
  const count = (status: string) => all.filter((one) => one.status === status).length
  expect([all.length, count('paid'), count('open')]).toEqual([10, 9, 1])
}, 300_000)

test('on a clock that is moved from outside, the test store is believed', async () => {
  const offset = { SVC_MODE: 'development', SVC_TEST_CLOCK_OFFSET: String((400 * DAY) / SECOND) }
  const moved = await billingStage(offset)
  await dataOf(moved.admin().put('/billing/details', DETAILS))
  const body = { tier: 'INDIE', paymentMethodId: 'pm_card_visa' }
  expect(await dataOf(moved.admin().post('/billing/upgrade', body))).toMatchObject({ state: 'ACTIVE' })
  await advanceBilling(moved.s.ctx, moved.s.project.id, 32 * DAY)
  expect((await dataOf(moved.admin().get('/billing/invoices'))).items).toHaveLength(2)
  await moved.close()
})
