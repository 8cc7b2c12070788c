import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CHARTS } from '../../src/insight/charts/charts'
import { type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { isoOf } from '../support/figures/history'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { type StaffCalls, staff } from '../support/staff'

/** Charts of sessions and of events that the erasure deletes: they are about what was deleted. */
const ABOUT_DELETED =
  /^(daily-actives|weekly-actives|monthly-actives|sessions|play-time|stickiness|experiment|placement)/

let s: Stage
let member: StaffCalls
let window: { from: string; to: string }
beforeAll(async () => {
  s = await stage({ now: EARLIEST, env: { SVC_RATE_USER: '0' } })
  member = staff(s).as('CUSTOMER_SUPPORT')
  const history = { ...historyOf(5, { min: 40, max: 40 }), rates: [] }
  await seedHistory(s, history, { together: 50 })
  const first = Math.min(...history.purchases.flatMap((p) => p.observations.map((o) => o.eventAt)))
  window = { from: isoOf(first), to: isoOf(Math.min(s.ctx.clock.now(), first + 900 * 86_400_000)) }
})
afterAll(() => s.close())

async function everything() {
  const found: Record<string, unknown> = {}
  for (const { id } of CHARTS) {
    const { status, body } = await member.get(`/charts/${id}?${new URLSearchParams({ ...window, grain: 'month' })}`)
    found[id] = status === 200 ? body.data : status
  }
  for (const path of ['/overview', '/metrics/mrr']) found[path] = (await member.get(path)).body
  return found
}

test('no figure of money or people changes when people with purchases are erased', async () => {
  const before = await everything()
  expect(Object.values(before).filter((data) => typeof data === 'object').length).toBeGreaterThan(20)
  const { purchases, ledger } = s.ctx.tables
  const owners = [...new Set((await s.ctx.db.select().from(purchases)).map(({ subscriberId }) => subscriberId))]
  expect(owners.length).toBeGreaterThan(5)
  const lines = await s.ctx.db.$count(ledger)
  for (const id of owners.slice(0, Math.ceil(owners.length / 2))) await erase(s, id)
  const after = await everything()
  for (const [id, data] of Object.entries(before))
    if (!ABOUT_DELETED.test(id)) expect({ id, data: after[id] }).toEqual({ id, data })
  expect(await s.ctx.db.$count(ledger)).toBe(lines)
}, 600_000)
