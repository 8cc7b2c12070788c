import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { refund, renew, rowOf } from '../support/facts'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
  await s.receipt('svc_ada', s.buy(MONTHLY))
  s.ctx.clock.advance(DAY)
  const bought = s.buy(YEARLY)
  await s.receipt('svc_bo', bought)
  await s.receipt('svc_bo', s.buy(COINS))
  s.ctx.clock.advance(DAY)
  await s.receipt('svc_cy', s.buy(LIFETIME))
  const month = s.buy(MONTHLY)
  await s.receipt('svc_cy', month)
  s.ctx.clock.advance(10 * DAY)
  await s.receipt('svc_cy', refund(s, month))
})
afterAll(() => s.close())

const get = (path: string, role: Parameters<Staff['as']>[0] = 'CUSTOMER_SUPPORT') => team.as(role).get(path)

interface Listed {
  id: string
  subscriberId: string
  status: string
  productIdentifier: string
}

const listed = async (query = ''): Promise<string[]> => {
  const { status, body } = await get(`/subscriptions${query}`)
  expect(status).toBe(200)
  return body.data.items.map(({ productIdentifier, status }: Listed) => `${productIdentifier} ${status}`)
}

describe('the list of subscriptions', () => {
  test('has every subscription and no other purchase, newest first', async () => {
    expect(await listed()).toEqual(['pro_monthly REFUNDED', 'pro_yearly ACTIVE', 'pro_monthly ACTIVE'])
  })

  test('goes on where a page ended, and never repeats or leaves out one', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await get(`/subscriptions?environment=SANDBOX&limit=1${cursor}`)
      seen.push(...body.data.items.map(({ id }: Listed) => id))
      if (body.data.nextCursor === null) break
      cursor = `&cursor=${body.data.nextCursor}`
    }
    const { body } = await get('/subscriptions?environment=SANDBOX')
    expect(seen).toEqual(body.data.items.map(({ id }: Listed) => id))
    expect(seen).toHaveLength(3)
  })

  test('by status, store, product, environment and time', async () => {
    expect(await listed('?status=REFUNDED')).toEqual(['pro_monthly REFUNDED'])
    expect(await listed('?status=TRIAL')).toEqual([])
    expect(await listed('?store=PAYMENT')).toEqual([])
    expect(await listed('?environment=PRODUCTION')).toEqual([])
    const [row] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect((await listed(`?productId=${row?.productId}`)).length).toBeGreaterThan(0)
    expect(await listed('?productId=prd_unknown')).toEqual([])
    const start = s.ctx.clock.now() - 12 * DAY
    const at = (days: number) => encodeURIComponent(new Date(start + days * DAY).toISOString())
    expect(await listed(`?from=${at(0.5)}&to=${at(1.5)}`)).toEqual(['pro_yearly ACTIVE'])
    expect(await listed(`?to=${at(0.5)}`)).toEqual(['pro_monthly ACTIVE'])
  })

  test('applies the clock: nothing is shown with a status that it no longer has', async () => {
    const own = await stage()
    const members = staff(own)
    await own.receipt('svc_ada', own.buy(MONTHLY))
    own.ctx.clock.advance(40 * DAY)
    const { body } = await members.as('OWNER').get('/subscriptions?status=ACTIVE')
    expect(body.data).toEqual({ items: [], nextCursor: null })
    expect((await members.as('OWNER').get('/subscriptions')).body.data.items[0].status).toBe('EXPIRED')
    await own.close()
  })

  const BAD = ['status=active', 'store=IOS', 'environment=PROD', 'from=yesterday', 'limit=0', 'limit=201', 'nonsense=1']
  for (const query of [...BAD, 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'cursor=AAAA'])
    test(`?${query} is 400`, async () => {
      const { status, body } = await get(`/subscriptions?${query}`)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    })

  test('a cursor of another filter or another list is 400', async () => {
    const { body } = await get('/subscriptions?limit=1')
    const { nextCursor } = body.data
    for (const path of ['/subscriptions?status=ACTIVE&', '/subscriptions/billing-issues?', '/transactions?'])
      expect((await get(`${path}limit=1&cursor=${nextCursor}`)).status).toBe(400)
  })

  test('another project sees none of it', async () => {
    team.sessions.roles.set(`usr_owner ${s.other.id}`, 'OWNER')
    for (const path of ['/subscriptions', '/subscriptions/billing-issues', '/transactions']) {
      const { status, body } = await team.as('OWNER').get(path, { projectId: s.other.id })
      expect([status, body.data]).toEqual([200, { items: [], nextCursor: null }])
    }
    team.sessions.roles.delete(`usr_owner ${s.other.id}`)
    expect((await get('/subscriptions', 'STRANGER')).status).toBe(404)
  })
})

test('billing issues are those in grace or retry, and no other', async () => {
  const { purchases: p } = s.ctx.tables
  const [row] = await s.ctx.db
    .select()
    .from(p)
    .where(eq(p.subscriberId, (await rowOf(s, 'svc_ada')).id))
  if (!row) throw new Error('Ada has no purchase')
  const fold = { ...row.fold, billingTrouble: 'GRACE' as const, gracePeriodExpiresAt: s.ctx.clock.now() + 40 * DAY }
  await s.ctx.write((tx) => tx.db.update(p).set({ fold, status: 'GRACE_PERIOD' }).where(eq(p.id, row.id)))
  const { body } = await get('/subscriptions/billing-issues')
  expect(body.data.items.map(({ id, status }: Listed) => [id, status])).toEqual([[row.id, 'GRACE_PERIOD']])
  await s.ctx.write((tx) => tx.db.update(p).set({ fold: row.fold, status: row.status }).where(eq(p.id, row.id)))
})

describe('figures', () => {
  test('count running subscriptions, and their prices by the month', async () => {
    const { status, body } = await get('/subscriptions/kpis?environment=SANDBOX')
    expect(status).toBe(200)
    const monthly = 9_990_000
    const yearly = Math.round(79_990_000 / 12)
    const { mrr, ...counts } = body.data
    expect(counts).toEqual({ active: 2, trials: 0, grace: 0, retry: 0, granted: 0, churn30d: 0 }) // None was paid for 30 days ago.
    expect(mrr.currency).toBe('USD')
    expect(Math.abs(mrr.amountMicros - monthly - yearly)).toBeLessThanOrEqual(1)
  })

  test('of production have nothing of the sandbox', async () => {
    const { body } = await get('/subscriptions/kpis')
    const mrr = { amountMicros: 0, currency: 'USD', unconverted: 0 }
    expect(body.data).toEqual({ active: 0, trials: 0, grace: 0, retry: 0, granted: 0, mrr, churn30d: 0 })
  })

  test('the calendar has 30 days, with the renewal of Ada on hers', async () => {
    const { body } = await get('/subscriptions/renewal-calendar?environment=SANDBOX')
    const { days } = body.data as {
      days: { date: string; renewals: number; amountMicros: number; unconverted: number }[]
    }
    expect(days).toHaveLength(30)
    expect(days[0]?.date).toBe(new Date(s.ctx.clock.now()).toISOString().slice(0, 10))
    expect(days.filter(({ renewals }) => renewals > 0)).toEqual([
      { date: '2026-12-20', renewals: 1, amountMicros: 9_990_000, unconverted: 0 },
    ])
  })

  test('volume and stores add up to the transactions', async () => {
    const { body: volume } = await get('/transactions/volume?environment=SANDBOX')
    const { body: breakdown } = await get('/transactions/store-breakdown?environment=SANDBOX')
    const { body: all } = await get('/transactions?environment=SANDBOX&limit=200')
    const sum = (rows: { amountMicros: number }[]) => rows.reduce((total, { amountMicros }) => total + amountMicros, 0)
    const micros = (all.data.items as { usdMicros: number }[]).reduce((total, { usdMicros }) => total + usdMicros, 0)
    expect(micros).toBe(9_990_000 + 79_990_000 + 990_000 + 199_990_000)
    expect([sum(volume.data.days), sum(breakdown.data.stores)]).toEqual([micros, micros])
    expect(breakdown.data.stores).toEqual([
      { store: 'IOS_STORE', transactions: 6, amountMicros: micros, unconverted: 0 },
    ])
    expect(volume.data.days).toHaveLength(30)
  })

  test('have the days of the time zone of the project', async () => {
    await team.as('OWNER').patch('', { timezone: 'Pacific/Kiritimati' }) // 14 hours before UTC.
    const { body } = await get('/transactions/volume?environment=SANDBOX')
    const { body: all } = await get('/transactions?environment=SANDBOX&limit=200')
    const dateOf = (at: string) => new Date(Date.parse(at) + 14 * HOUR).toISOString().slice(0, 10)
    const counted = Map.groupBy(all.data.items as { occurredAt: string }[], ({ occurredAt }) => dateOf(occurredAt))
    const days = body.data.days as { date: string; transactions: number }[]
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.date).toBe(dateOf(new Date(s.ctx.clock.now()).toISOString()))
    for (const { date, transactions } of days) expect(transactions).toBe(counted.get(date)?.length ?? 0)
  })

  test('of more than 366 days are 400', async () => {
    const window = 'from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'
    expect((await get(`/transactions/volume?${window}`)).status).toBe(400)
    expect((await get(`/transactions/store-breakdown?${window}`)).status).toBe(400)
  })
})

describe('the list of transactions', () => {
  const kinds = async (query: string): Promise<string[]> => {
    const { status, body } = await get(`/transactions?${query}`)
    expect(status).toBe(200)
    return body.data.items.map(({ kind }: { kind: string }) => kind)
  }

  test('is newest first, and pages join without a gap at equal instants', async () => {
    const whole = (await get('/transactions')).body.data.items.map(({ id }: Listed) => id)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await get(`/transactions?limit=1${cursor}`)
      seen.push(...body.data.items.map(({ id }: Listed) => id))
      if (body.data.nextCursor === null) break
      cursor = `&cursor=${body.data.nextCursor}`
    }
    expect(seen).toEqual(whole)
    expect(new Set(seen).size).toBe(6)
  })

  test('by kind, person, purchase, product and time', async () => {
    expect(await kinds('kind=REFUND')).toEqual(['REFUND'])
    expect((await kinds(`subscriberId=${(await rowOf(s, 'svc_bo')).id}`)).sort()).toEqual([
      'CREDIT_PURCHASE',
      'INITIAL',
    ])
    expect(await kinds('subscriberId=sub_nobody')).toEqual([])
    expect(await kinds('from=2027-01-01T00:00:00Z')).toEqual([])
    const [row] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect((await kinds(`purchaseId=${row?.id}`)).length).toBeGreaterThan(0)
  })

  for (const query of ['kind=SALE', 'nonsense=1', 'to=never', 'cursor=AAAA'])
    test(`?${query} is 400`, async () => {
      expect((await get(`/transactions?${query}`)).status).toBe(400)
    })
})

test('a renewal that has just come is the newest transaction', async () => {
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_dee', bought)
  s.ctx.clock.advance(30 * DAY)
  await s.receipt('svc_dee', renew(s, bought, MONTHLY))
  const { body } = await get('/transactions?limit=1')
  expect(body.data.items[0]).toMatchObject({ kind: 'RENEWAL', price: { amountMicros: 9_990_000, currency: 'USD' } })
})
