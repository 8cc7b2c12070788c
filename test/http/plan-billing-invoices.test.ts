import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { advanceBilling } from '../../src/test-store/billing/care'
import { NOW } from '../support/context'
import { dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS, emptyBilling } from '../support/plan-billing'
import { type AccountCall, type AccountStage, accountStage, invoiceAs, listOf } from '../support/plan-billing-account'

interface Shown {
  id: string
  createdAt: string
}

const read = (b: BillingStage, query: string) => b.admin().get(`/billing/invoices${query}`)

/** All pages of a size, one after the other. */
async function pages(b: BillingStage, limit: number, between = () => undefined): Promise<Shown[][]> {
  const all: Shown[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `?limit=${limit}${cursor && `&cursor=${cursor}`}`
    const { items, nextCursor } = await dataOf(read(b, query))
    all.push(items)
    cursor = nextCursor
    b.s.ctx.clock.advance(SECOND)
    between()
  }
  return all
}

const idsOf = (all: Shown[][]) => all.flat().map(({ id }) => id)

describe('at the provider', () => {
  let stage: AccountStage
  let invoices: ReturnType<typeof invoiceAs>[] = []
  beforeAll(async () => {
    stage = await accountStage()
  })
  beforeEach(async () => {
    const { ctx, project } = stage.b.s
    ctx.clock.advance(SECOND)
    await emptyBilling(stage.b.s)
    await ctx.write(async ({ db, tables }) => {
      for (const id of ['cus_1', 'cus_2'])
        await db.insert(tables.billingCustomers).values({ id, projectId: project.id, ownerId: id, createdAt: NOW })
    })
    stage.account.answers = { 'GET /invoices': found }
    invoices = many()
  })
  afterAll(() => stage.close())

  /** Newest first. Several were made in one second, in no order of their ids, and every third is of another owner. */
  const many = () =>
    Array.from({ length: 260 }, (_, at) =>
      invoiceAs(`in_${String((at * 37) % 260).padStart(3, '0')}`, {
        created: NOW / SECOND - Math.floor(at / 5),
        customer: at % 3 === 0 ? 'cus_2' : 'cus_1',
      }),
    )

  /** As the provider does it: newest first, after the one that is named. */
  function found({ query }: AccountCall) {
    const until = Number(query['created[lte]'] ?? Infinity)
    const own = invoices.filter(({ customer, created }) => customer === query.customer && created <= until)
    const from = query.starting_after ? own.findIndex(({ id }) => id === query.starting_after) + 1 : 0
    const to = from + Number(query.limit)
    return listOf(own.slice(from, to), to < own.length)
  }

  test.each([1, 7, 50, 200])(
    'pages of %p have every invoice once, newest first',
    async (limit) => {
      const all = await pages(stage.b, limit)
      expect(idsOf(all).toSorted()).toEqual(invoices.map(({ id }) => id).toSorted())
      const times = all.flat().map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted().reverse())
      expect(all.slice(0, -1).every(({ length }) => length === limit)).toBe(true)
      expect(all.at(-1)?.length).toBeGreaterThan(0)
    },
    120_000,
  )

  test('without a limit the first 50 are shown', async () => {
    const { items, nextCursor } = await dataOf(read(stage.b, ''))
    expect([items.length, typeof nextCursor]).toEqual([50, 'string'])
  })

  test('one that comes between two pages is on neither, and moves none', async () => {
    const before = invoices.map(({ id }) => id).toSorted()
    let count = 0
    const add = () => {
      count += 1
      invoices.unshift(invoiceAs(`in_new${count}`, { created: NOW / SECOND + count }))
    }
    const all = await pages(stage.b, 100, () => void add())
    expect(idsOf(all).toSorted()).toEqual(before)
  })

  test('more of one second than a page of the provider are all shown', async () => {
    invoices = Array.from({ length: 230 }, (_, at) => invoiceAs(`in_${(at * 7) % 230}`))
    expect(new Set(idsOf(await pages(stage.b, 60))).size).toBe(230)
  })

  test('a page after a few asks the provider for no older ones than it needs', async () => {
    const { nextCursor } = await dataOf(read(stage.b, '?limit=10'))
    stage.account.calls.length = 0
    await dataOf(read(stage.b, `?limit=10&cursor=${nextCursor}`))
    expect(stage.account.calls.map(({ query }) => [query.customer, query.limit, query['created[lte]']])).toEqual([
      ['cus_1', '100', String(NOW / SECOND - 1)],
      ['cus_2', '100', String(NOW / SECOND - 1)],
    ])
  })

  test('a cursor of another project, a damaged one and a wrong limit are refused', async () => {
    const { nextCursor } = await dataOf(read(stage.b, '?limit=1'))
    const other = { projectId: stage.b.s.other.id }
    stage.b.team.sessions.roles.set(`usr_admin ${stage.b.s.other.id}`, 'ADMIN')
    const path = `/billing/invoices?cursor=${nextCursor}`
    stage.account.calls.length = 0
    expect((await stage.b.admin().call('GET', path, undefined, other)).status).toBe(400)
    for (const query of [`?cursor=${nextCursor}x`, '?cursor=', '?limit=0', '?limit=201', '?limit=x', '?page=2'])
      expect([query, (await read(stage.b, query)).status]).toEqual([query, 400])
    expect(stage.account.calls).toEqual([])
  })
})

describe('at the test store', () => {
  let b: BillingStage
  beforeAll(async () => {
    b = await billingStage()
  })
  afterAll(() => b.close())

  test('pages have every invoice once', async () => {
    b.s.ctx.clock.set(NOW)
    await dataOf(b.admin().put('/billing/details', DETAILS))
    await dataOf(b.admin().post('/billing/upgrade', { tier: 'INDIE', paymentMethodId: 'pm_card_visa' }))
    await dataOf(b.admin().post('/billing/upgrade', { tier: 'STUDIO' }))
    await advanceBilling(b.s.ctx, b.s.project.id, 95 * DAY)
    const all = idsOf(await pages(b, 200))
    expect(all).toHaveLength(5)
    for (const limit of [1, 2, 4, 5]) expect(idsOf(await pages(b, limit))).toEqual(all)
  })
})
