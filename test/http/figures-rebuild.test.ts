import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq, gt } from 'drizzle-orm'
import { startBackground } from '../../src/background'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { refund, renew } from '../support/facts'
import { notify } from '../support/notify'
import { addLater, LATER, settle } from '../support/relink'
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

describe('an edit of a product', () => {
  const team = () => staff(s).as('ADMIN')
  const ids = async (): Promise<Record<string, string>> => {
    const { items } = (await team().get('/products')).body.data
    return Object.fromEntries(items.map((one: { id: string; identifier: string }) => [one.identifier, one.id]))
  }
  const edit = async (identifier: string, change: object) => {
    const { body, status } = await team().patch(`/products/${(await ids())[identifier]}`, change)
    expect([status, body.error]).toEqual([200, undefined])
  }
  const isDone = async () => {
    const [row] = await s.ctx.db.select().from(s.ctx.tables.figureProjects)
    return row?.doneUntil === null
  }
  const mrrOf = async () => {
    const query = 'from=2026-11-01&to=2026-11-30&grain=total&environment=SANDBOX&groupBy=product'
    const { groups } = (await team().get(`/charts/mrr?${query}`)).body.data
    return Object.fromEntries(
      groups.map((one: { key: string; totals: { value: number } }) => [one.key, one.totals.value]),
    )
  }
  /** Wrong entries, which only a rebuild of their purchases makes right. */
  const spoil = () =>
    s.ctx.write((tx) =>
      tx.db.update(tx.tables.figureEntries).set({ gross: 1 }).where(gt(tx.tables.figureEntries.gross, 0)),
    )
  const grossOf = async (product: string) =>
    (await entries()).filter((one) => one.product === product).reduce((sum, { gross }) => sum + gross, 0)
  /** Everything is computed again, and nothing is missing or different. */
  async function expectAll(): Promise<void> {
    const before = await entries()
    await s.ctx.write((tx) => tx.db.update(tx.tables.figureProjects).set({ doneUntil: '', bases: null }))
    await rebuild()
    expect(await entries()).toEqual(before)
  }

  beforeEach(async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await s.receipt('svc_bo', s.buy(YEARLY))
    // The stage has version 1 without having counted it.
    await edit('lifetime', { displayName: 'Lifetime' })
    await rebuild()
    expect(await isDone()).toBe(true)
  })

  test('computes purchases of this product again, and no others', async () => {
    const before = await mrrOf()
    await spoil()
    await edit('pro_monthly', { period: 'P3M' })
    await rebuild()
    expect(await mrrOf()).toEqual({ ...before, pro_monthly: Math.round((before.pro_monthly ?? 0) / 3) })
    expect([await grossOf('pro_monthly'), await grossOf('pro_yearly')]).toEqual([9_990_000, 1])
    expect(await isDone()).toBe(true)
  })

  test('also a purchase that has changed to another product', async () => {
    const first = s.buy(MONTHLY)
    await s.receipt('svc_cy', first)
    await notify(s, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], s.buy(YEARLY, { previous: first }))
    await rebuild()
    await edit('pro_monthly', { period: 'P3M' })
    await rebuild()
    await expectAll()
  })

  test('of names, metadata and access computes nothing', async () => {
    await spoil()
    await edit('pro_monthly', { displayName: 'Other', metadata: { color: 'red' }, accessIds: [] })
    await rebuildProjects(s.ctx, () => true)
    expect(await isDone()).toBe(true)
    await rebuild()
    expect(await grossOf('pro_monthly')).toBe(1)
  })

  test('that is taken back while purchases are computed again leaves them as they were', async () => {
    const before = await mrrOf()
    await edit('pro_monthly', { period: 'P3M' })
    await rebuild()
    await edit('pro_monthly', { period: 'P6M' })
    await rebuildProjects(s.ctx, () => true)
    await edit('pro_monthly', { period: 'P3M' })
    await rebuildProjects(s.ctx, () => true)
    await edit('pro_yearly', { period: 'P6M' })
    await rebuildProjects(s.ctx, () => true)
    await edit('pro_monthly', { period: 'P1M' })
    await rebuild()
    expect(await mrrOf()).toEqual({ ...before, pro_yearly: Math.round(79_990_000 / 6) })
    await expectAll()
  })

  test('that gives its store id to another product computes its purchases by that one', async () => {
    const [from, to] = ['pro_monthly', 'pro_yearly']
    await edit(to, { storeIds: { ios: null } })
    await edit(from, { storeIds: { ios: YEARLY.productId } })
    await rebuild()
    await expectAll()
  })

  test('that comes later leaves the purchases that wait for it to their link', async () => {
    expect((await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(LATER))).status).toBe(200)
    const before = await entries()
    await addLater(s, team(), { period: 'P3M' })
    await rebuild()
    expect(await entries()).toEqual(before)
    await settle(s)
    expect(await mrrOf()).toMatchObject({ later: 3_330_000, pro_monthly: 9_990_000 })
    await expectAll()
  })

  test('with another commission computes everything', async () => {
    await spoil()
    await edit('pro_monthly', { period: 'P3M' })
    expect((await team().put('/commission-rates', { rates: { IOS_STORE: 0.1 } })).status).toBe(200)
    await rebuild()
    expect(await grossOf('pro_yearly')).toBe(YEARLY.price * 1000)
    await expectAll()
  })
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
  // The stage has version 1 without having counted it, so the first edit would change no version.
  const [product] = (await staff(s).as('ADMIN').get('/products')).body.data.items
  for (const displayName of ['One', 'Two'])
    expect((await staff(s).as('ADMIN').patch(`/products/${product.id}`, { displayName })).status).toBe(200)
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
