import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { refund, renew } from '../support/facts'
import { staff } from '../support/staff'
import { on } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

const rebuild = () => rebuildProjects(s.ctx, () => false)
const entries = () => s.ctx.db.select().from(s.ctx.tables.figureEntries).orderBy(s.ctx.tables.figureEntries.position)
const read = async (name: string) => {
  const query = `from=2026-11-01&to=${toIso(s.ctx.clock.now() + DAY).slice(0, 10)}&grain=total&environment=SANDBOX`
  return (await staff(s).as('CUSTOMER_SUPPORT').get(`/metrics/${name}?${query}`)).body.data
}

async function someHistory(): Promise<void> {
  const first = s.buy(MONTHLY)
  await s.receipt('svc_ada', first)
  on(s, '2026-12-20')
  await s.receipt('svc_ada', renew(s, first, MONTHLY))
  on(s, '2026-12-25')
  await s.receipt('svc_ada', refund(s, first))
}

test('purchases of an earlier release get the entries that they would have', async () => {
  await someHistory()
  const kept = (await entries()).map(({ position: _, ...row }) => row)
  expect(kept.length).toBeGreaterThan(4)
  await s.ctx.write((tx) => tx.db.delete(tx.tables.figureEntries))
  await rebuild()
  expect((await entries()).map(({ position: _, ...row }) => row)).toEqual(kept)
})

test('going through them again adds nothing', async () => {
  await someHistory()
  await rebuild()
  const before = await entries()
  await s.ctx.write((tx) => tx.db.update(tx.tables.figureProjects).set({ doneUntil: '' }))
  await rebuild()
  expect(await entries()).toEqual(before)
})

test('another period of a product changes what is recurring, and what was known before stays known', async () => {
  await someHistory()
  await rebuild()
  const { totals } = await read('mrr')
  expect(totals.mrr).toBeGreaterThan(0)
  const [row] = await s.ctx.db.select().from(s.ctx.tables.products)
  const team = staff(s).as('ADMIN')
  const products = (await team.get('/products')).body.data.items
  for (const { id, type } of products)
    if (type === 'SUBSCRIPTION') expect((await team.patch(`/products/${id}`, { period: 'P3M' })).status).toBe(200)
  expect(row).toBeDefined()
  const count = (await entries()).length
  await rebuild()
  expect((await read('mrr')).totals.mrr).toBe(Math.round(totals.mrr / 3))
  expect((await entries()).length).toBeGreaterThan(count)
})

test('commission rates of the project count for charges of before too', async () => {
  await someHistory()
  const { totals } = await read('revenue')
  expect(totals.net).toBeGreaterThan(0)
  expect((await read('proceeds')).totals.proceeds).toBe(Math.round(totals.net * 0.7))
  const { status } = await staff(s)
    .as('ADMIN')
    .put('/commission-rates', { rates: { IOS_STORE: 0.1 } })
  expect(status).toBe(200)
  await rebuild()
  expect((await read('proceeds')).totals.proceeds).toBe(Math.round(totals.net * 0.9))
})
