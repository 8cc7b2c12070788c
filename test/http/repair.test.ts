import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { repairExamination } from '../../src/intake/repair/doctor'
import { repairCron } from '../../src/intake/repair/jobs'
import { purchasesCommand } from '../../src/intake/repair/purchases-command'
import { COINS, LIFETIME, type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import {
  access,
  balances,
  eventTypes,
  everything,
  grantOnPurchase,
  identify,
  lastEvent,
  money,
  refund,
  rowOf,
} from '../support/facts'
import { boughtBefore, copyOf } from '../support/former-rows'
import { notify } from '../support/notify'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const repair = (...args: string[]) => runBeside(s, purchasesCommand, 'repair', ...args)
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const idOf = async (device: string) => (await rowOf(s, device)).id

/** One sale that Ada and Bo each have a row of; Ada's is the older. */
async function twoRows() {
  const life = s.buy(LIFETIME)
  const copy = copyOf(s, life, '3000000000000001')
  return { life, copy, ada: await boughtBefore(s, 'svc_ada', life), bo: await boughtBefore(s, 'svc_bo', copy) }
}

/** What the doctor misses. */
const examined = async () => {
  const about = { handle: s.ctx, config: s.ctx.config, vault: null, now: s.ctx.clock.now() }
  const report = await repairExamination.project?.(about, { id: s.project.id, slug: 'sleep' })
  return { gaps: (report?.gaps ?? []).map(({ message }) => message) }
}

/** What all figures of a product sum up to. */
async function gross(): Promise<number> {
  const rows = await s.ctx.db.select().from(s.ctx.tables.figureEntries)
  return rows.reduce((sum, row) => sum + row.gross, 0)
}

describe('rows of one sale', () => {
  test('become the oldest one: money counts once, and the other person is told and named', async () => {
    const { ada, bo } = await twoRows()
    expect(await gross()).toBe(2 * 199_990_000)
    const ran = await repair('--json')
    expect(ran.code).toBe(0)
    const [item] = JSON.parse(ran.out).items
    expect(item).toMatchObject({
      purchaseId: ada,
      merged: [bo],
      linesRemoved: [expect.stringMatching(/^txn_/)],
      lost: [{ subscriberId: await idOf('svc_bo'), appUserId: null, access: ['pro'] }],
    })
    expect(await purchases()).toMatchObject([{ id: ada, subscriberId: await idOf('svc_ada') }])
    expect([await access(s, 'svc_bo'), Object.keys(await access(s, 'svc_ada'))]).toEqual([{}, ['pro']])
    expect(await money(s, await idOf('svc_ada'))).toEqual([['NON_RENEWING_PURCHASE', 199_990_000]])
    expect(await money(s, await idOf('svc_bo'))).toEqual([])
    expect(await gross()).toBe(199_990_000)
    const BOUGHT = ['purchase.non_renewing', 'entitlement.granted']
    expect(await eventTypes(s, await idOf('svc_ada'))).toEqual([...BOUGHT, 'purchase.corrected'])
    expect(await eventTypes(s, await idOf('svc_bo'))).toEqual([...BOUGHT, 'entitlement.revoked'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.corrected')).toMatchObject({
      cause: { kind: 'CLI', store: 'IOS_STORE', detail: 'repair' },
      before: { purchase: { id: ada, status: 'ACTIVE' } },
      after: { purchase: { id: ada, status: 'ACTIVE' } },
      data: { merged: [bo], linesRemoved: item.linesRemoved },
    })
  })

  test('stay with a labelled owner, though an unlabelled one is older', async () => {
    const { ada, bo } = await twoRows()
    await identify(s, 'svc_bo', 'bo')
    expect(JSON.parse((await repair('--json')).out).items).toMatchObject([{ purchaseId: bo, merged: [ada] }])
    expect([await access(s, 'svc_ada'), Object.keys(await access(s, 'svc_bo'))]).toEqual([{}, ['pro']])
  })

  test('of one person give no event of access', async () => {
    const life = s.buy(LIFETIME)
    await boughtBefore(s, 'svc_ada', life)
    await boughtBefore(s, 'svc_bo', copyOf(s, life, '3000000000000001'))
    for (const device of ['svc_ada', 'svc_bo']) await identify(s, device, 'ada')
    const before = await eventTypes(s, (await purchases())[0]?.subscriberId ?? '')
    expect((await repair()).out).not.toContain('loses')
    const after = await eventTypes(s, (await purchases())[0]?.subscriberId ?? '')
    expect(after.slice(before.length)).toEqual(['purchase.corrected'])
    expect(await purchases()).toHaveLength(1)
  })

  test('are one for what comes later: copies, refunds, and a stranger with a copy', async () => {
    const { life, copy } = await twoRows()
    await identify(s, 'svc_ada', 'ada')
    await repair()
    for (const one of [life, copy, copyOf(s, life, '3000000000000002')]) {
      expect((await s.receipt('svc_ada', one)).status).toBe(200)
      expect((await s.receipt('svc_bo', one)).body.error?.code).toBe('RECEIPT_IN_USE')
    }
    expect(await money(s, await idOf('svc_ada'))).toHaveLength(1)
    await notify(s, ['REFUND', null], refund(s, copy))
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await money(s, await idOf('svc_ada'))).toEqual([
      ['NON_RENEWING_PURCHASE', 199_990_000],
      ['REFUND', -199_990_000],
    ])
    expect(await purchases()).toHaveLength(1)
  })

  test('of which one was refunded are refunded', async () => {
    const life = s.buy(LIFETIME)
    await boughtBefore(s, 'svc_ada', life)
    await boughtBefore(s, 'svc_bo', refund(s, copyOf(s, life, '3000000000000001')))
    expect((await rowOf(s, 'svc_ada')).toldAccess).toHaveProperty('pro')
    await repair()
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await money(s, await idOf('svc_ada'))).toEqual([
      ['NON_RENEWING_PURCHASE', 199_990_000],
      ['REFUND', -199_990_000],
    ])
    expect(await gross()).toBe(199_990_000)
    expect((await eventTypes(s, await idOf('svc_ada'))).slice(2)).toEqual(['purchase.corrected', 'entitlement.revoked'])
  })

  test('are found under the ids of before, by routes, transfers and their undo', async () => {
    const { ada, bo } = await twoRows()
    const [{ linesRemoved }] = JSON.parse((await repair('--json')).out).items
    const dev = staff(s).as('OWNER')
    const charge = async (id: string) => (await dev.post(`/transactions/${id}/refund`, {})).body.error.code
    expect([await charge(linesRemoved[0]), await charge('txn_none')]).toEqual(['REFUND_NOT_POSSIBLE', 'NOT_FOUND'])
    const refusal = async (id: string) => (await dev.post(`/subscriptions/${id}/refund`, {})).body.error.code
    expect([await refusal(bo), await refusal('pur_none')]).toEqual(['REFUND_NOT_POSSIBLE', 'NOT_FOUND'])
    expect((await dev.delete(`/subscriptions/${bo}/schedule`)).body.error.code).toBe('SCHEDULED_ACTION_CONFLICT')
    const order = { fromAppUserId: await idOf('svc_ada'), toAppUserId: await idOf('svc_bo'), purchaseIds: [bo] }
    const server = { key: s.project.secretKey }
    const moved = await dataOf(s.post('/v1/subscribers/transfer', order, server))
    expect(moved.purchases).toMatchObject([{ id: ada }])
    expect([await access(s, 'svc_ada'), Object.keys(await access(s, 'svc_bo'))]).toEqual([{}, ['pro']])
    await dataOf(s.post(`/v1/subscribers/transfer/${moved.transferId}/undo`, {}, server))
    expect([await access(s, 'svc_bo'), Object.keys(await access(s, 'svc_ada'))]).toEqual([{}, ['pro']])
  })
})

describe('a repair', () => {
  test('that is only tried names what it would do, and writes nothing', async () => {
    const { ada, bo } = await twoRows()
    const before = await everything(s)
    const tried = await repair('--dry-run')
    expect(tried.out).toContain(`${ada} is also ${bo}`)
    expect(tried.out).toContain('loses pro')
    expect(await everything(s)).toEqual(before)
  })

  test('that is repeated, also by two at once, changes nothing more', async () => {
    await twoRows()
    await Promise.all([repair(), repair()])
    const after = await everything(s)
    expect(JSON.parse((await repair('--json')).out).items).toEqual([])
    expect(await everything(s)).toEqual(after)
    expect(await purchases()).toHaveLength(1)
  })

  test('leaves alone what is not one sale: consumables, and purchases of today', async () => {
    await s.receipt('svc_ada', s.buy(LIFETIME))
    await boughtBefore(s, 'svc_ada', s.buy(COINS))
    await boughtBefore(s, 'svc_bo', s.buy(COINS))
    const before = await everything(s)
    expect((await repair()).out).toBe('Purchases joined: 0.')
    expect(await everything(s)).toEqual(before)
    expect([await balances(s, 'svc_ada'), await balances(s, 'svc_bo')]).toEqual([{ coins: 100 }, { coins: 100 }])
  })

  test('gives a row that is alone the key by which its copies find it', async () => {
    const life = s.buy(LIFETIME)
    const copy = copyOf(s, life, '3000000000000001')
    const id = await boughtBefore(s, 'svc_ada', copy)
    const events = await eventTypes(s, await idOf('svc_ada'))
    await repair()
    expect(await eventTypes(s, await idOf('svc_ada'))).toEqual(events)
    expect((await s.receipt('svc_ada', life)).status).toBe(200)
    expect(await purchases()).toMatchObject([{ id, chainKey: life.originalTransactionId }])
  })

  test('does not touch another project', async () => {
    const { bo } = await twoRows()
    const { purchases: p } = s.ctx.tables
    await s.ctx.db.update(p).set({ projectId: s.other.id }).where(eq(p.id, bo))
    await repair()
    expect((await purchases()).map(({ id }) => id)).toContain(bo)
  })
})

describe('currency that two rows have granted', () => {
  const coins = async () => [await balances(s, 'svc_ada'), await balances(s, 'svc_bo')]
  const lines = async () => (await s.ctx.db.select().from(s.ctx.tables.ledger)).map(({ amount }) => Number(amount))
  const credits = async (...args: string[]) => JSON.parse((await repair('--json', ...args)).out).credits
  const doubled = async () => ({ subscriberId: await idOf('svc_bo'), currency: 'coins', amount: 70, isTaken: false })

  beforeEach(() => grantOnPurchase(s, 'lifetime'))

  test('stays with those who got it, and is listed', async () => {
    await twoRows()
    expect(await credits('--dry-run', '--credits')).toEqual([expect.objectContaining(await doubled())])
    for (let run = 0; run < 2; run++) expect(await credits()).toEqual([expect.objectContaining(await doubled())])
    expect(await coins()).toEqual([{ coins: 70 }, { coins: 70 }])
    expect(await lines()).toEqual([70, 70])
    const { gaps } = await examined()
    expect(gaps).toEqual([expect.stringContaining('got 70 coins a second time')])
  })

  test('is taken back by an order, once, as far as it was not spent', async () => {
    await twoRows()
    const spent = { amount: -50, idempotencyKey: 'spent' }
    await dataOf(s.post('/v1/virtual-currencies/svc_bo/coins/transactions', spent, { key: s.project.secretKey }))
    expect(await credits('--credits')).toEqual([expect.objectContaining({ ...(await doubled()), isTaken: true })])
    expect(await coins()).toEqual([{ coins: 70 }, { coins: 0 }])
    expect(await lastEvent(s, 'svc_bo', 'currency.transaction')).toMatchObject({
      cause: { kind: 'CLI' },
      before: { balances: { coins: 20 } },
      after: { balances: { coins: 0 } },
      data: { code: 'coins', amount: -20, balance: 0, ledgerType: 'REFUND' },
    })
    expect(await credits('--credits')).toEqual([])
    expect(await lines()).toEqual([70, 70, -50, -20])
    expect((await examined()).gaps).toEqual([])
  })

  test('stays what it is when the store reports the purchase again', async () => {
    const { life, copy } = await twoRows()
    await repair()
    for (const one of [life, copy, copyOf(s, life, '3000000000000002')]) await s.receipt('svc_ada', one)
    expect(await lines()).toEqual([70, 70])
  })
})

test('a running server repairs by itself, and the doctor says so until then', async () => {
  const { ada } = await twoRows()
  expect((await examined()).gaps).toEqual([expect.stringContaining('1 purchases of the App Store have a key')])
  for (const { job } of repairCron) await job.run(s.ctx, {}, () => false)
  expect(await purchases()).toMatchObject([{ id: ada }])
  expect((await examined()).gaps).toEqual([])
  expect(await lastEvent(s, 'svc_ada', 'purchase.corrected')).toMatchObject({ cause: { kind: 'SWEEP' } })
})

describe('what names a row that goes', () => {
  test('names the one that stays: schedules, questions of the store about refunds, and marks of imports', async () => {
    const { ada, bo, copy } = await twoRows()
    const { scheduledActions: a, refundShieldResponses: r, importPurchases: m } = s.ctx.tables
    const [id, projectId, now] = ['x', s.project.id, s.ctx.clock.now()]
    const common = { id, projectId, purchaseId: bo, createdAt: now, updatedAt: now, dueAt: now + DAY, error: null }
    await s.ctx.write(async (tx) => {
      await tx.db.insert(a).values({ ...common, action: 'CANCEL', revokeImmediately: false, status: 'PENDING' })
      await tx.db.insert(r).values({
        ...{ ...common, notificationId: 'n', subscriberId: null, transactionId: copy.transactionId, status: 'SENT' },
        ...{ outcome: null, outcomeAt: null, attempts: 1, askedAt: now, deadlineAt: now, sentAt: now },
      })
      await tx.db.insert(m).values([
        { jobId: 'imp_1', purchaseId: ada, isNew: false, repeats: ['a'] },
        { jobId: 'imp_1', purchaseId: bo, isNew: true, repeats: ['b'] },
        { jobId: 'imp_2', purchaseId: bo, isNew: true, repeats: [] },
      ])
    })
    await repair()
    const named = async (table: typeof a | typeof r) =>
      (await s.ctx.db.select({ id: table.purchaseId }).from(table))[0]?.id
    expect([await named(a), await named(r)]).toEqual([ada, ada])
    expect(await s.ctx.db.select().from(m)).toEqual([
      { jobId: 'imp_1', purchaseId: ada, isNew: false, repeats: ['a', 'b'] },
      { jobId: 'imp_2', purchaseId: ada, isNew: false, repeats: [] },
    ])
  })
})
