import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from './cells'
import { counted, type SumScope } from './sums'

/** When a subscription was first charged more than nothing, and the changes of whether it is paid for. */
export interface Life {
  purchaseId: string
  firstChargedAt: number
  /** Ascending; `change` is +1 or −1. */
  changes: { at: number; change: number }[]
}

/** Whether a subscription is paid for at an instant. */
export const isPaidAt = ({ changes }: Pick<Life, 'changes'>, at: number): boolean =>
  changes.reduce((sum, one) => (one.at <= at ? sum + one.change : sum), 0) > 0

/**
 * The lives of all subscriptions that were ever charged, or of those that were first charged in a window. Reads many
 * rows, so it runs in `readInThread`.
 */
export async function readLives(handle: Handle, scope: SumScope, began: Cell | null = null): Promise<Life[]> {
  const charged = await firstCharges(handle, scope, began)
  const lives = new Map(
    charged.map(({ purchaseId, at }) => [
      purchaseId,
      { purchaseId, firstChargedAt: Number(at), changes: [] as Life['changes'] },
    ]),
  )
  for (const { purchaseId, at, change } of await paidChanges(handle, scope, began))
    lives.get(purchaseId)?.changes.push({ at, change })
  return [...lives.values()]
}

function firstCharges(handle: Handle, scope: SumScope, began: Cell | null) {
  const { figureEntries: f } = handle.tables
  const isCharged = sql`sum(${f.charges} + ${f.unconvertedCharges}) > 0`
  const charges = handle.db
    .select({ purchaseId: f.purchaseId, at: f.at })
    .from(f)
    .where(and(counted(f, scope), eq(f.kind, 'LINE')))
    .groupBy(f.purchaseId, f.key, f.at)
    .having(isCharged)
    .as('charges')
  const at = sql<number | string>`min(${charges.at})`
  return handle.db
    .select({ purchaseId: charges.purchaseId, at })
    .from(charges)
    .groupBy(charges.purchaseId)
    .having(began ? sql`${at} >= ${began.start} and ${at} < ${began.end}` : undefined)
}

/** The condition on entries that their subscription was first charged in a window. */
export function isOfLives(handle: Handle, scope: SumScope, began: Cell | null): SQL | undefined {
  if (!began) return undefined
  const { figureEntries: f } = handle.tables
  const lives = firstCharges(handle, scope, began).as('lives')
  return inArray(f.purchaseId, handle.db.select({ id: lives.purchaseId }).from(lives))
}

async function paidChanges(handle: Handle, scope: SumScope, began: Cell | null) {
  const { figureEntries: f } = handle.tables
  const change = sql<number | string>`sum(${f.paidIn} - ${f.paidOut})`
  const rows = await handle.db
    .select({ purchaseId: f.purchaseId, at: f.at, change })
    .from(f)
    .where(and(counted(f, scope), eq(f.kind, 'STATE'), isOfLives(handle, scope, began)))
    .groupBy(f.purchaseId, f.at)
    .having(ne(change, 0))
    .orderBy(asc(f.purchaseId), asc(f.at))
  return rows.map((row) => ({ ...row, change: Number(row.change) }))
}
