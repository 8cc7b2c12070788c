import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { rowOf } from '../support/facts'
import { buyLive } from '../support/live-purchases'
import { dataOf } from '../support/operator'
import { loadCsv } from '../support/rates'
import { type Staff, type StaffCalls, staff } from '../support/staff'

const NOW = Date.UTC(2026, 10, 20, 8)
const WEEKLY = { productId: 'com.x.pro.weekly', period: 'P1W', price: 2990, currency: 'EUR' }

let s: Stage
let team: Staff
let member: StaffCalls
beforeEach(async () => {
  s = await stage({ now: NOW })
  team = staff(s)
  member = team.as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

const kpis = () => dataOf(member.get('/subscriptions/kpis'))
const calendar = () => dataOf(member.get('/subscriptions/renewal-calendar'))
const dueOf = ({ days }: { days: { date: string; renewals: number; amountMicros: number; unconverted: number }[] }) =>
  days.filter(({ renewals }) => renewals > 0)

describe('monthly recurring revenue among the figures of subscriptions', () => {
  test('has other currencies by the rate of the day, and 52 weeks in 12 months', async () => {
    await loadCsv(s.ctx, '2026-11-19,EUR,1.1')
    await buyLive(s, 'svc_ada', { product: WEEKLY })
    await buyLive(s, 'svc_bo', { product: YEARLY })
    const weekly = Math.round((3_289_000 * 52) / 12)
    const { mrr, active } = await kpis()
    expect(mrr).toEqual({ amountMicros: weekly + Math.round(79_990_000 / 12), currency: 'USD', unconverted: 0 })
    expect(active).toBe(2)
    const { totals } = await dataOf(member.get('/metrics/mrr'))
    expect(totals.mrr).toBe(0) // Without `to` a window ends just before now.
    s.ctx.clock.advance(1)
    expect((await dataOf(member.get('/metrics/mrr'))).totals.mrr).toBe(mrr.amountMicros)
  })

  test('leaves out a currency that nobody knows, and does not take it for dollars', async () => {
    await buyLive(s, 'svc_ada', { product: { ...WEEKLY, currency: 'XTS' } })
    const { mrr, active } = await kpis()
    expect([mrr.amountMicros, mrr.unconverted, active]).toEqual([0, 1, 1])
  })

  test('has no trial, and no subscription whose end has passed before the sweep has seen it', async () => {
    await buyLive(s, 'svc_ada', { isTrial: true })
    await buyLive(s, 'svc_bo')
    s.ctx.clock.advance(40 * DAY)
    expect((await kpis()).mrr.amountMicros).toBe(0)
  })

  test('churn is the share of those paid when the 30 days of the charts began that left since', async () => {
    for (const name of ['ada', 'bo', 'cy']) await buyLive(s, `svc_${name}`, { chain: name })
    await buyLive(s, 'svc_di', { product: YEARLY })
    s.ctx.clock.advance(29 * DAY)
    await buyLive(s, 'svc_ada', { chain: 'ada' })
    s.ctx.clock.advance(20 * DAY)
    expect((await kpis()).churn30d).toBe(0.5)
    const from = '2026-12-11T00:00:00Z' // The first of the 30 days that the charts show.
    const { totals } = await dataOf(member.get(`/metrics/churn?from=${from}`))
    expect(totals).toMatchObject({ start: 4, churned: 2, rate: 0.5 })
  })
})

describe('what is active', () => {
  const rowsOf = async (query: string) => (await dataOf(member.get(`/subscriptions?${query}`))).items

  test('is paid for or in grace, and its rows are those of the list', async () => {
    await buyLive(s, 'svc_ada')
    await buyLive(s, 'svc_bo', { chain: 'bo' })
    const { purchases: p } = s.ctx.tables
    const [bo] = await s.ctx.db
      .select()
      .from(p)
      .where(eq(p.subscriberId, (await rowOf(s, 'svc_bo')).id))
    if (!bo) throw new Error('there is no purchase')
    const gracePeriodExpiresAt = (bo.fold.expiresAt ?? 0) + 16 * DAY
    const fold = { ...bo.fold, gracePeriodExpiresAt, billingTrouble: 'GRACE' as const }
    await s.ctx.write((tx) => tx.db.update(p).set({ fold, status: 'GRACE_PERIOD' }).where(eq(p.id, bo.id)))
    s.ctx.clock.advance(MINUTE)
    expect(await kpis()).toMatchObject({ active: 2, grace: 1, granted: 0 })
    expect(await rowsOf('paid=true&environment=PRODUCTION')).toHaveLength(2)
    expect(await rowsOf('status=GRACE_PERIOD')).toHaveLength(1)
  })

  test('has no grants: they are counted apart and do not renew', async () => {
    await buyLive(s, 'svc_ada')
    const { id } = await rowOf(s, 'svc_ada')
    const expiresAt = new Date(NOW + 5 * DAY).toISOString()
    const access = [...(await s.ctx.state.projects.get(s.project.id)).catalog.access.values()][0]?.identifier
    const { status } = await team.as('ADMIN').post(`/subscribers/${id}/grants`, { accessIds: [access], expiresAt })
    expect(status).toBeLessThan(300)
    expect(await kpis()).toMatchObject({ active: 1, trials: 0, granted: 1 })
    expect(dueOf(await calendar())).toEqual([]) // The grant ends within these days, and the month after them.
    expect(await rowsOf('renewsFrom=2026-11-01T00:00:00Z&renewsTo=2026-12-01T00:00:00Z')).toEqual([])
    expect(await rowsOf('paid=true')).toHaveLength(1)
  })
})

describe('the renewal calendar', () => {
  test('has other currencies in dollars, and says how many have no rate', async () => {
    await loadCsv(s.ctx, '2026-11-19,EUR,1.1')
    await buyLive(s, 'svc_ada', { product: WEEKLY })
    await buyLive(s, 'svc_bo', { product: { ...WEEKLY, currency: 'USD' } })
    await buyLive(s, 'svc_cy', { product: { ...WEEKLY, currency: 'XTS' } })
    const found = await calendar()
    const amountMicros = 3_289_000 + 2_990_000
    expect(dueOf(found)).toEqual([{ date: '2026-11-27', renewals: 3, amountMicros, unconverted: 1 }])
    expect(found.unconverted).toBe(1)
  })

  test('has the days of the time zone of the project', async () => {
    s.ctx.clock.set(Date.UTC(2026, 10, 20, 19)) // In Kathmandu it is 21 November, 00:45.
    await team.as('OWNER').patch('', { timezone: 'Asia/Kathmandu' })
    await buyLive(s, 'svc_ada', { product: { ...WEEKLY, currency: 'USD' } })
    const found = await calendar()
    expect([found.days.length, found.days[0].date]).toEqual([30, '2026-11-21'])
    expect(dueOf(found)).toEqual([{ date: '2026-11-28', renewals: 1, amountMicros: 2_990_000, unconverted: 0 }])
  })

  test('opens to the subscriptions that renew on a day', async () => {
    await buyLive(s, 'svc_ada', { product: { ...WEEKLY, currency: 'USD' } })
    await buyLive(s, 'svc_bo', { product: { ...WEEKLY, currency: 'USD' }, isTrial: true })
    await buyLive(s, 'svc_cy', { product: { ...WEEKLY, currency: 'USD' }, autoRenews: false })
    await buyLive(s, 'svc_di')
    expect(dueOf(await calendar())).toMatchObject([{ date: '2026-11-27', renewals: 2 }])
    const day = 'renewsFrom=2026-11-27T00:00:00Z&renewsTo=2026-11-28T00:00:00Z'
    const renewing = async (query: string) => (await dataOf(member.get(`/subscriptions?${query}`))).items
    const statuses = (await renewing(day)).map(({ status }: { status: string }) => status)
    expect(statuses.sort()).toEqual(['ACTIVE', 'TRIAL'])
    expect(await renewing(`${day}&status=TRIAL`)).toHaveLength(1)
    expect(await renewing(`${day}&status=EXPIRED`)).toEqual([])
    expect(await renewing('renewsFrom=2026-11-28T00:00:00Z')).toHaveLength(1)
    const backwards = 'renewsFrom=2026-11-28T00:00:00Z&renewsTo=2026-11-27T00:00:00Z'
    expect((await member.get(`/subscriptions?${backwards}`)).status).toBe(400)
  })

  test('has nothing that does not renew, nothing later than its days, and nothing of others', async () => {
    await buyLive(s, 'svc_ada', { autoRenews: false })
    await buyLive(s, 'svc_bo', { product: YEARLY })
    await buyLive(s, 'svc_cy', { product: { ...MONTHLY, period: 'P1W' }, projectId: s.other.id })
    s.ctx.clock.advance(HOUR)
    expect(dueOf(await calendar())).toEqual([])
  })
})

test('analytics that are switched off refuse neither', async () => {
  const off = await stage({ now: NOW, env: { SVC_ANALYTICS_URL: 'off' } })
  try {
    for (const path of ['/subscriptions/kpis', '/subscriptions/renewal-calendar'])
      expect((await staff(off).as('OWNER').get(path)).status).toBe(200)
  } finally {
    await off.close()
  }
})
