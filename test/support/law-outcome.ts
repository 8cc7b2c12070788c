import { expect } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { canonicalJson } from '../../src/base/lib/hash'
import type { Stage } from './cast'
import { access, balances, rowOf } from './facts'

/**
 * Columns that depend on the delivery and not on what was delivered: ids, times of writing, and when the store is
 * called again.
 */
const IDS = ['id', 'projectId', 'subscriberId', 'purchaseId', 'cause']
const IS_OWN = new Set([...IDS, 'createdAt', 'updatedAt', 'recordedAt', 'recheckAt'])

type Row = Record<string, unknown>

const bare = (row: Row): string =>
  canonicalJson(Object.fromEntries(Object.entries(row).filter(([name]) => !IS_OWN.has(name))))

export interface Outcome {
  purchases: string[]
  transactions: string[]
  observations: string[]
  toldAccess: unknown
  access: unknown
  balances: Record<string, number>
  revenue: Record<string, number>
}

/**
 * Everything that a device has: rows without the columns of `IDS`, and answers over HTTP. Its events must add up to it.
 * `rename` replaces names that belong to one delivery by names that are the same in every delivery.
 */
export async function outcomeOf(s: Stage, device: string, rename: (text: string) => string): Promise<Outcome> {
  const { purchases, transactions, observations } = s.ctx.tables
  const { id, toldAccess } = await rowOf(s, device)
  const own = await s.ctx.db.select().from(purchases).where(eq(purchases.subscriberId, id))
  const money = await s.ctx.db.select().from(transactions).where(eq(transactions.subscriberId, id))
  const ids = own.map((row) => row.id)
  const rows = await s.ctx.db.select().from(observations).where(inArray(observations.purchaseId, ids))
  const held = await balances(s, device)
  await expectEventsToAddUp(s, id, toldAccess, held)
  const textsOf = (rows: readonly Row[]) => rows.map((row) => rename(bare(row))).sort()
  return {
    // The chain of a shared purchase contains the id of its holder.
    purchases: textsOf(own.map((row) => ({ ...row, chainKey: row.chainKey.replace(/:sub_\w+$/, ':holder') }))),
    transactions: textsOf(money),
    observations: textsOf(rows),
    toldAccess,
    access: await access(s, device),
    balances: Object.fromEntries(Object.entries(held).filter(([, amount]) => amount !== 0)),
    revenue: revenueOf(money),
  }
}

function revenueOf(rows: readonly { currency: string | null; amountMicros: number | null }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { currency, amountMicros } of rows)
    if (currency !== null) sums[currency] = (sums[currency] ?? 0) + (amountMicros ?? 0)
  return sums
}

/**
 * Expects that granted and revoked events alternate and end at the published access, that the ledger's entries add up
 * to the balances, and that no number is missing.
 */
async function expectEventsToAddUp(s: Stage, id: string, toldAccess: object, held: Record<string, number>) {
  const events = await s.events(id)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const granted = new Set<unknown>()
  const sums: Record<string, number> = {}
  for (const { type, data } of events) {
    if (type === 'entitlement.granted') {
      expect(granted.has(data.access)).toBe(false)
      granted.add(data.access)
    }
    if (type === 'entitlement.revoked') expect(granted.delete(data.access)).toBe(true)
    if (type === 'currency.transaction') sums[String(data.code)] = (sums[String(data.code)] ?? 0) + Number(data.amount)
  }
  expect([...granted].sort()).toEqual(Object.keys(toldAccess).sort())
  for (const [code, amount] of Object.entries(held)) expect([code, sums[code] ?? 0]).toEqual([code, amount])
}
