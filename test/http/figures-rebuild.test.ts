import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { startBackground } from '../../src/background'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { rollUp } from '../../src/insight/figures/rolls/turn'
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

test('a rate that is set shows in figures and rows while the server runs, without any wait for a minute', async () => {
  await someHistory()
  const { totals } = await read('revenue')
  const proceeds = async () => {
    const query = 'grain=total&environment=SANDBOX'
    const window = `from=2026-11-01&to=${toIso(s.ctx.clock.now() + DAY).slice(0, 10)}`
    const chart = await staff(s).as('CUSTOMER_SUPPORT').get(`/charts/proceeds?${window}&${query}`)
    const rows = await staff(s)
      .as('CUSTOMER_SUPPORT')
      .get(`/charts/proceeds/rows?start=2026-11-01&to=${window.slice(-10)}&${query}&limit=200`)
    const sum = rows.body.data.items.reduce((all: number, one: { contribution: number }) => all + one.contribution, 0)
    return [chart.body.data.totals.value, sum]
  }
  const background = startBackground(s.ctx)
  try {
    expect(await proceeds()).toEqual(Array(2).fill(Math.round(totals.net * 0.7)))
    const rates = { IOS_STORE: 0.1 }
    expect((await staff(s).as('ADMIN').put('/commission-rates', { rates })).status).toBe(200)
    const wanted = Math.round(totals.net * 0.9)
    while ((await proceeds())[0] !== wanted) await Bun.sleep(20)
    expect(await proceeds()).toEqual([wanted, wanted])
  } finally {
    await background.stop()
  }
})

test('countries and platforms that an earlier release recorded as devices sent them are known ones', async () => {
  await someHistory()
  await rebuild()
  const { figureEntries: f, figureGroups, figureProjects } = s.ctx.tables
  const sent = ['Ada Lovelace, 12 St James', 'de', 'DE', 'XX']
  for (const [index, { position }] of (await entries()).entries()) {
    const text = sent[index % sent.length] ?? ''
    const groups = { country: text, platform: index % 2 === 0 ? text : 'iOS' }
    await s.ctx.write((tx) => tx.db.update(f).set(groups).where(eq(f.position, position)))
  }
  await s.ctx.write((tx) => tx.db.update(figureProjects).set({ fingerprint: '3:of before', configVersion: 0 }))
  const { totals } = await read('revenue')
  await rollUp(s.ctx)
  await rebuild()
  await rollUp(s.ctx)
  const held = JSON.stringify([await entries(), await s.ctx.db.select().from(figureGroups)])
  for (const text of ['Ada', '"de"', 'XX', 'iOS']) expect(held).not.toContain(text)
  const named = new Set((await entries()).map(({ country, platform }) => `${country} ${platform}`))
  expect([...named].sort()).toEqual(['DE ios', 'null ios'])
  expect((await read('revenue')).totals).toEqual(totals)
})

test('texts that devices sent to an earlier release are no groups any more, and are nowhere', async () => {
  await someHistory()
  await rebuild()
  const { figureEntries: f, figureGroups, figureProjects } = s.ctx.tables
  const TEXT = 'Ada Lovelace, 12 St James'
  await s.ctx.write((tx) => tx.db.update(f).set({ placement: TEXT, offering: 'standard', variant: TEXT }))
  await s.ctx.write((tx) => tx.db.update(figureProjects).set({ fingerprint: '1:of before', configVersion: 0 }))
  await rollUp(s.ctx)
  const held = async () =>
    JSON.stringify([await entries(), await s.ctx.db.select().from(figureGroups)]).split(TEXT).length
  expect(await held()).toBeGreaterThan(4)
  const groups = async (groupBy: string) =>
    (
      await staff(s)
        .as('CUSTOMER_SUPPORT')
        .get(`/charts/gross-revenue?from=2026-11-01&to=2026-12-31&grain=total&environment=SANDBOX&groupBy=${groupBy}`)
    ).body.data.groups.map(({ key, totals }: { key: string; totals: { value: number } }) => [key, totals.value])
  expect(await groups('placement')).toEqual([[TEXT, 19_980_000]])
  await rebuild()
  await rollUp(s.ctx)
  expect(await held()).toBe(1)
  expect(await groups('placement')).toEqual([[null, 19_980_000]])
  expect(await groups('variant')).toEqual([[null, 19_980_000]])
  expect(await groups('offering')).toEqual([['standard', 19_980_000]])
  const before = await entries()
  await s.ctx.write((tx) => tx.db.update(figureProjects).set({ fingerprint: '1:of before' }))
  await rebuild()
  expect(await entries()).toEqual(before)
})
