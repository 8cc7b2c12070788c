import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { repairExamination } from '../../src/intake/repair/doctor'
import { repairCron } from '../../src/intake/repair/jobs'
import { purchasesCommand } from '../../src/intake/repair/purchases-command'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { type Stage, stage, YEARLY } from '../support/cast'
import { runBeside } from '../support/command'
import { access, balances, eventTypes, everything, lastEvent, money, refund, renew, rowOf } from '../support/facts'
import { chargedBefore, copyOf } from '../support/former-rows'
import { notify } from '../support/notify'
import { staff } from '../support/staff'

// Two transaction ids of one period, which an earlier release recorded as two charges.

let s: Stage
let year: TransactionPayload
let copy: TransactionPayload
beforeEach(async () => {
  s = await stage()
  year = { ...s.buy(YEARLY), webOrderLineItemId: '700000000000001' }
  copy = copyOf(s, year, '3000000000000001')
})
afterEach(() => s.close())

const PRICE = 79_990_000
const repair = (...args: string[]) => runBeside(s, purchasesCommand, 'repair', ...args)
const repaired = async (...args: string[]) => JSON.parse((await repair('--json', ...args)).out)
const ada = async () => (await rowOf(s, 'svc_ada')).id
const lines = () => s.ctx.db.select().from(s.ctx.tables.transactions)
const gross = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.figureEntries)).reduce((sum, row) => sum + row.gross, 0)
const gapsOf = async () => {
  const about = { handle: s.ctx, config: s.ctx.config, vault: null, now: s.ctx.clock.now() }
  const report = await repairExamination.project?.(about, { id: s.project.id, slug: 'sleep' })
  return (report?.gaps ?? []).map(({ message }) => message)
}

/** Both copies as charges of their own. Returns the id of the purchase. */
async function twice(): Promise<string> {
  await chargedBefore(s, 'svc_ada', year)
  const id = await chargedBefore(s, 'svc_ada', copy)
  expect([(await lines()).length, await gross(), await balances(s, 'svc_ada')]).toEqual([2, 2 * PRICE, { coins: 1000 }])
  return id
}

test('become one charge: one money line, one event that names the other, access as before, credits as they were', async () => {
  const id = await twice()
  const held = await access(s, 'svc_ada')
  const events = await eventTypes(s, await ada())
  const before = (await lines()).map((line) => line.id)
  const { items, credits, failed } = await repaired()
  const [left] = await lines()
  const linesRemoved = before.filter((one) => one !== left?.id)
  expect([failed, items]).toEqual([
    0,
    [expect.objectContaining({ purchaseId: id, merged: [], linesRemoved, lost: [] })],
  ])
  expect(linesRemoved).toHaveLength(1)
  expect(await money(s, await ada())).toEqual([['INITIAL', PRICE]])
  expect([await gross(), await access(s, 'svc_ada'), await balances(s, 'svc_ada')]).toEqual([
    PRICE,
    held,
    { coins: 1000 },
  ])
  expect((await eventTypes(s, await ada())).slice(events.length)).toEqual(['purchase.corrected'])
  expect(await lastEvent(s, 'svc_ada', 'purchase.corrected')).toMatchObject({
    cause: { kind: 'CLI', store: 'IOS_STORE', detail: 'repair' },
    data: { transaction: null, merged: [], linesRemoved },
  })
  expect(credits).toEqual([expect.objectContaining({ purchaseId: id, amount: 500, currency: 'coins', isTaken: false })])
})

test('stay one, whatever the store reports of them later, and are refunded by any id', async () => {
  await twice()
  await repair()
  for (const one of [year, copy, copyOf(s, year, '3000000000000002'), { ...copy, webOrderLineItemId: '0' }])
    expect((await s.receipt('svc_ada', { ...one, signedDate: s.ctx.clock.now() + 1 })).status).toBe(200)
  expect([await money(s, await ada()), await balances(s, 'svc_ada')]).toEqual([[['INITIAL', PRICE]], { coins: 1000 }])
  await notify(s, ['DID_RENEW', null], renew(s, year, YEARLY))
  expect((await money(s, await ada())).map(([kind]) => kind)).toEqual(['INITIAL', 'RENEWAL'])
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 1500 })
  s.ctx.clock.advance(1000)
  await notify(s, ['REFUND', null], refund(s, copy))
  expect((await money(s, await ada())).filter(([kind]) => kind === 'REFUND')).toEqual([['REFUND', -PRICE]])
})

test('are joined without a repair when their receipts are posted again, which tells the line item', async () => {
  await twice()
  for (const one of [year, copy]) expect((await s.receipt('svc_ada', one)).status).toBe(200)
  expect(await money(s, await ada())).toEqual([['INITIAL', PRICE]])
  expect(await lastEvent(s, 'svc_ada', 'purchase.corrected')).toMatchObject({
    data: { merged: [], linesRemoved: [expect.stringMatching(/^txn_/)] },
  })
  expect([await gross(), await balances(s, 'svc_ada')]).toEqual([PRICE, { coins: 1000 }])
  expect((await repaired()).items).toEqual([])
})

test('a removed money line is found under its id by the dashboard, and by no other project', async () => {
  await twice()
  const before = (await lines()).map(({ id }) => id)
  await repair()
  const [left] = await lines()
  const gone = before.find((id) => id !== left?.id) ?? ''
  const dev = staff(s).as('OWNER')
  const refusal = async (id: string) => (await dev.post(`/transactions/${id}/refund`, {})).body.error.code
  expect([await refusal(gone), await refusal('txn_none')]).toEqual([await refusal(left?.id ?? ''), 'NOT_FOUND'])
  expect(await refusal(gone)).toBe('REFUND_NOT_POSSIBLE')
  const found = await dev.get(`/search?q=${gone}`)
  expect(JSON.stringify(found.body)).toContain(left?.id ?? 'none')
  await s.ctx.write((tx) => tx.db.update(tx.tables.joinedTransactions).set({ projectId: s.other.id }))
  expect(await refusal(gone)).toBe('NOT_FOUND')
})

describe('what is left alone', () => {
  test('two periods, and two transactions that the store gave different line items', async () => {
    await chargedBefore(s, 'svc_ada', year)
    await chargedBefore(s, 'svc_ada', { ...copy, expiresDate: (copy.expiresDate ?? 0) + 86_400_000 })
    const before = await everything(s)
    expect((await repaired()).items).toEqual([])
    expect(await everything(s)).toEqual(before)
  })

  test('charges of today whose line item the store did not sign are known by their transactions', async () => {
    for (const one of [year, copy]) await s.receipt('svc_ada', { ...one, webOrderLineItemId: '0' })
    const before = await everything(s)
    expect((await repaired()).items).toEqual([])
    expect(await everything(s)).toEqual(before)
  })

  test('line items that the store has told since', async () => {
    await twice()
    for (const [one, item] of [
      [year, '1'],
      [copy, '2'],
    ] as const)
      await s.receipt('svc_ada', { ...one, webOrderLineItemId: item, signedDate: s.ctx.clock.now() + 1 })
    expect((await repaired()).items).toEqual([])
    expect(await lines()).toHaveLength(2)
  })
})

describe('a repair', () => {
  test('that is only tried lists what it would do with the credits, and writes nothing', async () => {
    const id = await twice()
    const before = await everything(s)
    const tried = await repaired('--dry-run', '--credits')
    expect(tried).toMatchObject({
      items: [{ purchaseId: id, merged: [], linesRemoved: [expect.stringMatching(/^txn_/)] }],
      credits: [{ purchaseId: id, amount: 500, isTaken: false }],
    })
    expect((await repair('--dry-run')).out).toContain(`${id} has charges that were recorded twice`)
    expect(await everything(s)).toEqual(before)
  })

  test('twice and two at once changes nothing more', async () => {
    await twice()
    await Promise.all([repair(), repair()])
    const after = await everything(s)
    expect((await repaired()).items).toEqual([])
    expect(await everything(s)).toEqual(after)
    expect(await lines()).toHaveLength(1)
  })

  test('takes doubled credits back only by an order, once, and later reports neither take nor give', async () => {
    await twice()
    await repair()
    expect(await gapsOf()).toEqual([expect.stringContaining('got 500 coins a second time')])
    expect((await repaired('--credits')).credits).toMatchObject([{ amount: 500, isTaken: true }])
    expect([await balances(s, 'svc_ada'), await gapsOf()]).toEqual([{ coins: 500 }, []])
    expect((await repaired('--credits')).credits).toEqual([])
    for (const one of [year, copyOf(s, year, '2000000000000000')]) await s.receipt('svc_ada', one)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })

  test('of a running server does it too, once for each project; the doctor says so until then', async () => {
    await twice()
    expect(await gapsOf()).toEqual([expect.stringContaining('charges that an earlier release recorded twice')])
    const run = async () => {
      for (const { job } of repairCron) await job.run(s.ctx, {}, () => false)
    }
    await run()
    expect([(await lines()).length, await gapsOf()]).toEqual([1, [expect.stringContaining('a second time')]])
    expect(await lastEvent(s, 'svc_ada', 'purchase.corrected')).toMatchObject({ cause: { kind: 'SWEEP' } })
    const after = await everything(s)
    await run()
    expect(await everything(s)).toEqual(after)
  })
})
