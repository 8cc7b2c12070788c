import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { WINDOWS } from '../../src/insight/leaderboards/model'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { give } from '../support/facts'
import { dataOf } from '../support/operator'
import { computeAtOnce } from '../support/pauses'
import { GROWING, recordStatements } from '../support/plans'
import { isPostgresRun } from '../support/postgres'
import { staff } from '../support/staff'
import { postEvent } from '../support/telemetry'

let s: Stage
let statements: readonly string[]
let durations: ReturnType<typeof computeAtOnce>
beforeAll(async () => {
  durations = computeAtOnce()
  s = await stage()
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await give(s, 'svc_ada', 5, 'given')
  await postEvent(s, { eventType: 'jump', subscriberId: 'svc_ada' })
  const record = recordStatements()
  await ask()
  record.stop()
  statements = [...record.statements].filter((one) => /^select/.test(one))
})
afterAll(() => {
  durations.restore()
  return s.close()
})

const GEMS = 'vcy_1gems'.padEnd(30, '0')
const MEASURES = [
  { metric: 'currency', currencyId: GEMS },
  { metric: 'spend' },
  { metric: 'event', eventType: 'jump' },
  { metric: 'event', eventType: 'purchase.initial' },
]
const FILTERS = { country: 'DE', attributes: { level: '5' }, store: 'IOS_STORE' }

/** Every leaderboard and cohort, computed and read. */
async function ask(): Promise<void> {
  const owner = staff(s).as('OWNER')
  let count = 0
  const named = () => ({ identifier: `number_${++count}`, name: 'Name' })
  for (const measure of MEASURES)
    for (const window of WINDOWS) {
      const { id } = await dataOf(owner.post('/leaderboards', { ...named(), ...measure, window }))
      await dataOf(owner.get(`/leaderboards/${id}/entries?environment=SANDBOX`))
      await dataOf(owner.get(`/leaderboards/${id}/entries`))
    }
  for (const event of ['subscriber.first_seen', 'purchase.initial', 'jump'])
    for (const filters of [FILTERS, {}]) {
      const { id } = await dataOf(
        owner.post('/cohorts', { ...named(), definition: { event, within: 'P30D', filters } }),
      )
      await dataOf(owner.get(`/cohorts/${id}/members?limit=1`))
      await dataOf(owner.get(`/cohorts/${id}/analysis`))
    }
}

const TABLES = new Set([...Object.keys(GROWING), 'client_events', 'cohort_members', 'leaderboard_pages'])

test.skipIf(isPostgresRun())('nothing is computed from the rows of a whole table or project', async () => {
  const wide: string[] = []
  let searched = 0
  for (const statement of statements) {
    const steps = await s.ctx.db.values<[number, number, number, string]>(sql.raw(`EXPLAIN QUERY PLAN ${statement}`))
    for (const [, , , detail] of steps) {
      const [, how, table = '', columns = ''] = /^(SEARCH|SCAN) (\w+)(?:[^(]*\((.*)\))?/.exec(detail) ?? []
      if (!TABLES.has(table)) continue
      searched++
      const isOfProject = columns === 'project_id=?' && !/\blimit\b|max\(/.test(statement)
      if (how === 'SCAN' || isOfProject) wide.push(`${detail}: ${statement}`)
    }
  }
  expect(wide).toEqual([])
  expect(searched).toBeGreaterThan(30)
})
