import { and, between, desc, eq, lt, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import { SUBJECT_OF_KEY } from '../telemetry/pack-key'
import { findProjectNumber } from '../telemetry/pack-queries'
import { daysIn } from './app-sessions'
import type { ChartValues, ReadRows } from './chart'

/** Days after the first one. */
export const AGES = [1, 7, 14, 30] as const
export const nameOfAge = (age: number): string => `d${age}`

/** Shares of the subscribers who were first active in a cell. */
export async function usersRetained(handle: Handle, scope: SumScope, cell: Cell): Promise<ChartValues> {
  const days = daysIn(cell)
  const began = days ? await countBegun(handle, scope, days) : { size: 0, last: 0 }
  const values: ChartValues = {}
  for (const age of AGES) {
    const isOver = (began.last + age + 1) * DAY <= scope.now
    const isKnown = days !== null && began.size > 0 && isOver
    values[nameOfAge(age)] = isKnown ? (await countRetained(handle, scope, days, age)) / began.size : null
  }
  return values
}

type Days = readonly [first: number, last: number]

async function countBegun({ db, tables: { sessionSubjects: s } }: Handle, { projectId }: SumScope, days: Days) {
  const [row] = await db
    .select({ size: sql<number | string>`count(*)`, last: sql<number | string | null>`max(${s.firstDay})` })
    .from(s)
    .where(and(eq(s.projectId, projectId), between(s.firstDay, ...days)))
  return { size: Number(row?.size ?? 0), last: Number(row?.last ?? 0) }
}

async function countRetained(handle: Handle, scope: SumScope, days: Days, age: number): Promise<number> {
  const found = await retained(handle, scope, days, age)
  if (!found) return 0
  const [row] = await handle.db.select({ count: sql<number | string>`count(*)` }).from(found)
  return Number(row?.count ?? 0)
}

/** Who was active so many days after their first day; null for a project without sessions. */
async function retained(handle: Handle, { projectId }: SumScope, [first, last]: Days, age: number) {
  const { sessionPacks: p, sessionSubjects: s } = handle.tables
  const project = await findProjectNumber(handle, projectId)
  if (project === null) return null
  const { divisor, modulus } = SUBJECT_OF_KEY
  const subject = sql`(${p.key} / ${sql.raw(String(divisor))}) % ${sql.raw(String(modulus))}`
  const isLater = sql`${p.day} = ${s.firstDay} + ${sql.raw(String(age))}`
  return handle.db
    .selectDistinct({ subscriberId: s.subscriberId, firstDay: s.firstDay })
    .from(p)
    .innerJoin(s, and(eq(s.number, subject), isLater))
    .where(and(eq(p.project, project), between(p.day, first + age, last + age), eq(s.projectId, projectId)))
    .as('retained')
}

/** A row for each of them, by the first day. */
export const retainedRows =
  (age: number): ReadRows =>
  async (handle, scope, cell, { after, limit }) => {
    const days = daysIn(cell)
    const r = days && (await retained(handle, scope, days, age))
    if (!r) return []
    const day = after && Math.floor(after.at / DAY)
    const isAfter =
      day === null ? undefined : or(lt(r.firstDay, day), and(eq(r.firstDay, day), lt(r.subscriberId, after?.tie ?? '')))
    const rows = await handle.db
      .select({ subscriberId: r.subscriberId, firstDay: r.firstDay })
      .from(r)
      .where(isAfter)
      .orderBy(desc(r.firstDay), desc(r.subscriberId))
      .limit(limit)
    return rows.map(({ subscriberId, firstDay }) => ({
      ...{ purchaseId: null, transactionId: null, subscriberId, at: firstDay * DAY },
      ...{ productIdentifier: null, store: null, contribution: 1, tie: subscriberId },
    }))
  }
