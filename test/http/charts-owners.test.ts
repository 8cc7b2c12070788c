import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { type Stage, stage } from '../support/cast'
import { execute, makeCrowd, removeCrowd } from '../support/crowd'
import { isoOf } from '../support/figures/history'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { computeAtOnce } from '../support/pauses'
import { type StaffCalls, staff } from '../support/staff'

// Charts of the purchases of some people: those of an audience, and the members of a cohort.

const SEED = Number(process.env.OWNER_SEED ?? 5)
const DAY = 86_400_000

let s: Stage
let member: StaffCalls
let growth: StaffCalls
let window: { from: string; to: string }
let durations: ReturnType<typeof computeAtOnce>
beforeAll(async () => {
  durations = computeAtOnce()
  s = await stage({ now: EARLIEST, env: { SVC_RATE_USER: '0' } })
  const team = staff(s)
  member = team.as('CUSTOMER_SUPPORT')
  growth = team.as('GROWTH')
  team.sessions.roles.set(`usr_growth ${s.other.id}`, 'GROWTH')
  const history = { ...historyOf(SEED, { min: 40, max: 40 }), rates: [] }
  await seedHistory(s, history, { together: 50 })
  const first = Math.min(...history.purchases.flatMap((p) => p.observations.map((o) => o.eventAt)))
  window = { from: isoOf(first), to: isoOf(Math.min(s.ctx.clock.now(), first + 900 * DAY)) }
  const isGerman = { country: { $eq: 'DE' } }
  for (const [name, rules] of [
    ['Germans', isGerman],
    ['Others', { $not: isGerman }],
    ['Nobody, really', { country: { $eq: 'AQ' } }],
  ] as const)
    expect([name, (await growth.post('/audiences', { name, rules })).status]).toEqual([name, 201])
  expect((await growth.post('/audiences', { name: 'Theirs', rules: {} }, { projectId: s.other.id })).status).toBe(201)
  const definition = { event: 'subscriber.first_seen', filters: { country: 'DE' } }
  const germans = { identifier: 'germans', name: 'Germans', definition }
  expect((await growth.post('/cohorts', germans)).status).toBe(201)
  expect((await growth.post('/cohorts', { ...germans, identifier: 'theirs' }, { projectId: s.other.id })).status).toBe(
    201,
  )
})
afterAll(() => {
  durations.restore()
  return s.close()
})

const textOf = (query: Record<string, string>) => new URLSearchParams(query).toString()
const get = (path: string, query: Record<string, string>) => member.get(`${path}?${textOf(query)}`)

async function chart(id: string, query: Record<string, string>) {
  const { status, body } = await get(`/charts/${id}`, { ...window, grain: 'month', ...query })
  expect([id, query, status]).toEqual([id, query, 200])
  return body.data
}

const CHARTS = [
  'revenue',
  'mrr-movement',
  'active-subscriptions',
  'trial-movement',
  'paying-subscribers',
  'arppu',
  'ltv',
]

describe('a chart of', () => {
  test.each(CHARTS)('an audience and of a cohort: %s is that of their purchases', async (id) => {
    // All people of the history stay in one country, so this is another way to ask for the same.
    const wanted = await chart(id, { country: 'DE' })
    expect(await chart(id, { audience: 'Germans' })).toEqual(wanted)
    expect(await chart(id, { cohort: 'germans' })).toEqual(wanted)
    expect(await chart(id, { cohort: 'germans', audience: 'Germans', groupBy: 'store' })).toEqual(
      await chart(id, { country: 'DE', groupBy: 'store' }),
    )
    if (id === 'revenue') expect(wanted.totals).not.toEqual((await chart(id, {})).totals)
  })

  test.each(['revenue', 'mrr-movement', 'subscription-movement'])('an audience and of the others: %s', async (id) => {
    for (const more of [{}, { knownAt: isoOf(Date.parse(window.to) - 60 * DAY) }]) {
      const [own, others, whole] = [
        await chart(id, { audience: 'Germans', ...more }),
        await chart(id, { audience: 'Others', ...more }),
        await chart(id, more),
      ]
      for (const name of Object.keys(whole.totals))
        expect([id, name, own.totals[name] + others.totals[name]]).toEqual([id, name, whole.totals[name]])
    }
  })

  test('everybody is the whole, and of nobody nothing', async () => {
    expect(await chart('revenue', { audience: 'All users' })).toEqual(await chart('revenue', {}))
    const nobody = await chart('revenue', { audience: 'Nobody, really' })
    expect(nobody.totals).toEqual({ gross: 0, refunds: 0, net: 0 })
    expect((await chart('revenue', { audience: 'Germans', cohort: 'germans', country: 'US' })).totals.gross).toBe(0)
  })

  test('an audience opens to its rows', async () => {
    for (const filter of [{ audience: 'Germans' }, { cohort: 'germans' }] as Record<string, string>[])
      for (const [id, value] of [
        ['revenue', 'gross'],
        ['mrr', 'value'],
        ['paying-subscribers', 'value'],
      ] as const) {
        const { totals } = await chart(id, { ...filter, grain: 'total' })
        const query = { start: window.from, to: window.to, grain: 'total', value, limit: '200', ...filter }
        const { status, body } = await get(`/charts/${id}/rows`, query)
        expect([id, status, body.data.nextCursor]).toEqual([id, 200, null])
        const sum = body.data.items.reduce(
          (total: number, row: { contribution: number }) => total + row.contribution,
          0,
        )
        expect([id, filter, sum]).toEqual([id, filter, totals[value]])
      }
  })

  test('who joins the audience later counts with all their purchases', async () => {
    const before = await chart('revenue', { audience: 'Nobody, really', grain: 'total' })
    const [first] = (await get('/charts/revenue/rows', { start: window.from, grain: 'total', value: 'gross' })).body
      .data.items
    const { subscribers } = s.ctx.tables
    await s.ctx.write(async (tx) => {
      const attributes = { country: { value: 'AQ', source: 'sdk' as const, updatedAt: tx.clock.now() } }
      await tx.db.update(subscribers).set({ attributes }).where(eq(subscribers.id, first.subscriberId))
    })
    await new Promise(setImmediate)
    const after = await chart('revenue', { audience: 'Nobody, really', grain: 'total' })
    expect([before.totals.gross, after.totals.gross > 0]).toEqual([0, true])
  })
})

test('of more than 10,000 people with purchases the audience is refused, and a cohort is not', async () => {
  const { purchases: p, subscribers } = s.ctx.tables
  const [bought] = await s.ctx.db.select().from(p).where(eq(p.environment, 'PRODUCTION')).limit(1)
  const [owner] = await s.ctx.db
    .select()
    .from(subscribers)
    .where(eq(subscribers.id, bought?.subscriberId ?? ''))
  await makeCrowd(s, owner?.deviceKey ?? '', 10_001)
  const own: Record<string, string> = {
    id: "'pur_zz' || cast(i as text)",
    subscriber_id: "'sub_zz' || cast(1000000000 + i as text)",
    chain_key: "'many ' || cast(i as text)",
  }
  const names = Object.keys(getTableColumns(p)).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
  const values = names.map((name) => own[name] ?? `p.${name}`)
  await execute(
    s,
    sql`insert into purchases (${sql.raw(names.join())})
      with recursive n(i) as (select 0 union all select i + 1 from n where i < 10000)
      select ${sql.raw(values.join())} from n, purchases p where p.id = ${bought?.id}`,
  )
  try {
    const answer = await get('/charts/mrr', { audience: 'Germans' })
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('10000')])
    expect((await get('/charts/mrr', { cohort: 'germans' })).status).toBe(200)
  } finally {
    await execute(s, sql`delete from purchases where id like 'pur_zz%'`)
    await removeCrowd(s)
  }
}, 600_000)

describe('refused are', () => {
  test.each<[string, Record<string, string>]>([
    ['an unknown audience', { audience: 'Martians' }],
    ['an empty audience', { audience: '' }],
    ['another project’s audience', { audience: 'Theirs' }],
    ['an unknown cohort', { cohort: 'martians' }],
    ['an empty cohort', { cohort: '' }],
    ['another project’s cohort', { cohort: 'theirs' }],
    ['a name that is no name', { audience: '\u0000' }],
  ])('%s', async (_, query) => {
    const paths: [string, Record<string, string>][] = [
      ['/charts/mrr', {}],
      ['/charts/arpu', {}],
      ['/charts/mrr/export', {}],
      ['/charts/mrr/rows', { start: window.from }],
    ]
    for (const [path, more] of paths) {
      const { status, body } = await get(path, { ...query, ...more })
      expect([path, status, body.error?.code]).toEqual([path, 400, 'VALIDATION_ERROR'])
    }
  })

  test('charts that are of no purchases, and metrics', async () => {
    for (const path of ['/charts/sessions', '/charts/webhook-success', '/metrics/mrr', '/metrics/summary'])
      for (const query of [{ audience: 'Germans' }, { cohort: 'germans' }] as Record<string, string>[])
        expect([path, (await get(path, query)).status]).toEqual([path, 400])
  })
})
