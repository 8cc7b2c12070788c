import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { give, identify, rowOf } from '../support/facts'
import { explain, GROWING, multiplyRows, recordStatements, type Step } from '../support/plans'
import { isPostgresRun } from '../support/postgres'
import { configOf, configure } from '../support/remote'
import { staff } from '../support/staff'

let s: Stage
let statements: readonly string[]
let plans: Map<string, Step[]>
beforeAll(async () => {
  s = await stage()
  for (const device of ['svc_ada', 'svc_bo']) await s.receipt(device, s.buy(MONTHLY))
  await s.receipt('svc_ada', s.buy(COINS))
  // SQLite prefers another index when many ids are asked for, and a page asks for all of its own.
  for (let index = 0; index < MANY; index++) await s.receipt(`svc_many_${index}`, s.buy(MONTHLY))
  for (const device of ['svc_ada', 'svc_cy']) await identify(s, device, 'ada@example.com')
  await s.post('/v1/me/attributes', { attributes: { $email: 'ada@example.com' } }, { headers: ADA })
  await give(s, 'ada@example.com', 5, 'given')
  await configure(s, { experiments: [{ key: 'checkout_test' }] })
  for (const device of ['svc_ada', 'svc_bo']) await configOf(s, device)
  await s.ctx.state.assignments.flush()
  const record = recordStatements()
  await ask()
  record.stop()
  statements = [...record.statements]
  await multiplyRows(s.ctx, 300)
  plans = await explain(s.ctx, statements)
}, 600_000)
afterAll(() => s.close())

// On PostgreSQL each of them is copied hundreds of times.
const MANY = isPostgresRun() ? 4 : 60
const ADA = { 'x-svc-app-user-id': 'svc_ada' }

/** Every list and search, its first and its second page. */
async function ask(): Promise<void> {
  const owner = staff(s).as('OWNER')
  const { id, mergedInto } = await rowOf(s, 'svc_ada')
  const person = mergedInto ?? id
  const lists = ['/subscribers', '/subscribers?q=svc_', '/subscribers?platform=ios', '/subscribers?status=ACTIVE']
  const money = ['/subscriptions', '/subscriptions?status=ACTIVE', '/subscriptions/billing-issues', '/transactions']
  const own = [`/transactions?subscriberId=${person}`, '/transactions?purchaseId=pur_1', '/transfers']
  const about = ['', '/timeline', '/ledger', '/explain/pro'].map((path) => `/subscribers/${person}${path}`)
  const window = '/transactions?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z'
  for (const path of [...lists, '/subscribers?access=pro', ...money, window, ...own, ...about]) {
    const first = await owner.get(path)
    expect([path, first.status]).toEqual([path, 200])
    const { nextCursor } = (await owner.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).body.data ?? {}
    if (nextCursor) await owner.get(`${path}${path.includes('?') ? '&' : '?'}limit=1&cursor=${nextCursor}`)
  }
  for (const q of ['ada@example.com', 'svc_', person, '2000', 'nobody']) await owner.get(`/search?q=${q}`)
}

test('no list and no search goes through a table that grows with the subscribers', () => {
  // A page of the newest rows is limited by its number; every other statement names the rows that it wants.
  const isBounded = (statement: string, { isScan, by }: Step) =>
    !isScan && (by.some((column) => column !== 'project_id') || /\blimit\b/.test(statement))
  const unbounded = [...plans].flatMap(([statement, steps]) =>
    steps
      .filter((step) => step.table in GROWING && !isBounded(statement, step))
      .map((step) => ({ ...step, statement })),
  )
  expect(unbounded).toEqual([])
  expect(plans.size).toBeGreaterThan(20)
})

test('no page of a project is sorted: the index has its order', async () => {
  if (s.ctx.storage.driver === 'postgres') return
  const pages = statements.filter((one) => /"project_id" = \?.*order by.*limit/.test(one) && !one.startsWith('with'))
  expect(pages.length).toBeGreaterThan(8)
  const sorted: string[] = []
  for (const statement of pages) {
    const steps = await s.ctx.db.values<[number, number, number, string]>(sql.raw(`EXPLAIN QUERY PLAN ${statement}`))
    const isOfOne = steps.some(([, , , detail]) => /subscriber_id=|purchase_id=/.test(detail))
    if (!isOfOne && steps.some(([, , , detail]) => detail.includes('TEMP B-TREE'))) sorted.push(statement)
  }
  expect(sorted).toEqual([])
})

test('an address, a label and a device key are ranges of their indexes', async () => {
  const ranges = statements.filter(
    (one) => one.includes('from "subscribers"') && one.includes('>=') && one.includes('<'),
  )
  expect(ranges.length).toBeGreaterThanOrEqual(3)
  if (s.ctx.storage.driver === 'postgres') return
  const used: string[] = []
  for (const statement of ranges) {
    const steps = await s.ctx.db.values<[number, number, number, string]>(sql.raw(`EXPLAIN QUERY PLAN ${statement}`))
    used.push(...steps.map(([, , , detail]) => detail))
  }
  for (const index of ['subscribers_label', 'subscribers_device', 'subscribers_email'])
    expect(used.find((detail) => detail.includes(`USING INDEX ${index} (project_id=? AND `))).toBeString()
})
