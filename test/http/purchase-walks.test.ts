import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gt } from 'drizzle-orm'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { listWaitingProjects } from '../../src/people/purchases/waiting-queries'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { notify } from '../support/notify'
import { dataOf } from '../support/operator'
import { explain, GROWING, multiplyRows, recordStatements } from '../support/plans'
import { isPostgresRun } from '../support/postgres'
import { LATER } from '../support/relink'
import { staff } from '../support/staff'

/** More purchases than are looked at together; on PostgreSQL only the statements matter. */
const BEFORE = isPostgresRun() ? 4 : 210

let s: Stage
let statements: readonly string[]
beforeAll(async () => {
  s = await stage()
  for (let index = 0; index < BEFORE; index++) await s.receipt(`svc_${index}`, s.buy(MONTHLY))
  await s.receipt('svc_cy', s.buy(YEARLY))
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(LATER))
  await edit('pro_monthly', { displayName: 'Monthly' })
  await rebuild()
}, 600_000)
afterAll(() => s.close())

const rebuild = () => rebuildProjects(s.ctx, () => false)

async function edit(identifier: string, change: object): Promise<void> {
  const admin = staff(s).as('ADMIN')
  const { items } = await dataOf(admin.get('/products'))
  const { id } = items.find((one: { identifier: string }) => one.identifier === identifier)
  expect((await admin.patch(`/products/${id}`, change)).status).toBe(200)
}

/** Wrong entries, which only a rebuild of their purchases makes right. */
const spoil = () =>
  s.ctx.write((tx) =>
    tx.db.update(tx.tables.figureEntries).set({ gross: 1 }).where(gt(tx.tables.figureEntries.gross, 0)),
  )

async function grossOf(product: string): Promise<number> {
  const entries = await s.ctx.db.select().from(s.ctx.tables.figureEntries)
  return entries.filter((one) => one.product === product).reduce((sum, { gross }) => sum + gross, 0)
}

test('an edit computes the purchases of its product, which are pages after the first ones', async () => {
  const before = [await grossOf('pro_monthly'), await grossOf('pro_yearly')]
  await spoil()
  const record = recordStatements()
  await edit('pro_yearly', { period: 'P6M' })
  await rebuild()
  await listWaitingProjects(s.ctx)
  record.stop()
  statements = [...record.statements]
  expect(before).toEqual([BEFORE * MONTHLY.price * 1000, YEARLY.price * 1000])
  expect([await grossOf('pro_monthly'), await grossOf('pro_yearly')]).toEqual([BEFORE, YEARLY.price * 1000])
})

test('purchases of a project are read by ranges of an index, and so are those that wait', async () => {
  await multiplyRows(s.ctx, 300)
  const pages = statements.filter((one) => /from "(purchases|transactions)" where .* order by/.test(one))
  expect(pages.length).toBeGreaterThanOrEqual(3)
  const plans = await explain(s.ctx, pages)
  // PostgreSQL reads a small project as a whole, because that is cheaper.
  if (isPostgresRun()) return
  for (const page of pages)
    for (const { table, isScan, by } of plans.get(page) ?? []) {
      if (!(table in GROWING)) continue
      const isNext = by.includes('id') || (by.includes('project_id') && !page.includes('"id" >'))
      expect([page, isScan, isNext]).toEqual([page, false, true])
    }
})
