import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { commitBatch } from '../../src/moving/imports/commit/commit-batch'
import { type Stage, stage } from '../support/cast'
import { type Arrival, anyArrivals, anyHistory, type History, ToldHistory } from '../support/import-histories'
import { digestOf, holdingsOf, importJob, type importRow, importRows } from '../support/imports'
import { moreInRelease } from '../support/release'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

let told = 0

/** What the arrivals come to, without the ids that differ. */
async function outcome(history: History, arrivals: readonly Arrival[], size: number): Promise<unknown> {
  const name = String(100_000 + ++told)
  const one = new ToldHistory(history, name)
  let rows: ReturnType<ToldHistory['row']>[] = []
  const flush = async () => {
    if (rows.length > 0) await importRows(s, await importJob(s), rows, size)
    rows = []
  }
  for (const { period, by } of arrivals) {
    if (by === 'FILE') rows.push(one.row(period))
    else {
      await flush()
      await one.report(s, period)
    }
  }
  await flush()
  const held = await holdingsOf(s, one.label)
  if (!held) return null
  const stripped = JSON.stringify({
    access: held.access,
    purchases: held.purchases.map(({ row, state }) => ({
      ...{ environment: row.environment, productId: row.productId, effectiveEnd: row.effectiveEnd },
      ...{ sweepAt: row.sweepAt, status: state.status, expiresAt: state.expiresAt, isTrial: state.isTrial },
      ...{ purchaseDate: state.purchaseDate, originalPurchaseDate: state.originalPurchaseDate, price: state.price },
      ...{ autoRenews: state.autoRenews, cancelledAt: state.cancelledAt, refundedAt: state.refundedAt },
      ...{ storeProductId: state.storeProductId, billingTrouble: state.billingTrouble },
    })),
    lines: held.lines.map(({ kind, amountMicros, usdMicros, occurredAt, renewalNumber }) => [
      ...[kind, amountMicros, usdMicros, occurredAt, renewalNumber],
    ]),
  })
  return JSON.parse(stripped.replaceAll(name, '#'))
}

const RUNS = Number(process.env.SVC_LAW_RUNS ?? moreInRelease(20, 60))

test('any split of a history between files and stores, in any order, comes to the same', async () => {
  const law = fc.asyncProperty(
    anyHistory.chain((history) =>
      fc.record({
        history: fc.constant(history),
        one: anyArrivals(history.periods.length),
        other: anyArrivals(history.periods.length),
        size: fc.integer({ min: 1, max: 3 }),
      }),
    ),
    async ({ history, one, other, size }) => {
      const expected = await outcome(history, one, 100)
      expect(expected).not.toBeNull()
      expect(await outcome(history, other, size)).toEqual(expected)
    },
  )
  await fc.assert(law, { numRuns: RUNS })
})

test('a crash between or within batches changes nothing of the end', async () => {
  const law = fc.asyncProperty(
    fc.array(anyHistory, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 0, max: 12 }),
    async (histories, size, crashAt) => {
      const rows = histories.flatMap((history, index) => {
        const one = new ToldHistory(history, `9${index}`)
        return history.periods.map((_, period) => one.row(period))
      })
      const [undisturbed, crashed] = [await stage(), await stage()]
      await importRows(undisturbed, await importJob(undisturbed), rows)
      await withCrash(crashed, rows, size, crashAt)
      expect(await digestOf(crashed)).toEqual(await digestOf(undisturbed))
      await undisturbed.close()
      await crashed.close()
    },
  )
  await fc.assert(law, { numRuns: Math.ceil(RUNS / 6) })
})

/** One batch fails after all its writes; the runner then goes on from the last one that was committed. */
async function withCrash(
  crashed: Stage,
  rows: readonly ReturnType<typeof importRow>[],
  size: number,
  crashAt: number,
): Promise<void> {
  const job = await importJob(crashed)
  const project = await crashed.ctx.state.projects.get(crashed.project.id)
  for (let start = 0, batch = 0; start < rows.length; batch++) {
    const some = rows.slice(start, start + size)
    const write = crashed.ctx.write(async (tx) => {
      await commitBatch(tx, project, job, some)
      if (batch === crashAt) throw new Error('the process ends here')
    })
    const isDone = await write.then(
      () => true,
      () => false,
    )
    if (isDone) start += size
  }
}
