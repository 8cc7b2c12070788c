import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MINUTE } from '../../src/base/lib/clock'
import { Forecast } from '../../src/moving/imports/forecast/forecast'
import { importSteps } from '../../src/moving/imports/steps'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { anyHistory, ToldHistory } from '../support/import-histories'
import { type ImportStage, importStage, rowsOf } from '../support/import-stage'
import { digestOf, holdingsOf, importJob, importRow, importRows, NOW } from '../support/imports'
import { moreInRelease } from '../support/release'

// What a dry run says of the writing, and that the writing then does it.

let s: Stage
let i: ImportStage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
})
afterEach(() => s.close())

async function tried(content: string, id?: string) {
  s.ctx.clock.advance(2 * MINUTE) // A few imports are taken each minute.
  const job = id ?? (await i.make(content)).id
  expect((await i.act(job, 'dry-run')).status).toBe(202)
  return i.worked(job)
}

async function commit(id: string) {
  expect((await i.act(id, 'commit')).status).toBe(202)
  return i.worked(id)
}

const HEADER =
  'subscriberExternalId,store,productIdentifier,purchaseDate,expiresDate,originalTransactionId,price,currency,refundedAt,isSandbox'
const file = (...rows: string[]) => [HEADER, ...rows, ''].join('\n')
const bought = (person: string, id: string, more = '9.99,USD,,false') =>
  `${person},ios_store,${MONTHLY.productId},2026-11-10,2026-12-10,${id},${more}`

describe('the forecast', () => {
  test('counts people, purchases, money and access, and the writing does what it says', async () => {
    const content = file(
      bought('ann', '1'),
      bought('ann', '2', '4.5,EUR,,false'),
      bought('ben', '3', '10,USD,2026-11-12,false'),
      bought('cyd', '4', '7,USD,,true'),
      'dan,ios_store,com.x.unknown,2026-11-10,2026-12-10,5,1,USD,,false',
    )
    const { id, forecast, counters } = await tried(content)
    expect(forecast).toEqual({
      isPartial: false,
      people: { all: 3, new: 3 },
      purchases: { new: 4, changed: 0, unchanged: 0, withoutProduct: 1 },
      toldByStore: 0,
      money: [
        { currency: 'USD', charged: { count: 3, amountMicros: 20_990_000 }, refunded: { count: 1, amountMicros: 1e7 } },
        { currency: 'EUR', charged: { count: 1, amountMicros: 4_500_000 }, refunded: { count: 0, amountMicros: 0 } },
      ],
      access: [{ identifier: 'pro', people: 1 }],
    })
    expect(counters).toMatchObject({ skipped: 1, subscribersNew: 0, purchasesNew: 0 })
    const done = await commit(id)
    expect(done.counters).toMatchObject({ skipped: 1, subscribersNew: 3, purchasesNew: 4, purchasesUpdated: 0 })
    expect(done.forecast).toEqual(forecast)
    const again = await tried(content)
    expect(again.forecast).toMatchObject({
      people: { all: 3, new: 0 },
      purchases: { new: 0, changed: 0, unchanged: 4 },
      ...{ money: [], access: [] },
    })
    const changed = await tried(file(bought('ann', '1', '9.99,USD,2026-11-15,false')))
    expect(changed.forecast).toMatchObject({
      people: { all: 1, new: 0 },
      purchases: { new: 0, changed: 1, unchanged: 0 },
      money: [{ currency: 'USD', charged: { count: 0 }, refunded: { count: 1, amountMicros: 9_990_000 } }],
      access: [],
    })
  })

  test('of a dry run writes nothing, and is the same a second time', async () => {
    await i.s.receipt('svc_ann', s.buy(MONTHLY))
    const before = await digestOf(s)
    const content = rowsOf(2_500)
    const first = await tried(content)
    expect(first.forecast).toMatchObject({ people: { all: 2_500, new: 2_500 }, purchases: { new: 2_500 } })
    expect((await tried(content, first.id)).forecast).toEqual(first.forecast)
    expect(await digestOf(s)).toEqual(before)
    expect(await s.ctx.db.select().from(s.ctx.tables.importSubscribers)).toEqual([])
    expect(await s.ctx.db.select().from(s.ctx.tables.importAnchors)).toEqual([])
  })

  test('leaves out people who were erased, and is gone when the mapping changes', async () => {
    const first = await tried(file(bought('ann', '1'), bought('ben', '2')))
    await commit(first.id)
    await erase(s, (await holdingsOf(s, 'ann'))?.owner.id ?? '')
    const { id, forecast, counters } = await tried(file(bought('ann', '9'), bought('ben', '2')))
    expect(forecast).toMatchObject({ people: { all: 1, new: 0 }, purchases: { new: 0, unchanged: 1 }, access: [] })
    expect(counters.skipped).toBe(1)
    s.ctx.clock.advance(2 * MINUTE)
    const patch = { options: { skipSandbox: false } }
    expect((await i.team.as('ADMIN').patch(`/imports/${id}/mapping`, patch)).body.data.forecast).toBeNull()
  })

  test('of a second pass there is none, and what the stores alone can tell is counted', async () => {
    const tokens = await tried('user_id,android_purchase_token,android_product_id\nann,token-1,pro_monthly\n')
    expect(tokens).toMatchObject({ kind: 'ANDROID_TOKEN_ENRICHMENT', forecast: null })
    const { forecast } = await tried('app_user_id,token,product_id\nann,token-1,pro_monthly\nben,token-2,pro_monthly\n')
    expect(forecast).toMatchObject({ people: { all: 2 }, toldByStore: 2, purchases: { new: 0 }, money: [] })
  })
})

test('law: the forecast of any histories is what their writing does', async () => {
  let count = 0
  const law = fc.asyncProperty(
    fc.array(fc.record({ history: anyHistory, isTold: fc.boolean() }), { minLength: 1, maxLength: 5 }),
    fc.integer({ min: 1, max: 6 }),
    async (histories, size) => {
      const all = histories.map(({ history, isTold }) => ({
        isTold,
        told: new ToldHistory(history, `${70_000 + ++count}`),
        history,
      }))
      for (const { isTold, told } of all) if (isTold) await told.report(s, 0)
      const rows = all.flatMap(({ told, history }) => history.periods.map((_, period) => told.row(period)))
      const job = await importJob(s)
      const project = await s.ctx.state.projects.get(s.project.id)
      const forecast = new Forecast()
      let skipped = 0
      for (let start = 0; start < rows.length; start += size)
        skipped += await forecast.note(s.ctx, project, job, rows.slice(start, start + size))
      const [before, told] = [await moneyOf(), forecast.result()]
      const written = await importRows(s, job, rows, size)
      const people = await Promise.all(all.map(({ told: one }) => holdingsOf(s, one.label)))
      expect({
        skipped: written.skipped,
        people: { all: all.length, new: written.subscribersNew },
        new: written.purchasesNew,
        changed: written.purchasesUpdated,
        net: (await moneyOf()) - before,
      }).toEqual({
        ...{ skipped, people: told.people, new: told.purchases.new, changed: told.purchases.changed },
        net: told.money.reduce((sum, { charged, refunded }) => sum + charged.amountMicros - refunded.amountMicros, 0),
      })
      expect(told.access).toEqual(
        [{ identifier: 'pro', people: people.filter((one) => 'pro' in (one?.access ?? {})).length }].filter(
          (one) => one.people > 0,
        ),
      )
    },
  )
  await fc.assert(law, { numRuns: moreInRelease(12, 100) })
})

const moneyOf = async (): Promise<number> =>
  (await s.ctx.db.select().from(s.ctx.tables.transactions)).reduce(
    (sum, { amountMicros }) => sum + (amountMicros ?? 0),
    0,
  )

test('a forecast keeps no rows: 6,000 with 12 MB of texts cost a small part of that', async () => {
  const project = await s.ctx.state.projects.get(s.project.id)
  const job = await importJob(s)
  const forecast = new Forecast()
  const batch = (start: number) =>
    Array.from({ length: 1000 }, (_, n) =>
      importRow({
        ...{ line: start + n, subscriberExternalId: `p${start + n}`, store: 'IOS_STORE', purchaseDate: NOW },
        ...{ originalTransactionId: `${start + n}`, attributes: { note: `${start + n} `.repeat(400) } },
      }),
    )
  await forecast.note(s.ctx, project, job, batch(0))
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  for (let start = 1000; start < 6000; start += 1000) await forecast.note(s.ctx, project, job, batch(start))
  Bun.gc(true)
  expect(forecast.result().people.all).toBe(6000)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(6 * 1024 * 1024)
})
