import { afterEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Stage, stage } from '../cast'
import type { History } from './history'
import * as oracle from './oracle'
import { EARLIEST, historyOf, LATEST } from './projects'
import { seedHistory } from './seed'

let s: Stage

afterEach(() => s.close())

/** Sum of the stored lines of production, with every currency worth a dollar. */
async function storedNet(): Promise<bigint> {
  const { transactions } = s.ctx.tables
  const rows = await s.ctx.db.select().from(transactions).where(eq(transactions.environment, 'PRODUCTION'))
  return rows.reduce((sum, { amountMicros }) => sum + BigInt(amountMicros ?? 0), 0n)
}

const even = (history: History): History => ({
  ...history,
  rates: ['EUR', 'GBP', 'TRY', 'XTS'].map((currency) => ({ day: '2000-01-01', currency, usdPerUnit: '1' })),
})

describe('a history in a stage', () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    test(`project ${seed}: observations at their times, and the lines of the oracle`, async () => {
      s = await stage({ now: EARLIEST })
      const history = historyOf(seed, { max: 12 })
      const seeded = await seedHistory(s, history)
      expect(seeded.purchases.size).toBe(history.purchases.length)
      const { observations, purchases } = s.ctx.tables
      const kept = await s.ctx.db.select().from(observations)
      const rows = await s.ctx.db.select().from(purchases)
      for (const purchase of history.purchases) {
        const id = seeded.purchases.get(purchase.id)
        const first = new Map(
          purchase.observations.toReversed().map((one) => [`${one.kind} ${one.id}`, one.recordedAt]),
        )
        const own = kept
          .filter(({ purchaseId }) => purchaseId === id)
          .map((row) => [`${row.kind} ${row.id}`, row.recordedAt])
        expect(own.sort()).toEqual([...first].sort())
        const row = rows.find((one) => one.id === id)
        expect([row?.fold.storeProductId, row?.subscriberId]).toEqual([
          purchase.storeProductId,
          seeded.subscribers.get(purchase.subscriberId),
        ])
      }
      const asked = { from: 0, to: LATEST * 2, grain: 'total', now: LATEST } as const
      expect(String(await storedNet())).toBe(String(oracle.revenue(even(history), asked).totals.net))
    })

  test('two histories in two projects of one stage, many records to a transaction', async () => {
    s = await stage({ now: EARLIEST })
    const [first, second] = [historyOf(7, { max: 12 }), historyOf(8, { max: 12 })]
    await seedHistory(s, first, { together: 50 })
    await seedHistory(s, second, { project: s.other, together: 50 })
    const { observations } = s.ctx.tables
    const kept = await s.ctx.db.select().from(observations)
    const recorded = [first, second].flatMap(({ purchases }) =>
      purchases.flatMap((purchase) => {
        const names = purchase.observations.map(({ kind, id }) => `${kind} ${id}`)
        return purchase.observations
          .filter((_one, index) => names.indexOf(names[index] ?? '') === index)
          .map(({ recordedAt, id }) => `${recordedAt} ${id}`)
      }),
    )
    expect(kept.map(({ recordedAt, id }) => `${recordedAt} ${id}`).sort()).toEqual(recorded.sort())
  })
})
