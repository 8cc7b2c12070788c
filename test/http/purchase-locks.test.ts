import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { undoPurchases } from '../../src/moving/imports/undo/undo-purchases'
import { convertWaiting } from '../../src/people/conversions/convert'
import { fetchRates } from '../../src/projects/exchange-rates/fetch'
import { COINS, type Stage, stage } from '../support/cast'
import { type CentralBank, centralBank } from '../support/central-bank'
import { importJob, importRow, importRows } from '../support/imports'
import { isLockWaitedFor } from '../support/lock-waits'
import { isPostgresRun } from '../support/postgres'
import { DAYS } from '../support/rates'

let bank: CentralBank
let s: Stage
beforeEach(async () => {
  bank = centralBank(structuredClone(DAYS))
  s = await stage({ env: { SVC_FX_URL: bank.url } })
})
afterEach(async () => {
  await s.close()
  await bank.stop()
})

const ORIGINAL = '3000000000000001'

/** A purchase whose key is the id of its transaction, not that of the original one. */
async function buyCoins() {
  const bought = { ...s.buy({ ...COINS, currency: 'EUR' }), originalTransactionId: ORIGINAL }
  expect((await s.receipt('svc_ada', bought)).status).toBe(200)
  const [row, ...more] = await s.ctx.db.select().from(s.ctx.tables.purchases)
  if (!row || more.length > 0) throw new Error('one purchase is recorded')
  expect([row.chainKey, row.originalTransactionId]).toEqual([bought.transactionId, ORIGINAL])
  return row
}

/** Expects that the work waits while something else records a purchase of the original transaction. */
async function expectWaits(name: string, work: () => Promise<unknown>): Promise<void> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = s.ctx.storage.transaction(async (tx) => {
    await tx.lock(name)
    held.resolve()
    await released.promise
  })
  await held.promise
  let hasEnded = false
  const done = work().finally(() => {
    hasEnded = true
  })
  try {
    while (!hasEnded && !(await isLockWaitedFor(s.ctx))) await Bun.sleep(5)
    expect(hasEnded).toBe(false)
  } finally {
    released.resolve()
    await Promise.allSettled([holder, done])
  }
  await done
}

describe.skipIf(!isPostgresRun())('while something else of the same original transaction is recorded', () => {
  const nameOf = () => `purchase:${s.project.id}:IOS_STORE:${ORIGINAL}`

  test('a conversion waits', async () => {
    await buyCoins()
    await fetchRates(s.ctx)
    await expectWaits(nameOf(), () => convertWaiting(s.ctx, () => false))
    const rows = await s.ctx.db.select().from(s.ctx.tables.transactions)
    expect(rows.map(({ usdMicros }) => usdMicros)).not.toContain(null)
  })

  test('an import waits, and so does its undo', async () => {
    const { id, fold, chainKey } = await buyCoins()
    const job = await importJob(s, { skipSandbox: false })
    const row = importRow({
      ...{ deviceKey: 'svc_ada', productIdentifier: fold.storeProductId, isSandbox: true },
      ...{ originalTransactionId: ORIGINAL, storeTransactionId: chainKey, purchaseDate: fold.purchaseDate },
    })
    await expectWaits(nameOf(), () => importRows(s, job, [row]))
    expect((await s.ctx.db.select().from(s.ctx.tables.purchases)).map((one) => one.id)).toEqual([id])
    const marks = await s.ctx.db.select().from(s.ctx.tables.importPurchases)
    expect(marks.map(({ purchaseId }) => purchaseId)).toEqual([id])
    const project = await s.ctx.state.projects.get(s.project.id)
    await expectWaits(nameOf(), () => s.ctx.write((tx) => undoPurchases(tx, project, job, marks)))
  })
})
