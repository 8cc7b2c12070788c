import { and, between, desc, eq, gt, lt, max, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import { activesBetween, sessionDays, subjectOf } from '../telemetry/figures'
import { findProjectNumber } from '../telemetry/pack-queries'
import type { ChartRow, ReadRows } from './chart'

/** The UTC days that start in a cell; null = none does. */
export function daysIn({ start, end }: Cell): readonly [first: number, last: number] | null {
  const [first, last] = [Math.ceil(start / DAY), Math.ceil(end / DAY) - 1]
  return first > last ? null : [first, last]
}

/** The sums of a cell's days. */
export async function sessionsIn(handle: Handle, { projectId }: SumScope, cell: Cell) {
  const days = daysIn(cell)
  const found = days ? await sessionDays(handle, projectId, days) : []
  const sum = (name: 'sessions' | 'timed' | 'playMs') => found.reduce((total, one) => total + one[name], 0)
  return { sessions: sum('sessions'), timed: sum('timed'), playMs: sum('playMs') }
}

/** Subscribers with an event in the days that end with the cell: as many days as are named, else those of the cell. */
export async function activesIn(handle: Handle, { projectId }: SumScope, cell: Cell, days?: number): Promise<number> {
  const own = spanOf(cell, days)
  return own ? activesBetween(handle, projectId, own) : 0
}

function spanOf(cell: Cell, days: number | undefined): readonly [number, number] | null {
  const own = daysIn(cell)
  return own && days !== undefined ? [own[1] - days + 1, own[1]] : own
}

/** A row for each subscriber and day, with what the sessions of that day add. */
export const sessionRows =
  (name: 'opens' | 'playMs'): ReadRows =>
  async (handle, { projectId }, cell, { after, limit }) => {
    const { sessionPacks: p, sessionSubjects: s } = handle.tables
    const days = daysIn(cell)
    const project = await findProjectNumber(handle, projectId)
    if (!days || project === null) return []
    const rows = await handle.db
      .select({ key: p.key, day: p.day, contribution: p[name], subscriberId: s.subscriberId })
      .from(p)
      .leftJoin(s, eq(s.number, subjectOf(handle)))
      .where(
        and(
          eq(p.project, project),
          between(p.day, ...days),
          gt(p[name], 0),
          after ? lt(p.key, Number(after.tie)) : undefined,
        ),
      )
      .orderBy(desc(p.key))
      .limit(limit)
    return rows.map((row) => toRow(row.subscriberId, row.day, row.contribution, row.key))
  }

/** A row for each active subscriber, with the last of its days. */
export const activeRows =
  (daysBefore?: number): ReadRows =>
  async (handle, { projectId }, cell, { after, limit }) => {
    const { sessionPacks: p, sessionSubjects: s } = handle.tables
    const days = spanOf(cell, daysBefore)
    const project = await findProjectNumber(handle, projectId)
    if (!days || project === null) return []
    const last = handle.db
      .select({ subject: subjectOf(handle).as('subject'), day: max(p.day).as('newest_day') })
      .from(p)
      .where(and(eq(p.project, project), between(p.day, ...days)))
      .groupBy(sql`1`)
      .as('actives')
    const at = after && { day: Math.floor(after.at / DAY), subject: Number(after.tie) }
    const rows = await handle.db
      .select({ subject: last.subject, day: last.day, subscriberId: s.subscriberId })
      .from(last)
      .leftJoin(s, eq(s.number, last.subject))
      .where(at ? or(lt(last.day, at.day), and(eq(last.day, at.day), lt(last.subject, at.subject))) : undefined)
      .orderBy(desc(last.day), desc(last.subject))
      .limit(limit)
    return rows.map((row) => toRow(row.subscriberId, Number(row.day), 1, Number(row.subject)))
  }

const toRow = (subscriberId: string | null, day: number, contribution: number, tie: number): ChartRow => ({
  ...{ purchaseId: null, transactionId: null, subscriberId, at: day * DAY },
  ...{ productIdentifier: null, store: null, contribution, tie: String(tie) },
})
