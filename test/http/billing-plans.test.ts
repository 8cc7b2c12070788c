import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ConfigError, readConfig } from '../../src/base/config'
import { DEFAULT_PLANS, type Tier } from '../../src/base/config-cloud'
import { DAY } from '../../src/base/lib/clock'
import { isLocked, type MonthUse } from '../../src/projects/billing/lock'
import { setPlan } from '../../src/projects/billing/service'
import { monthOf } from '../../src/projects/usage/month'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { dataOf } from '../support/operator'
import { type Staff, staff } from '../support/staff'
import { iso } from '../support/telemetry'

/** FREE includes 10 events, INDIE 100. */
const PLANS = DEFAULT_PLANS.map((plan) => ({
  ...plan,
  meters: plan.meters.map((meter) => ({
    ...meter,
    included: meter.name === 'events' ? ({ FREE: 10, INDIE: 100 }[plan.tier as string] ?? null) : meter.included,
  })),
}))

const NOVEMBER = Date.UTC(2026, 10, 20, 8)
const JANUARY = Date.UTC(2027, 0, 1)

let s: Stage
let self: Stage
let team: Staff
let number = 0
beforeAll(async () => {
  s = await stage({ env: { SVC_CLOUD: '1', SVC_BILLING_PLANS: JSON.stringify(PLANS) } })
  self = await stage()
  team = staff(s)
})
beforeEach(async () => {
  s.ctx.clock.set(NOVEMBER)
  const { usageDays: u, planChanges: p } = s.ctx.tables
  await s.ctx.write(async ({ db }) => {
    await db.delete(u)
    await db.delete(p)
  })
})
afterAll(async () => {
  await s.close()
  await self.close()
})

const support = () => team.as('CUSTOMER_SUPPORT')
/** Events on a day of a month, as they are counted. */
const use = (at: number, used: number) =>
  s.ctx.write(async ({ db, tables }) =>
    db.insert(tables.usageDays).values({
      ...{ projectId: s.project.id, meter: 'events', day: Math.floor(at / DAY), writer: ++number, used },
    }),
  )
const give = (tier: Tier, until: number | null = null) =>
  setPlan(
    s.ctx,
    { projectId: s.project.id, actor: { kind: 'CLI', id: null, email: null } },
    { tier, until, note: 'test' },
  )
const statusOf = async (path: string) => (await support().get(path)).status
const locked = async () => (await dataOf(support().get('/billing'))).locked

describe('refused', () => {
  test('without SVC_CLOUD every route of billing is 503, after membership, and usage works', async () => {
    const own = staff(self)
    for (const path of ['/billing', '/billing/usage']) {
      const { status, body } = await own.as('CUSTOMER_SUPPORT').get(path)
      expect([status, body.error.code, body.error.details]).toEqual([
        503,
        'FEATURE_NOT_CONFIGURED',
        { feature: 'billing' },
      ])
      expect((await own.as('STRANGER').get(path)).status).toBe(404)
    }
    expect((await own.as('CUSTOMER_SUPPORT').get('/usage')).status).toBe(200)
  })

  test('a plan whose end is over', async () => {
    await expect(give('INDIE', NOVEMBER)).rejects.toThrow('until must be in the future')
  })

  test.each([
    ['no JSON', '{'],
    ['no plans', '[]'],
    ['a plan twice', JSON.stringify(PLANS.map(() => PLANS[0]))],
    ['another order', JSON.stringify(PLANS.toReversed())],
    ['a negative amount', JSON.stringify(PLANS.map((plan) => ({ ...plan, storageBytes: -1 })))],
    ['an unknown member', JSON.stringify(PLANS.map((plan) => ({ ...plan, colour: 'red' })))],
  ])('SVC_BILLING_PLANS with %s', (_, plans) => {
    expect(() => readConfig({ SVC_BILLING_PLANS: plans })).toThrow(ConfigError)
    expect(() => readConfig({ SVC_BILLING_PLANS: plans })).toThrow('SVC_BILLING_PLANS')
  })
})

test('the guide has the built-in plans with their prices, and says that they are to be replaced', async () => {
  const page = await Bun.file(`${import.meta.dir}/../../src/docs/guide/pages/billing.md`).text()
  const written = (count: number | null | undefined) => count?.toLocaleString('en-US') ?? 'no limit'
  const files = (bytes: number) => (bytes < 1024 ** 3 ? `${bytes / 1024 ** 2} MiB` : `${bytes / 1024 ** 3} GiB`)
  for (const { tier, monthly, meters, storageBytes, retentionDays, assistant } of DEFAULT_PLANS) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${tier} `) && line.includes('days'))
    expect(row?.split('|').map((cell) => cell.trim())).toEqual([
      ...['', tier, monthly ? `${monthly.amountMicros / 1_000_000} USD` : 'none'],
      ...meters.map(({ included }) => written(included)),
      ...[storageBytes === null ? 'no limit' : files(storageBytes), `${written(retentionDays)} days`],
      ...[written(assistant.messages), ''],
    ])
  }
  for (const sentence of ['Replace them with your own', 'nothing is charged before you have set an account'])
    expect(page).toContain(sentence)
})

describe('a locked project', () => {
  const lock = async () => {
    await use(Date.UTC(2026, 10, 20), 11)
    await use(Date.UTC(2026, 11, 20), 11)
    s.ctx.clock.set(JANUARY)
  }

  test('is one with two completed months over its plan, from the first instant of the third', async () => {
    await lock()
    s.ctx.clock.set(JANUARY - 1)
    expect([await locked(), await statusOf('/overview')]).toEqual([false, 200])
    s.ctx.clock.set(JANUARY)
    expect(await locked()).toBe(true)
    const { status, body } = await support().get('/overview')
    expect([status, body.error.code]).toEqual([403, 'USAGE_LIMIT_EXCEEDED'])
  })

  test.each([
    '/metrics/mrr',
    '/charts',
    '/queries/schema',
    '/cohorts',
    '/leaderboards',
    '/experiments',
    '/funnels',
    '/overview/live',
  ])('does not open %s, also to its owner', async (path) => {
    await lock()
    const { status, body } = await team.as('OWNER').get(path)
    expect([status, body.error.code]).toEqual([403, 'USAGE_LIMIT_EXCEEDED'])
  })

  test('opens subscribers, transactions, usage, billing and its project', async () => {
    await lock()
    for (const path of ['', '/subscribers', '/transactions', '/usage', '/billing', '/billing/usage', '/feature-flags'])
      expect([path, await statusOf(path)]).toEqual([path, 200])
  })

  test('serves its apps: receipts, telemetry and configuration', async () => {
    await lock()
    expect((await s.get('/v1/config?subscriberId=svc_locked')).status).toBe(200)
    expect((await s.receipt('svc_locked', s.buy(MONTHLY))).status).toBe(200)
  })

  test('says 404 to a stranger, as ever', async () => {
    await lock()
    expect((await team.as('STRANGER').get('/overview')).status).toBe(404)
  })

  test('opens at once with a higher plan that includes the present month, and not with one that does not', async () => {
    await lock()
    await use(JANUARY, 101)
    await give('INDIE')
    expect(await locked()).toBe(true)
    await give('STUDIO')
    expect([await locked(), await statusOf('/overview')]).toEqual([false, 200])
  })

  test('opens after a completed month within its plan', async () => {
    await lock()
    s.ctx.clock.set(Date.UTC(2027, 1, 1))
    expect(await locked()).toBe(false)
  })

  test('as much as the plan includes is not over it', async () => {
    await use(Date.UTC(2026, 10, 20), 10)
    await use(Date.UTC(2026, 11, 20), 11)
    s.ctx.clock.set(JANUARY)
    expect(await locked()).toBe(false)
  })

  const month = (tier: Tier, used: number): MonthUse => ({ tier, used: { events: used }, included: { events: 10 } })
  test('a plan that was higher already at the end of the last month opens nothing', () => {
    expect(isLocked([month('FREE', 11), month('INDIE', 11)], month('INDIE', 0))).toBe(true)
    expect(isLocked([month('FREE', 11), month('FREE', 11)], month('INDIE', 0))).toBe(false)
  })
})

describe('a plan', () => {
  test('limits the meters of the month, and of a month that is over as at its end', async () => {
    const limit = async (query = '') =>
      (await dataOf(support().get(`/usage${query}`))).meters.find(({ name }: { name: string }) => name === 'events')
        .limit
    expect(await limit()).toBe(10)
    s.ctx.clock.set(Date.UTC(2026, 11, 2))
    await give('INDIE')
    expect([await limit(), await limit('?month=2026-11')]).toEqual([100, 10])
  })

  test('by hand ends at its end', async () => {
    await give('STUDIO', NOVEMBER + DAY)
    expect(await dataOf(support().get('/billing'))).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE' })
    s.ctx.clock.advance(DAY)
    expect(await dataOf(support().get('/billing'))).toMatchObject({ tier: 'FREE', state: 'FREE' })
  })

  test('GET billing/usage is GET usage', async () => {
    expect(await dataOf(support().get('/billing/usage'))).toEqual(await dataOf(support().get('/usage')))
    expect(monthOf(NOVEMBER).name).toBe(iso(NOVEMBER).slice(0, 7))
  })
})
