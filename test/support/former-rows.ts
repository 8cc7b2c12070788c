import { and, eq, notInArray } from 'drizzle-orm'
import type { Tx } from '../../src/base/context'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { simulatedCopy } from '../../src/test-store/stores/ios'
import type { Stage } from './cast'

/** The same sale on another device, one second later. */
export function copyOf(s: Stage, payload: TransactionPayload, transactionId: string): TransactionPayload {
  s.ctx.clock.advance(1000)
  return simulatedCopy(payload, { transactionId, now: s.ctx.clock.now() })
}

/** A device posts a transaction, recorded as by the release that did not know copies. Returns the id of the purchase. */
export async function boughtBefore(s: Stage, device: string, payload: TransactionPayload): Promise<string> {
  const others = await hideRows(s, payload)
  const answer = await s.receipt(device, payload)
  if (answer.status !== 200) throw new Error(`the receipt was refused with ${answer.status}`)
  const { purchases: p } = s.ctx.tables
  const isNew = and(
    eq(p.originalTransactionId, payload.originalTransactionId),
    notInArray(p.id, ['', ...others.map(({ id }) => id)]),
  )
  const [row] = await s.ctx.db.select().from(p).where(isNew)
  if (!row) throw new Error(`${device} has no such purchase`)
  await s.ctx.write(async (tx) => {
    await makeOld(tx, row.id, payload.transactionId)
    for (const { id, chainKey } of others) await tx.db.update(p).set({ chainKey }).where(eq(p.id, id))
  })
  return row.id
}

/** A receipt of today would find the other rows of the sale, so they get other keys for its time. Returns them. */
const hideRows = (s: Stage, { originalTransactionId }: TransactionPayload) =>
  s.ctx.write(async (tx) => {
    const { purchases: p } = tx.tables
    const rows = await tx.db.select().from(p).where(eq(p.originalTransactionId, originalTransactionId))
    for (const { id } of rows)
      await tx.db
        .update(p)
        .set({ chainKey: `hidden ${id}` })
        .where(eq(p.id, id))
    return rows
  })

/** The key was that of the transaction, there were no other names, and no observation named its sale. */
async function makeOld({ db, tables }: Tx, purchaseId: string, chainKey: string): Promise<void> {
  const { purchases: p, purchaseAliases: a, observations: o } = tables
  await db.update(p).set({ chainKey }).where(eq(p.id, purchaseId))
  await db.delete(a).where(eq(a.purchaseId, purchaseId))
  for (const { kind, id, payload } of await db.select().from(o).where(eq(o.purchaseId, purchaseId))) {
    if (payload.kind !== 'REPORT' || !payload.transaction) continue
    const { sale: _sale, isRevoked: _isRevoked, ...transaction } = payload.transaction
    const isOne = and(eq(o.purchaseId, purchaseId), eq(o.kind, kind), eq(o.id, id))
    await db
      .update(o)
      .set({ payload: { ...payload, transaction } })
      .where(isOne)
  }
}

/** A device posts a period, recorded as by the release that did not keep its line item. Returns the id of the purchase. */
export async function chargedBefore(s: Stage, device: string, payload: TransactionPayload): Promise<string> {
  const { webOrderLineItemId: _item, ...bare } = payload
  const answer = await s.receipt(device, bare)
  if (answer.status !== 200) throw new Error(`the receipt was refused with ${answer.status}`)
  const { purchases: p } = s.ctx.tables
  const { originalTransactionId: original } = payload
  const [row] = await s.ctx.db.select().from(p).where(eq(p.originalTransactionId, original))
  if (!row) throw new Error(`${device} has no such purchase`)
  await s.ctx.write((tx) => makeOld(tx, row.id, original))
  return row.id
}
