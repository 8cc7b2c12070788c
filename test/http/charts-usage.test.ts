import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { bookEntry } from '../../src/people/currencies/service'
import type { LedgerType } from '../../src/people/currencies/tables'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { countsOf, expose } from '../support/experiments'
import { rowOf } from '../support/facts'
import { trustForProduction } from '../support/notify'
import { place } from '../support/placements'
import { configure } from '../support/remote'
import { type StaffCalls, staff } from '../support/staff'
import { expectSubmitted } from '../support/story'
import { opened, postSessions } from '../support/telemetry'

// Charts of currencies, experiments, placements and app users: exact numbers, and their rows.

const NOW = Date.UTC(2026, 10, 20, 8)

let s: Stage
let member: StaffCalls
beforeEach(async () => {
  s = await stage({ now: NOW, env: { SVC_RATE_USER: '0' } })
  trustForProduction(s)
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

const chart = async (id: string, query = 'from=2026-11-18&to=2026-11-22') => {
  const { status, body } = await member.get(`/charts/${id}?${query}`)
  expect([id, status]).toEqual([id, 200])
  return body.data
}

interface Row {
  subscriberId: string
  contribution: number
  at: string
}

/** All rows, read by pages of one. */
async function rowsOf(id: string, query: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await member.get(`/charts/${id}/rows?limit=1&${query}${next}`)
    expect([id, query, status]).toEqual([id, query, 200])
    rows.push(...body.data.items)
    cursor = body.data.nextCursor
  }
  return rows
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { contribution }) => sum + contribution, 0)

/** Every value of the whole and of each group is the sum of its rows. */
async function expectOpen(id: string, start = '2026-11-18', to = '2026-11-22') {
  const { totals, groups } = await chart(id, `from=${start}&to=${to}&grain=total`)
  const parts = [{ key: null, totals }, ...groups] as { key: string | null; totals: Record<string, number> }[]
  for (const { key, totals: figures } of parts)
    for (const [value, figure] of Object.entries(figures)) {
      const named = key === null ? '' : `&group=${encodeURIComponent(key)}`
      const rows = await rowsOf(id, `start=${start}&to=${to}&grain=total&value=${value}${named}`)
      expect([id, key, value, sumOf(rows)]).toEqual([id, key, value, figure])
    }
}

describe('virtual currencies', () => {
  const GEMS = 'vcy_gems'

  async function book(device: string, type: LedgerType, amount: number | bigint, currencyId?: string) {
    await s.get('/v1/virtual-currencies/me', device)
    const project = await s.ctx.state.projects.get(s.project.id)
    const coins = project.catalog.currencyByCode.get('coins')?.id ?? ''
    const { id: subscriberId } = await rowOf(s, device)
    const draft = { projectId: s.project.id, subscriberId, currencyId: currencyId ?? coins, type }
    expect((await s.ctx.write((tx) => bookEntry(tx, { ...draft, amount: BigInt(amount) }))).ok).toBe(true)
  }

  beforeEach(async () => {
    const { virtualCurrencies } = s.ctx.tables
    const gems = { id: GEMS, projectId: s.project.id, code: 'emeralds', name: 'Emeralds', createdAt: 1, updatedAt: 1 }
    await s.ctx.write((tx) => tx.db.insert(virtualCurrencies).values(gems))
    s.ctx.clock.set(NOW - 10 * DAY)
    await book('svc_ada', 'BONUS', 100)
    s.ctx.clock.set(NOW)
    await book('svc_ada', 'SPEND', -30)
    await book('svc_bo', 'PURCHASE', 50)
    await book('svc_bo', 'BONUS', 7, GEMS)
    s.ctx.clock.advance(DAY)
    await book('svc_bo', 'REFUND', -20)
    await book('svc_bo', 'SPEND', -30)
    await book('svc_ada', 'EXPIRE', -5)
  })

  test('are issued, spent, withdrawn and held, by currency', async () => {
    const { series, totals, groups } = await chart('virtual-currency')
    expect(groups.map(({ key }: { key: string }) => key)).toEqual(['coins', 'emeralds'])
    const [coins, gems] = groups
    const none = { issued: 0, spent: 0, withdrawn: 0, transferred: 0 }
    expect(coins.series.map(({ values }: { values: object }) => values)).toEqual([
      { start: 100, ...none, end: 100 },
      { start: 100, ...none, end: 100 },
      { ...none, start: 100, issued: 50, spent: 30, end: 120 },
      { ...none, start: 120, spent: 30, withdrawn: 25, end: 65 },
    ])
    expect(coins.totals).toEqual({ start: 100, issued: 50, spent: 60, withdrawn: 25, transferred: 0, end: 65 })
    expect(gems.totals).toEqual({ ...none, start: 0, issued: 7, end: 7 })
    expect(totals).toEqual({ start: 100, issued: 57, spent: 60, withdrawn: 25, transferred: 0, end: 72 })
    expect(series.at(-1).values.end).toBe(72)
  })

  test('open to entries of the ledger and to holders', async () => {
    await expectOpen('virtual-currency')
    const query = 'start=2026-11-18&to=2026-11-22&grain=total&value=end'
    expect(await rowsOf('virtual-currency', `${query}&group=coins`)).toMatchObject([
      // Who holds nothing is no row.
      { subscriberId: (await rowOf(s, 'svc_ada')).id, contribution: 65, purchaseId: null, unit: 'count' },
    ])
    expect(await rowsOf('virtual-currency', `${query}&group=rubies`)).toEqual([])
  })

  test('may be more than fits into 64 bits', async () => {
    const most = 2n ** 62n
    for (const device of ['svc_d1', 'svc_d2', 'svc_d3']) await book(device, 'BONUS', most, GEMS)
    const { groups } = await chart('virtual-currency', 'from=2026-11-18&to=2026-11-22&grain=total')
    expect(groups[1].totals.issued).toBe(3 * 2 ** 62)
  })

  test('are no other project’s', async () => {
    const { body } = await member.get('/charts/virtual-currency?from=2026-11-18', { projectId: s.other.id })
    expect(body.data).toBeUndefined()
    const stranger = staff(s).as('STRANGER')
    expect((await stranger.get('/charts/virtual-currency/rows?start=2026-11-18&value=end')).status).toBe(404)
  })

  test.each([
    ['grouping', 'groupBy=store'],
    ['a filter', 'country=DE'],
    ['time travel', 'knownAt=2026-11-01'],
  ])('refuse %s', async (_, query) => {
    expect((await member.get(`/charts/virtual-currency?${query}`)).status).toBe(400)
    expect((await member.get(`/charts/virtual-currency/rows?start=2026-11-18&value=end&${query}`)).status).toBe(400)
  })

  test('have no rows of a value that is none, or without one', async () => {
    expect((await member.get('/charts/virtual-currency/rows?start=2026-11-18')).status).toBe(400)
    expect((await member.get('/charts/virtual-currency/rows?start=2026-11-18&value=burnt')).status).toBe(400)
  })

  test('are a table with a line for each currency and cell', async () => {
    const origin = s.ctx.config.publicBaseUrl ?? 'http://localhost'
    const cookie = `${origin.startsWith('https:') ? '__Host-svc_session' : 'svc_session'}=CUSTOMER_SUPPORT`
    const path = `/dashboard/projects/${s.project.id}/charts/virtual-currency/export?from=2026-11-20&to=2026-11-21`
    const answer = await s.app.handle(new Request(`http://localhost${path}`, { headers: { cookie, origin } }))
    expect(await answer.text()).toBe(
      [
        'cellStart,group,start,issued,spent,withdrawn,transferred,end',
        '2026-11-20T00:00:00.000Z,coins,100,50,30,0,0,120',
        '2026-11-20T00:00:00.000Z,emeralds,0,7,0,0,0,7',
        '',
      ].join('\r\n'),
    )
  })
})

describe('experiments and placements', () => {
  beforeEach(async () => {
    const startedAt = NOW
    await configure(s, {
      experiments: [
        { id: 'exp_1', key: 'checkout_test', startedAt, metrics: ['purchase', 'signup'] },
        { id: 'exp_2', key: 'color', startedAt, metrics: [] },
        { id: 'exp_3', key: 'draft', status: 'DRAFT' },
      ],
    })
    await configure(s, { experiments: [{ id: 'exp_other', key: 'theirs', startedAt }] }, s.other.id)
    const placed = ['onboarding', 'paywall'].map((identifier) => ({ id: `plc_${identifier}`, identifier, rows: [] }))
    await place(s, { placements: placed })
    s.ctx.clock.advance(HOUR)
    await expose(s, 'svc_ada', 'a', { placementId: 'onboarding' })
    await expose(s, 'svc_bo', 'b', { placementId: 'onboarding' })
    await expose(s, 'svc_ada', 'b', {}, 'color')
    s.ctx.clock.advance(HOUR)
    await buys('svc_ada', 'onboarding')
    await buys('svc_cy', 'onboarding')
    s.ctx.clock.advance(DAY)
    await expose(s, 'svc_cy', 'a', { placementId: 'paywall' })
  })

  async function buys(device: string, placementId: string) {
    await expectSubmitted(s.receipt(device, { ...s.buy(MONTHLY), environment: 'Production' } as never))
    const { purchases } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(purchases).set({ presentedContext: { placementId } }))
  }

  test('tell exposures and conversions of each variant, as the results count them', async () => {
    const { series, groups, totals } = await chart('experiment-conversion')
    expect(series.map(({ values }: { values: object }) => values)).toEqual([
      { exposed: 0, converted: 0 },
      { exposed: 0, converted: 0 },
      { exposed: 3, converted: 1 },
      { exposed: 1, converted: 0 },
    ])
    expect(Object.fromEntries(groups.map((one: { key: string; totals: object }) => [one.key, one.totals]))).toEqual({
      'checkout_test/a': { exposed: 2, converted: 1 },
      'checkout_test/b': { exposed: 1, converted: 0 },
      'color/b': { exposed: 1, converted: 0 },
    })
    expect(totals).toEqual({ exposed: 4, converted: 1 })
    expect(await countsOf(s)).toEqual(['a 2/1', 'b 1/0'])
  })

  test('tell purchases of each placement after it was shown', async () => {
    await expose(s, 'svc_dee', 'b', { placementId: 'no placement of the project' })
    const { groups, totals } = await chart('placement-conversion')
    expect(groups.map((one: { key: string; totals: object }) => [one.key, one.totals])).toEqual([
      ['onboarding', { shown: 2, bought: 1 }],
      ['paywall', { shown: 1, bought: 0 }],
    ])
    expect(totals).toEqual({ shown: 3, bought: 1 })
  })

  test.each(['experiment-conversion', 'placement-conversion'])('open to subscribers: %s', async (id) => {
    await expectOpen(id)
    const rows = await rowsOf(
      id,
      `start=2026-11-20&to=2026-11-22&grain=total&value=${id[0] === 'e' ? 'exposed' : 'shown'}`,
    )
    expect(rows.map(({ at }) => at)).toEqual(
      rows
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })
})

describe('retention of app users', () => {
  const active = async (device: string, days: number) => {
    s.ctx.clock.set(NOW + days * DAY)
    expect((await postSessions(s, device, [opened(s)])).status).toBe(202)
  }

  test('is the share that is active days later, when those days are over', async () => {
    for (const [device, day] of [
      ['svc_ada', 0],
      ['svc_bo', 0],
      ['svc_ada', 1],
      ['svc_cy', 1],
      ['svc_ada', 7],
      ['svc_bo', 7],
      ['svc_cy', 8],
    ] as const)
      await active(device, day)
    const cells = async () => (await chart('user-retention', 'from=2026-11-20&to=2026-11-22')).series
    expect(await cells()).toMatchObject([
      { values: { d1: 0.5, d7: 1, d14: null, d30: null } },
      { values: { d1: 0, d7: null, d14: null } },
    ])
    s.ctx.clock.advance(7 * DAY)
    expect(await cells()).toMatchObject([{ values: { d7: 1, d14: 0 } }, { values: { d7: 1, d14: null } }])
    const rows = await rowsOf('user-retention', 'start=2026-11-20&to=2026-11-22&grain=total&value=d7')
    expect(rows.map(({ at, contribution }) => [at.slice(0, 10), contribution])).toEqual([
      ['2026-11-21', 1],
      ['2026-11-20', 1],
      ['2026-11-20', 1],
    ])
    const stranger = await member.get('/charts/user-retention?from=2026-11-20', { projectId: s.other.id })
    expect(stranger.body.data).toBeUndefined()
  })
})
