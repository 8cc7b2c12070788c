import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Stage, stage } from '../support/cast'
import { delivered, deviceOwner, endpoint, happen } from '../support/deliveries'
import { explain, recordStatements, type Step } from '../support/plans'
import { staff } from '../support/staff'

const STATUSES = ['PENDING', 'DELIVERING', 'SUCCEEDED', 'FAILED', 'DEAD', 'DISMISSED', 'SKIPPED']
/** Rows of other endpoints and subscribers, so that PostgreSQL has a reason to use an index. */
const MANY = 20_000

let s: Stage
let plans: Map<string, Step[]>
beforeAll(async () => {
  s = await stage()
  const [target, ada] = [await endpoint(s), await deviceOwner(s, 'svc_ada')]
  const [event = ''] = await happen(s, ada, [{}, {}])
  for (const status of [...STATUSES, ...STATUSES])
    await delivered(s, { targetId: target, event, status: status as 'DEAD' })
  const like = await delivered(s, { targetId: target, event, status: 'SUCCEEDED' })
  if (s.ctx.storage.driver === 'postgres') await multiply(like.position)
  const record = recordStatements()
  const owner = staff(s).as('OWNER')
  const filters = ['', `endpointId=${target}&`, `subscriberId=${ada}&`, `endpointId=${target}&subscriberId=${ada}&`]
  for (const filter of filters)
    for (const more of ['', 'type=purchase.renewed&', ...STATUSES.map((status) => `status=${status}&`)]) {
      const path = `/webhook-deliveries?limit=1&${filter}${more}`
      const { nextCursor } = (await owner.get(path)).body.data
      if (nextCursor) await owner.get(`${path}cursor=${nextCursor}`)
    }
  for (const filter of ['', `subscriberId=${ada}&`]) {
    const { nextCursor } = (await owner.get(`/events?limit=1&${filter}`)).body.data
    await owner.get(`/events?limit=1&${filter}cursor=${nextCursor}`)
  }
  record.stop()
  const wanted = [...record.statements].filter((one) => /order by/.test(one) && /"(deliveries|events)"/.test(one))
  plans = await explain(s.ctx, wanted)
}, 600_000)
afterAll(() => s.close())

async function multiply(position: number): Promise<void> {
  const others = `'id', p.id || '-' || n, 'position', -n, 'project_id', 'prj_' || n % 100, 'subscriber_id', 'sub_' || n`
  const copyOf = (table: string, changes: string, where: string) =>
    `insert into ${table} select (jsonb_populate_record(p, jsonb_build_object(${changes}))).* from ${table} p,
      generate_series(1, ${MANY}) n where ${where}`
  await s.ctx.storage.bulk(async (writer) => {
    await writer.run(copyOf('deliveries', `${others}, 'target_id', 'whe_' || n % 500`, `p.position = ${position}`))
    await writer.run(copyOf('events', others, 'p.seq = 1'))
  })
}

test('every page of deliveries and events is one range of an index, in its order', async () => {
  const steps = [...plans].flatMap(([statement, found]) => found.map((step) => ({ ...step, statement })))
  const own = steps.filter(({ table }) => table === 'deliveries' || table === 'events')
  expect(own.length).toBeGreaterThan(10)
  const isRange = ({ isScan, by }: Step) =>
    !isScan && by.some((column) => ['project_id', 'target_id', 'subscriber_id', 'position', 'rowid'].includes(column))
  expect(own.filter((step) => !isRange(step))).toEqual([])
  if (s.ctx.storage.driver === 'postgres') return
  for (const statement of plans.keys()) {
    if (!/limit/.test(statement)) continue
    const lines = await s.ctx.db.values<[number, number, number, string]>(sql.raw(`EXPLAIN QUERY PLAN ${statement}`))
    expect([statement, lines.filter(([, , , detail]) => detail.includes('TEMP B-TREE'))]).toEqual([statement, []])
  }
})

test('what did not go well is found by its own index', async () => {
  const trouble = [...plans.keys()].filter((one) => one.includes("status in ('FAILED'"))
  expect(trouble.length).toBeGreaterThan(1)
  for (const statement of trouble) expect(plans.get(statement)?.[0]?.by).toContain('status')
})
