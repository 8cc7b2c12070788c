import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { EntryKind } from '../model'
import { counted, type SumScope } from '../sums'
import { bySome, groupOf, isOwn } from './queries'

/** What of an entry states the life of a subscription. */
export interface LifeEntry {
  purchaseId: string
  position: number
  kind: EntryKind
  key: string
  at: number
  charges: number
  net: number
  change: number
  group: string | null
}

export async function listLifeEntries(
  handle: Handle,
  scope: SumScope,
  purchaseIds: readonly string[],
): Promise<LifeEntry[]> {
  const { figureEntries: f } = handle.tables
  const { purchaseId, position, kind, key, at } = f
  const columns = {
    ...{ purchaseId, position, kind, key, at },
    charges: sql`${f.charges} + ${f.unconvertedCharges}`.mapWith(Number),
    net: sql`${f.gross} - ${f.refunds}`.mapWith(Number),
    change: sql`${f.paidIn} - ${f.paidOut}`.mapWith(Number),
    group: groupOf(f, scope),
  }
  const isMoney = or(ne(f.charges, 0), ne(f.unconvertedCharges, 0), ne(f.gross, f.refunds))
  const isTold = or(and(eq(f.kind, 'LINE'), isMoney), and(eq(f.kind, 'STATE'), ne(f.paidIn, f.paidOut)))
  return bySome(purchaseIds, (ids) =>
    handle.db
      .select(columns)
      .from(f)
      .where(and(inArray(f.purchaseId, ids), counted(f, scope, isOwn(f, scope)), isTold)),
  )
}

/** The life of a subscription with these entries; null when it was never charged. */
export function lifeOf(purchaseId: string, entries: readonly LifeEntry[]) {
  const lines = entries.filter(({ kind }) => kind === 'LINE')
  const charged = [...Map.groupBy(lines, ({ key, at }) => `${at} ${key}`).values()].filter(
    (own) => own.reduce((sum, { charges }) => sum + charges, 0) > 0,
  )
  if (charged.length === 0) return null
  const firstChargedAt = charged.reduce((least, [one]) => Math.min(least, one?.at ?? least), Number.POSITIVE_INFINITY)
  const states = entries.filter(({ kind }) => kind === 'STATE')
  return {
    ...{ purchaseId, firstChargedAt },
    changes: sumsByInstant(states, ({ change }) => change).map(([at, change]) => ({ at, change })),
    net: sumsByInstant(lines, ({ net }) => net).map(([at, micros]) => ({ at, micros })),
  }
}

/** Sums that are not zero, by instant, ascending. */
function sumsByInstant(entries: readonly LifeEntry[], of: (entry: LifeEntry) => number): [at: number, sum: number][] {
  const sums = new Map<number, number>()
  for (const entry of entries) sums.set(entry.at, (sums.get(entry.at) ?? 0) + of(entry))
  return [...sums].filter(([, sum]) => sum !== 0).sort(([a], [b]) => a - b)
}
