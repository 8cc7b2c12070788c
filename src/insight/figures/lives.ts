import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { counted, type SumScope } from './sums'

/** When a subscription was first charged more than nothing, and the changes of whether it is paid for. */
export interface Life {
  purchaseId: string
  firstChargedAt: number
  /** Ascending; `change` is +1 or −1. */
  changes: { at: number; change: number }[]
}

/** The lives of all subscriptions that were ever charged. Reads many rows, so it runs in `readInThread`. */
export async function readLives(handle: Handle, scope: SumScope): Promise<Life[]> {
  const charged = await firstCharges(handle, scope)
  const lives = new Map(charged.map((one) => [one.purchaseId, { ...one, changes: [] as Life['changes'] }]))
  for (const { purchaseId, at, change } of await paidChanges(handle, scope))
    lives.get(purchaseId)?.changes.push({ at, change })
  return [...lives.values()]
}

async function firstCharges(handle: Handle, scope: SumScope): Promise<Omit<Life, 'changes'>[]> {
  const { figureEntries: f } = handle.tables
  const isCharged = sql`sum(${f.charges} + ${f.unconvertedCharges}) > 0`
  const charges = handle.db
    .select({ purchaseId: f.purchaseId, at: f.at })
    .from(f)
    .where(and(counted(f, scope), eq(f.kind, 'LINE')))
    .groupBy(f.purchaseId, f.key, f.at)
    .having(isCharged)
    .as('charges')
  const rows = await handle.db
    .select({ purchaseId: charges.purchaseId, firstChargedAt: sql<number | string>`min(${charges.at})` })
    .from(charges)
    .groupBy(charges.purchaseId)
  return rows.map(({ purchaseId, firstChargedAt }) => ({ purchaseId, firstChargedAt: Number(firstChargedAt) }))
}

async function paidChanges(handle: Handle, scope: SumScope) {
  const { figureEntries: f } = handle.tables
  const change = sql<number | string>`sum(${f.paidIn} - ${f.paidOut})`
  const rows = await handle.db
    .select({ purchaseId: f.purchaseId, at: f.at, change })
    .from(f)
    .where(and(counted(f, scope), eq(f.kind, 'STATE')))
    .groupBy(f.purchaseId, f.at)
    .having(ne(change, 0))
    .orderBy(asc(f.purchaseId), asc(f.at))
  return rows.map((row) => ({ ...row, change: Number(row.change) }))
}
