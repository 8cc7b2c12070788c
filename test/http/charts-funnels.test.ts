import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { publishPaidFunnel, type Visitor, visitorAtPayment } from '../support/funnel-payments'
import { begin, choice, funnelPage, publishFunnel } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

// Charts of funnels: exact numbers, and the rows of each. The payments are those of the test store, so of the sandbox.

const NOW = Date.UTC(2026, 10, 20, 8)
const WINDOW = 'from=2026-11-18&to=2026-11-23'

let s: Stage
let member: StaffCalls
let theirs: StaffCalls
let paid: Visitor[]

beforeAll(async () => {
  s = await stage({ now: NOW, env: { SVC_RATE_USER: '0', SVC_RATE_IP: '0' } })
  member = staff(s).as('CUSTOMER_SUPPORT')
  const dev = staff(s).as('DEVELOPER')
  const sleep = await publishPaidFunnel(s)
  await publishFunnel(dev, 'quiz', [
    funnelPage('goal', 'end', { fields: [choice('goal', ['sleep', 'focus'])] }),
    funnelPage('end', null, { type: 'success' }),
  ])
  const first = await begin(s, 'quiz', { utm: { source: 'mail' } })
  await dataOf(first.go('goal', { goal: 'sleep' }))
  await begin(s, 'quiz', { utm: { source: 'ads' } })
  paid = [await visitorAtPayment(s, sleep), await visitorAtPayment(s, sleep)]
  await visitorAtPayment(s, sleep)
  const tokens: string[] = []
  for (const [index, one] of paid.entries()) {
    const { payment_id } = await dataOf(
      one.begin(index === 0 ? 'monthly' : 'coins', { email: `b${index}@example.com` }),
    )
    await dataOf(one.attempt(payment_id, 'pays'))
    tokens.push((await dataOf(one.confirm(payment_id))).token)
    s.ctx.clock.advance(MINUTE)
  }
  await dataOf(s.post('/v1/subscribers/claim-funnel-token', { token: tokens[0], anon_id: 'svc_ada' }))
  s.ctx.clock.advance(DAY)
  const { items } = await dataOf(member.get('/transactions?environment=SANDBOX'))
  const coins = items.find((one: { kind: string }) => one.kind === 'CREDIT_PURCHASE')
  await dataOf(staff(s).as('ADMIN').post(`/transactions/${coins.id}/refund`, {}))
  // The last staff of a stage is the one that is known.
  const crew = staff(s)
  member = crew.as('CUSTOMER_SUPPORT')
  theirs = crew.as('STRANGER')
  const stranger = crew.sessions.sessions.get('STRANGER')
  crew.sessions.roles.set(`${stranger?.user.id} ${s.other.id}`, 'CUSTOMER_SUPPORT')
})
afterAll(() => s.close())

const chart = (id: string, query = '') => dataOf(member.get(`/charts/${id}?${WINDOW}${query}`))
const totalsOf = async (id: string, query = '') => (await chart(id, query)).totals
const groupsOf = async (id: string, query = '') =>
  (await chart(id, query)).groups.map((one: { key: string; totals: object }) => [one.key, one.totals])

/** All rows, read by pages of one. */
async function rowsOf(id: string, query: string) {
  const rows: { contribution: number; funnelSessionId: string | null; transactionId: string | null }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await dataOf(member.get(`/charts/${id}/rows?limit=1&${query}${next}`))
    rows.push(...page.items)
    cursor = page.nextCursor
  }
  return rows
}

const SANDBOX = '&environment=SANDBOX'
const IDS = [
  ...['funnel-sessions', 'funnel-conversion', 'funnel-paid-share', 'funnel-steps', 'funnel-sources'],
  ...['funnel-revenue', 'funnel-session-value', 'funnel-claim-share'],
]

describe('charts of funnels', () => {
  test('tell the sessions of each funnel on the day on which they began', async () => {
    const { series, groups, totals } = await chart('funnel-sessions')
    expect(series.map(({ values }: { values: { value: number } }) => values.value)).toEqual([0, 0, 5, 0, 0])
    expect(groups.map((one: { key: string; totals: object }) => [one.key, one.totals])).toEqual([
      ['quiz', { value: 2 }],
      ['sleep', { value: 3 }],
    ])
    expect(totals).toEqual({ value: 5 })
  })

  test('tell who reached the end and who bought, each payment in its environment', async () => {
    expect(await groupsOf('funnel-conversion', SANDBOX)).toEqual([
      ['quiz', { started: 2, finished: 1, paid: 0 }],
      ['sleep', { started: 3, finished: 2, paid: 2 }],
    ])
    expect(await totalsOf('funnel-conversion')).toMatchObject({ started: 5, paid: 0 })
    expect(await groupsOf('funnel-paid-share', SANDBOX)).toEqual([
      ['quiz', { value: 0 }],
      ['sleep', { value: 2 / 3 }],
    ])
    expect(await totalsOf('funnel-paid-share')).toEqual({ value: 0 })
  })

  test('tell views of each page and steps on from it, as the numbers of the funnel do', async () => {
    const groups = await groupsOf('funnel-steps')
    expect(groups).toEqual(
      expect.arrayContaining([
        ['quiz/end', { viewed: 1, advanced: 0 }],
        ['quiz/goal', { viewed: 2, advanced: 1 }],
      ]),
    )
    const { items } = await dataOf(member.get('/funnels'))
    for (const { id, slug } of items) {
      const { pages } = await dataOf(member.get(`/funnels/${id}/stats`))
      const own = pages
        .filter(({ views }: { views: number }) => views > 0)
        .map((page: { id: string; views: number; advances: number }) => [
          `${slug}/${page.id}`,
          { viewed: page.views, advanced: page.advances },
        ])
      const told = groups.filter(([key]: [string]) => key.startsWith(`${slug}/`))
      expect([slug, told.toSorted()]).toEqual([slug, own.toSorted()])
    }
  })

  test('tell the sources of sessions, those without one too', async () => {
    expect(await groupsOf('funnel-sources', SANDBOX)).toEqual([
      ['', { started: 3, paid: 2 }],
      ['ads', { started: 1, paid: 0 }],
      ['mail', { started: 1, paid: 0 }],
    ])
  })

  test('tell money on the day of its line, and none of the test store as real money', async () => {
    const { unit, series, totals } = await chart('funnel-revenue', SANDBOX)
    const amounts = series.map(({ values }: { values: Record<string, number> }) => values)
    const { gross } = amounts[2]
    expect(gross).toBeGreaterThan(9_990_000)
    expect(amounts[2]).toEqual({ gross, refunds: 0, net: gross })
    expect(amounts[3]).toEqual({ gross: 0, refunds: gross - 9_990_000, net: 9_990_000 - gross })
    expect([unit, totals]).toEqual(['USD', { gross, refunds: gross - 9_990_000, net: 9_990_000 }])
    expect(await totalsOf('funnel-revenue')).toEqual({ gross: 0, refunds: 0, net: 0 })
    expect(await groupsOf('funnel-session-value', SANDBOX)).toEqual([
      ['quiz', { value: 0 }],
      ['sleep', { value: 3_330_000 }],
    ])
    const { items } = await dataOf(member.get('/funnels'))
    const { id } = items.find(({ slug }: { slug: string }) => slug === 'sleep')
    const { revenue, sandboxRevenue } = await dataOf(member.get(`/funnels/${id}/stats`))
    expect([revenue.amountMicros, sandboxRevenue.amountMicros]).toEqual([0, totals.net])
  })

  test('tell which purchases were opened in the app', async () => {
    expect(await groupsOf('funnel-claim-share', SANDBOX)).toEqual([
      ['quiz', { value: null }],
      ['sleep', { value: 0.5 }],
    ])
  })

  test.each(IDS.filter((id) => id !== 'funnel-session-value'))('open to rows that add up: %s', async (id) => {
    const query = id === 'funnel-steps' ? '' : SANDBOX
    const { totals, groups, unit } = await chart(id, `${query}&grain=total`)
    const parts = [{ key: null, totals }, ...groups] as { key: string | null; totals: Record<string, number> }[]
    const counts = id === 'funnel-claim-share' ? 1 : 2
    for (const { key, totals: figures } of parts)
      for (const [value, figure] of Object.entries(figures)) {
        const named = key === null ? '' : `&group=${encodeURIComponent(key)}`
        const rows = await rowsOf(id, `start=2026-11-18&to=2026-11-23&grain=total&value=${value}${query}${named}`)
        const sum = rows.reduce((all, { contribution }) => all + contribution, 0)
        const expected = unit === 'share' ? (key === 'quiz' ? 0 : counts) : figure
        expect([id, key, value, sum]).toEqual([id, key, value, expected])
        expect(rows.every(({ funnelSessionId }) => funnelSessionId?.startsWith('fse_'))).toBe(true)
      }
  })

  test('open money to its transactions, and a session once', async () => {
    const query = 'start=2026-11-18&to=2026-11-23&grain=total&environment=SANDBOX'
    const rows = await rowsOf('funnel-revenue', `${query}&value=net&group=sleep`)
    expect(rows.map(({ contribution }) => Math.sign(contribution))).toEqual([-1, 1, 1])
    expect(new Set(rows.map(({ transactionId }) => transactionId)).size).toBe(3)
    const sessions = await rowsOf('funnel-conversion', `${query}&value=paid`)
    expect(sessions.map(({ funnelSessionId }) => funnelSessionId).toSorted()).toEqual(
      paid.map(({ sessionId }) => sessionId).toSorted(),
    )
    expect(await rowsOf('funnel-conversion', `${query}&value=paid&group=nothing`)).toEqual([])
  })

  test('are no other project’s', async () => {
    for (const id of IDS) {
      const query = id === 'funnel-steps' ? '' : SANDBOX
      expect((await member.get(`/charts/${id}?${WINDOW}${query}`, { projectId: s.other.id })).status).toBe(404)
      expect([
        id,
        (await dataOf(theirs.get(`/charts/${id}?${WINDOW}${query}`, { projectId: s.other.id }))).groups,
      ]).toEqual([id, []])
      if (id === 'funnel-session-value') continue
      const value =
        { 'funnel-conversion': 'paid', 'funnel-sources': 'paid', 'funnel-steps': 'viewed' }[id] ??
        (id === 'funnel-revenue' ? 'net' : 'value')
      const rows = `/charts/${id}/rows?start=2026-11-18&grain=total&value=${value}${query}`
      expect([id, (await dataOf(theirs.get(rows, { projectId: s.other.id }))).items]).toEqual([id, []])
    }
  })

  test.each([
    ['grouping', 'groupBy=store'],
    ['a filter of purchases', 'country=DE'],
    ['time travel', 'knownAt=2026-11-01'],
  ])('refuse %s', async (_, query) => {
    for (const id of IDS) {
      expect([id, (await member.get(`/charts/${id}?${query}`)).status]).toEqual([id, 400])
      expect((await member.get(`/charts/${id}/rows?start=2026-11-18&value=value&${query}`)).status).toBe(400)
    }
  })

  test('refuse rows of an average, and an environment where a chart has none', async () => {
    expect((await member.get('/charts/funnel-session-value/rows?start=2026-11-18')).status).toBe(400)
    expect((await member.get('/charts/funnel-steps?environment=SANDBOX')).status).toBe(400)
  })
})
