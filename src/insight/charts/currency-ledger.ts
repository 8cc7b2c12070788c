import { and, desc, eq, gte, inArray, lt, max, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { idBound } from '../../base/lib/ids'
import type { LedgerType } from '../../people/currencies/tables'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ChartRow, ReadRows } from './chart'
import { type Counts, type GroupPart, STEP } from './own-groups'

// These statements read many rows, so they run in `readInThread`.

/** What entries of the ledger count for, by their types; `sign` makes what leaves positive. */
export const LEDGER_FLOWS = {
  issued: { types: ['PURCHASE', 'BONUS'], sign: 1 },
  spent: { types: ['SPEND'], sign: -1 },
  withdrawn: { types: ['REFUND', 'EXPIRE'], sign: -1 },
  transferred: { types: ['TRANSFER_IN', 'TRANSFER_OUT'], sign: 1 },
} as const satisfies Record<string, { types: readonly LedgerType[]; sign: 1 | -1 }>

export type LedgerFlow = keyof typeof LEDGER_FLOWS
const FLOWS = Object.keys(LEDGER_FLOWS) as LedgerFlow[]

/** What was booked in a window, and before it as one part; a group is the code of a currency. */
export async function readLedger(handle: Handle, scope: SumScope, window: Cell): Promise<GroupPart[]> {
  const earlier = await sums(handle, scope, { start: 0, end: window.start }, sql<number>`cast(0 as bigint)`)
  const { ledger: l } = handle.tables
  const within = await sums(handle, scope, window, sql<number>`${l.createdAt} / ${sql.raw(String(STEP))}`)
  const before = earlier.map((part) => ({ ...part, at: Number.NEGATIVE_INFINITY }))
  return [...before, ...within]
}

async function sums(handle: Handle, scope: SumScope, cell: Cell, step: SQL<number>): Promise<GroupPart[]> {
  const { ledger: l, virtualCurrencies: c } = handle.tables
  const rows = await handle.db
    .select({ group: c.code, type: l.type, at: sql<number | string>`min(${l.createdAt})`, ...partsOf(l.amount) })
    .from(l)
    .innerJoin(c, eq(c.id, l.currencyId))
    .where(bookedIn(handle, scope, cell))
    .groupBy(c.code, l.type, step)
  return rows.map(({ group, type, at, high, low }) => ({ group, at: Number(at), counts: countsOf(type, high, low) }))
}

/** In two parts, so that no sum passes 64 bits. */
const PART = 1_000_000_000
const part = sql.raw(String(PART))
const partsOf = (amount: Handle['tables']['ledger']['amount']) => ({
  high: sql<number | string>`sum(${amount} / ${part})`,
  low: sql<number | string>`sum(${amount} % ${part})`,
})
const joined = (high: number | string, low: number | string): number => Number(high) * PART + Number(low)

function countsOf(type: LedgerType, high: number | string, low: number | string): Counts {
  const flow = FLOWS.find((name) => LEDGER_FLOWS[name].types.some((one) => one === type))
  return flow ? { [flow]: LEDGER_FLOWS[flow].sign * joined(high, low) } : {}
}

function bookedIn({ tables: { ledger: l } }: Handle, { projectId }: SumScope, { start, end }: Cell): SQL | undefined {
  // Ids are in the order of time.
  const isLater = start > 0 ? gte(l.id, idBound('vtx', start)) : undefined
  return and(eq(l.projectId, projectId), isLater, gte(l.createdAt, start), lt(l.createdAt, end))
}

const isOfCode = ({ tables: { virtualCurrencies: c } }: Handle, code: string | undefined): SQL | undefined =>
  code === undefined ? undefined : eq(c.code, code)

/** A row for each entry of the ledger. */
export const ledgerRows =
  (flow: LedgerFlow): ReadRows =>
  async (handle, scope, cell, { after, limit }, code) => {
    const { ledger: l, virtualCurrencies: c } = handle.tables
    const { types, sign } = LEDGER_FLOWS[flow]
    const isAfter = after && or(lt(l.createdAt, after.at), and(eq(l.createdAt, after.at), lt(l.id, after.tie)))
    const rows = await handle.db
      .select({ id: l.id, at: l.createdAt, subscriberId: l.subscriberId, ...partsOf(l.amount) })
      .from(l)
      .innerJoin(c, eq(c.id, l.currencyId))
      .where(
        and(bookedIn(handle, scope, cell), inArray(l.type, [...types]), isOfCode(handle, code), isAfter ?? undefined),
      )
      .groupBy(l.id)
      .orderBy(desc(l.createdAt), desc(l.id))
      .limit(limit)
    return rows.map(({ id, at, subscriberId, high, low }) => toRow(subscriberId, at, sign * joined(high, low), id))
  }

/** A row for each subscriber who holds something at the start or the end of a cell, by the last entry until then. */
export const holderRows =
  (side: 'start' | 'end'): ReadRows =>
  async (handle, scope, cell, { after, limit }, code) => {
    const { ledger: l, virtualCurrencies: c } = handle.tables
    const at = max(l.createdAt)
    const isAfter = after && or(lt(at, after.at), and(sql`${at} = ${after.at}`, lt(l.subscriberId, after.tie)))
    const { high, low } = partsOf(l.amount)
    const isHeld = or(ne(high, 0), ne(low, 0))
    const rows = await handle.db
      .select({ at, subscriberId: l.subscriberId, high, low })
      .from(l)
      .innerJoin(c, eq(c.id, l.currencyId))
      .where(and(bookedIn(handle, scope, { start: 0, end: cell[side] }), isOfCode(handle, code)))
      .groupBy(l.subscriberId)
      .having(and(isHeld, isAfter ?? undefined))
      .orderBy(desc(at), desc(l.subscriberId))
      .limit(limit)
    return rows.map((row) => toRow(row.subscriberId, Number(row.at), joined(row.high, row.low), row.subscriberId))
  }

const toRow = (subscriberId: string, at: number, contribution: number, tie: string): ChartRow => ({
  ...{ purchaseId: null, transactionId: null, subscriberId, at },
  ...{ productIdentifier: null, store: null, contribution, tie },
})
