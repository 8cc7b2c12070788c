import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { identify } from '../support/facts'
import { importJob, importRow, importRows } from '../support/imports'
import { buyLive } from '../support/live-purchases'
import { dataOf } from '../support/operator'
import { loadCsv } from '../support/rates'
import { type Staff, type StaffCalls, staff, staffId } from '../support/staff'

const NOW = Date.UTC(2026, 10, 20, 8)

let s: Stage
let team: Staff
let member: StaffCalls
beforeEach(async () => {
  s = await stage({ now: NOW })
  team = staff(s)
  member = team.as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

const overview = () => dataOf(member.get('/overview'))

const days = (...last: number[]) => [...Array.from({ length: 30 - last.length }, () => 0), ...last]

/** Amounts say how much they lack. */
const lackOf = (name: string) => (['mrr', 'revenue30d'].includes(name) ? { unconverted: 0 } : {})

describe('the figures', () => {
  test('of an empty project are zero on 30 days', async () => {
    const { first, stores, health: _, ...figures } = await overview()
    for (const [name, figure] of Object.entries(figures))
      expect([name, figure]).toEqual([name, { value: 0, previous: 0, daily: days(), ...lackOf(name) }])
    expect(Object.keys(figures)).toEqual(['mrr', 'activeSubscriptions', 'trials', 'revenue30d', 'newSubscribers30d'])
    expect(first).toEqual({ call: null, purchase: null })
    expect(stores).toEqual([])
  })

  test('are those of the purchases, at once and on their days', async () => {
    await buyLive(s, 'svc_ada')
    const first = await overview()
    expect(first.mrr).toEqual({ value: 9_990_000, previous: 0, daily: days(9_990_000), unconverted: 0 })
    expect(first.activeSubscriptions.value).toBe(1)
    expect(first.revenue30d.value).toBe(9_990_000)
    s.ctx.clock.advance(2 * DAY)
    await buyLive(s, 'svc_bo', { product: YEARLY })
    await buyLive(s, 'svc_cy', { product: COINS })
    const yearly = Math.round(79_990_000 / 12)
    const { mrr, activeSubscriptions, revenue30d, newSubscribers30d } = await overview()
    expect(mrr.daily.slice(-4)).toEqual([0, 9_990_000, 9_990_000, 9_990_000 + yearly])
    expect(mrr.value).toBe(9_990_000 + yearly)
    expect(activeSubscriptions.daily.slice(-4)).toEqual([0, 1, 1, 2])
    expect(revenue30d.daily.slice(-4)).toEqual([0, 9_990_000, 0, 79_990_000 + 990_000])
    expect(revenue30d.value).toBe(9_990_000 + 79_990_000 + 990_000)
    expect(newSubscribers30d).toEqual({ value: 3, previous: 0, daily: days(1, 0, 2) })
  })

  test('fall when time alone ends a subscription, without another write', async () => {
    await buyLive(s, 'svc_ada')
    expect((await overview()).activeSubscriptions.value).toBe(1)
    s.ctx.clock.advance(40 * DAY)
    const { mrr, activeSubscriptions, revenue30d } = await overview()
    expect(mrr.value).toBe(0)
    // Ten days before the first day that is shown it was bought: it was paid for when the 30 days began.
    expect([activeSubscriptions.value, activeSubscriptions.previous]).toEqual([0, 1])
    expect([revenue30d.value, revenue30d.previous]).toEqual([0, 9_990_000])
  })

  test('count a trial as a trial, and not as revenue', async () => {
    await buyLive(s, 'svc_ada', { isTrial: true })
    const { mrr, trials, activeSubscriptions, revenue30d } = await overview()
    expect([trials.value, activeSubscriptions.value, mrr.value, revenue30d.value]).toEqual([1, 0, 0, 0])
  })

  test('say how many amounts lack an exchange rate', async () => {
    await buyLive(s, 'svc_ada', {
      product: { productId: 'com.x.pro.weekly', period: 'P1W', price: 2990, currency: 'XTS' },
    })
    const { mrr, revenue30d } = await overview()
    expect([mrr.value, mrr.unconverted, revenue30d.value, revenue30d.unconverted]).toEqual([0, 1, 0, 1])
  })

  test('are those of the sandbox when they are asked for', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const ask = (query: string) => dataOf(member.get(`/overview${query}`))
    const sandbox = await ask('?environment=SANDBOX')
    expect([sandbox.activeSubscriptions.value, sandbox.mrr.value]).toEqual([1, 9_990_000])
    for (const query of ['', '?environment=PRODUCTION']) expect((await ask(query)).activeSubscriptions.value).toBe(0)
    expect((await member.get('/overview?environment=TEST')).status).toBe(400)
    await buyLive(s, 'svc_bo')
    expect((await ask('?environment=SANDBOX')).activeSubscriptions.value).toBe(1)
    expect((await ask('')).activeSubscriptions.value).toBe(1)
  })

  test('count new people in the environment in which they buy, and open to them in both', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await buyLive(s, 'svc_bo')
    await s.get('/v1/me', 'svc_cy')
    await s.receipt('svc_dee', s.buy(MONTHLY))
    const told = async () => {
      s.ctx.clock.advance(1000) // A chart ends before this moment.
      const counts = []
      for (const query of ['environment=PRODUCTION', 'environment=SANDBOX']) {
        const { newSubscribers30d } = await dataOf(member.get(`/overview?${query}`))
        const { totals } = await dataOf(member.get(`/charts/new-subscribers?${query}`))
        const rows = await dataOf(member.get(`/charts/new-subscribers/rows?start=2026-10-01&grain=total&${query}`))
        counts.push([newSubscribers30d.value, totals.value, rows.items.length])
      }
      return counts
    }
    expect(await told()).toEqual([
      [2, 2, 2],
      [2, 2, 2],
    ])
    // Who also buys in production is there, and in the sandbox no more.
    await buyLive(s, 'svc_dee')
    expect(await told()).toEqual([
      [3, 3, 3],
      [1, 1, 1],
    ])
  })

  test('count a person who was merged with a buyer of the sandbox in the sandbox', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await s.get('/v1/me', 'svc_bo')
    for (const device of ['svc_ada', 'svc_bo']) expect((await identify(s, device, 'ada')).status).toBe(200)
    const counts = ['PRODUCTION', 'SANDBOX'].map(async (environment) => {
      const { newSubscribers30d } = await dataOf(member.get(`/overview?environment=${environment}`))
      return newSubscribers30d.value
    })
    expect(await Promise.all(counts)).toEqual([0, 2])
  })

  test('have nothing of the sandbox, and nothing of another project', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await buyLive(s, 'svc_bo', { product: YEARLY, projectId: s.other.id })
    const { mrr, revenue30d, newSubscribers30d } = await overview()
    expect([mrr.value, revenue30d.value, newSubscribers30d.value]).toEqual([0, 0, 0])
    team.sessions.roles.set(`${staffId('OWNER')} ${s.other.id}`, 'OWNER')
    const other = await dataOf(team.as('OWNER').get('/overview', { projectId: s.other.id }))
    expect([other.activeSubscriptions.value, other.newSubscribers30d.value]).toEqual([1, 1])
  })

  test('count people of an import on the day on which they were first seen', async () => {
    await buyLive(s, 'svc_ada')
    expect((await overview()).newSubscribers30d).toEqual({ value: 1, previous: 0, daily: days(1) })
    const seen = [3, 3, 45, 900].map((ago, index) =>
      importRow({
        ...{ line: index + 2, subscriberExternalId: `user_${index}`, firstSeenAt: NOW - ago * DAY },
        ...{ storeTransactionId: `${index}`, originalTransactionId: `${index}` },
      }),
    )
    await importRows(s, await importJob(s), seen)
    expect((await overview()).newSubscribers30d).toEqual({ value: 3, previous: 1, daily: days(2, 0, 0, 1) })
    const from = toIso(NOW - 29 * DAY).slice(0, 10)
    const to = toIso(NOW + 1)
    const { series } = await dataOf(member.get(`/charts/new-subscribers?grain=day&from=${from}&to=${to}`))
    expect(series.map(({ values }: { values: { value: number } }) => values.value)).toEqual(days(2, 0, 0, 1))
  })

  test('have the days of the time zone of the project, and follow when it is changed', async () => {
    s.ctx.clock.set(Date.UTC(2026, 10, 20, 19)) // In Kathmandu it is 21 November, 00:45.
    await buyLive(s, 'svc_ada')
    s.ctx.clock.advance(6 * HOUR)
    expect((await overview()).revenue30d.daily.slice(-2)).toEqual([9_990_000, 0])
    const { status } = await team.as('OWNER').patch('', { timezone: 'Asia/Kathmandu' })
    expect(status).toBe(200)
    expect((await overview()).revenue30d.daily.slice(-2)).toEqual([0, 9_990_000])
  })

  test('are those of the charts of the same days', async () => {
    for (const [index, product] of [MONTHLY, YEARLY, COINS].entries()) {
      await buyLive(s, `svc_${index}`, { product })
      s.ctx.clock.advance(9 * DAY + HOUR)
    }
    const figures = await overview()
    const from = toIso(s.ctx.clock.now() - 29 * DAY).slice(0, 10)
    const chart = async (id: string, value = 'value') => {
      const to = toIso(s.ctx.clock.now() + 1)
      const { series } = await dataOf(member.get(`/charts/${id}?grain=day&from=${from}&to=${to}`))
      return series.map(({ values }: { values: Record<string, number> }) => values[value])
    }
    expect(figures.mrr.daily).toEqual(await chart('mrr'))
    expect(figures.activeSubscriptions.daily).toEqual(await chart('active-subscriptions'))
    expect(figures.trials.daily).toEqual(await chart('active-trials'))
    expect(figures.revenue30d.daily).toEqual(await chart('net-revenue'))
    expect(figures.newSubscribers30d.daily).toEqual(await chart('new-subscribers'))
    expect(figures.revenue30d.value).toBeGreaterThan(0)
  })
})

describe('the first call and the first purchase', () => {
  test('are there from the moment on at which they happen, and stay', async () => {
    await s.get('/v1/me', 'svc_ada')
    expect((await overview()).first).toEqual({ call: toIso(NOW), purchase: null })
    s.ctx.clock.advance(HOUR)
    await s.receipt('svc_ada', s.buy(MONTHLY)) // A test purchase ends the first run too.
    await s.ctx.state.firstCalls.save()
    s.ctx.clock.advance(HOUR)
    await s.get('/v1/me', 'svc_bo')
    await s.ctx.state.firstCalls.save()
    expect((await overview()).first).toEqual({ call: toIso(NOW), purchase: toIso(NOW + HOUR) })
  })

  test('of a project that was called before are not moved', async () => {
    const { apiKeys: k } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(k).set({ lastUsedAt: NOW - 3 * DAY }))
    await s.get('/v1/me', 'svc_ada')
    await s.ctx.state.firstCalls.save()
    expect((await overview()).first.call).toBe(toIso(NOW - 3 * DAY))
  })

  test('are not those of another project, nor of a key that is none', async () => {
    await s.get('/v1/me', 'svc_ada', { key: s.other.publicKey })
    await s.get('/v1/me', 'svc_ada', { key: `svc_pub_${'x'.repeat(32)}` })
    expect((await overview()).first).toEqual({ call: null, purchase: null })
  })
})

describe('the stores', () => {
  /** A notification as the inbox keeps it. */
  async function notified(at: number, delayMs: number | null, store: 'IOS_STORE' | 'PAYMENT' = 'IOS_STORE') {
    const { storeEvents: e } = s.ctx.tables
    const id = s.ctx.ids.next('sev')
    const eventAt = delayMs === null ? null : at - delayMs
    await s.ctx.write((tx) =>
      tx.db.insert(e).values({
        ...{ id, projectId: s.project.id, store, notificationId: id, type: 'TEST', status: 'PROCESSED' as const },
        ...{ body: '{}', attempts: 1, eventAt, receivedAt: at, postedAt: at, processedAt: at },
      }),
    )
  }

  test('have their last notification, the median of their delays and their half hours', async () => {
    const start = NOW + 10 * MINUTE
    s.ctx.clock.set(start)
    for (const delay of [100, 900, 300]) await notified(start - 20 * MINUTE, delay)
    await notified(start - MINUTE, null)
    await notified(start - 25 * HOUR, 60_000)
    const [ios, ...others] = (await overview()).stores
    expect(others).toEqual([])
    expect(ios).toMatchObject({ store: 'ios', status: 'INCOMPLETE', lastNotificationAt: toIso(start - MINUTE) })
    expect(ios.medianDelayMs).toBe(600)
    expect(ios.halfHours).toHaveLength(48)
    expect(ios.halfHours.slice(-2)).toEqual([3, 1])
    expect(ios.halfHours.reduce((sum: number, one: number) => sum + one)).toBe(4)
  })

  test('move on with time, and count what came since', async () => {
    await notified(NOW, 100)
    await notified(NOW - 20 * HOUR, 100)
    expect((await overview()).stores[0].halfHours.at(-1)).toBe(1)
    s.ctx.clock.advance(2 * HOUR)
    await notified(NOW + 2 * HOUR, 100, 'PAYMENT')
    const { stores } = await overview()
    expect(stores.map(({ store }: { store: string }) => store)).toEqual(['ios', 'payment'])
    expect(stores[0].halfHours.slice(-5)).toEqual([1, 0, 0, 0, 0])
    expect(stores[1].halfHours.slice(-2)).toEqual([0, 1])
    s.ctx.clock.advance(3 * HOUR)
    expect((await overview()).stores[0].halfHours.reduce((sum: number, one: number) => sum + one)).toBe(1)
  })
})

describe('health', () => {
  const concerns = async (code: string) => {
    s.ctx.clock.advance(11_000)
    return (await overview()).health.filter((one: { code: string }) => one.code === code)
  }

  test('names a webhook endpoint that was switched off, with what to do, until it is switched on', async () => {
    const owner = team.as('OWNER')
    const made = await owner.post('/webhook-endpoints', { name: 'hook', url: 'https://8.8.8.8/x', eventTypes: ['*'] })
    expect(await concerns('WEBHOOKS')).toEqual([])
    const { webhookEndpoints: w } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(w).set({ isEnabled: false, disabledReason: 'GONE' }))
    expect(await concerns('WEBHOOKS')).toEqual([
      {
        ...{ code: 'WEBHOOKS', kind: 'GAP' },
        message: 'The webhook endpoint hook was switched off, because its address answered 410.',
        action: 'Correct the receiver, switch it on again, and replay what it has missed.',
        finding: { code: 'WEBHOOK_GONE', params: { name: 'hook' } },
      },
    ])
    await owner.patch(`/webhook-endpoints/${made.body.data.id}`, { isEnabled: true })
    expect(await concerns('WEBHOOKS')).toEqual([])
  })

  test('names notifications that failed or wait, and not those of another project', async () => {
    const { storeEvents: e } = s.ctx.tables
    const row = (projectId: string, status: 'FAILED' | 'RECEIVED') => {
      const id = s.ctx.ids.next('sev')
      const at = s.ctx.clock.now() - 20 * MINUTE
      return {
        ...{ id, projectId, store: 'IOS_STORE' as const, notificationId: id, type: 'TEST', status, body: '{}' },
        ...{ attempts: 1, eventAt: at, receivedAt: at, postedAt: at },
      }
    }
    await s.ctx.write((tx) => tx.db.insert(e).values([row(s.other.id, 'FAILED'), row(s.other.id, 'RECEIVED')]))
    expect(await concerns('STORE_NOTIFICATIONS')).toEqual([])
    await s.ctx.write((tx) => tx.db.insert(e).values([row(s.project.id, 'FAILED'), row(s.project.id, 'RECEIVED')]))
    const found = await concerns('STORE_NOTIFICATIONS')
    expect(found.map(({ kind, message }: { kind: string; message: string }) => [kind, message])).toEqual([
      ['FAULT', '1 notifications of stores that came in the last 24 hours could not be processed.'],
      ['FAULT', '1 notifications of stores wait, the oldest for 20 minutes.'],
    ])
    for (const { action } of found) expect(action).toBeString()
  })

  test('names stale exchange rates, which are the same for every project', async () => {
    expect(await concerns('EXCHANGE_RATES')).toEqual([])
    await loadCsv(s.ctx, '2026-11-11,EUR,1.1')
    const [stale] = await concerns('EXCHANGE_RATES')
    expect(stale).toMatchObject({
      ...{ kind: 'GAP', action: expect.stringContaining('svc rates load') },
      finding: { code: 'RATES_STALE', params: { day: '2026-11-11' } },
    })
  })

  test('names deliveries that are long due', async () => {
    const { deliveryTargets: t } = s.ctx.tables
    const owner = team.as('OWNER')
    await owner.post('/webhook-endpoints', { name: 'hook', url: 'https://8.8.8.8/x', eventTypes: ['*'] })
    const before = await concerns('DELIVERIES')
    await s.ctx.write((tx) => tx.db.update(t).set({ dueAt: s.ctx.clock.now() - 30 * MINUTE }))
    expect([before, (await concerns('DELIVERIES')).length]).toEqual([[], 1])
  })
})

describe('refused', () => {
  test('strangers, nobody, and what the routes do not know', async () => {
    for (const path of ['/overview', '/overview/live']) {
      expect((await team.as('STRANGER').get(path)).body.error.code).toBe('NOT_FOUND')
      expect((await member.get(`${path}?from=2026-11-01`)).status).toBe(400)
      const nobody = await s.get(`/dashboard/projects/${s.project.id}${path}`, undefined, { key: null })
      expect([nobody.status, nobody.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
      expect((await member.get(path, { projectId: s.other.id })).status).toBe(404)
    }
  })

  test('members of a suspended project', async () => {
    const { projects: p } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(p).set({ suspendedAt: NOW }))
    s.ctx.state.projects.forget(s.project.id)
    for (const path of ['/overview', '/overview/live'])
      expect((await member.get(path)).body.error.code).toBe('PROJECT_SUSPENDED')
  })

  test('everything where analytics are switched off', async () => {
    const off = await stage({ now: NOW, env: { SVC_ANALYTICS_URL: 'off' } })
    try {
      for (const path of ['/overview', '/overview/live']) {
        const { status, body } = await staff(off).as('OWNER').get(path)
        expect([path, status, body.error.code]).toEqual([path, 503, 'ANALYTICS_UNAVAILABLE'])
      }
    } finally {
      await off.close()
    }
  })
})
