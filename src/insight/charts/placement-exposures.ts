import { and, desc, eq, gte, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ReadRows } from './chart'
import { type GroupPart, STEP } from './own-groups'

// These statements read many rows, so they run in `readInThread`.

/** Counts first exposures by placement, and how many of these people then bought at the same placement. */
export async function readPlacements(handle: Handle, scope: SumScope, window: Cell): Promise<GroupPart[]> {
  const { assignments: a, placements: p, experiments: e } = handle.tables
  const rows = await handle.db
    .select({
      group: p.identifier,
      at: sql<number | string>`min(${a.exposedAt})`,
      shown: sql<number | string>`count(*)`,
      bought: sql<number | string>`sum(case when ${hasBought(handle)} then 1 else 0 end)`,
    })
    .from(e)
    .innerJoin(a, eq(a.experimentId, e.id))
    .innerJoin(p, isPlacement(handle))
    .where(shownIn(handle, scope, window))
    .groupBy(sql`1`, sql`${a.exposedAt} / ${sql.raw(String(STEP))}`)
  return rows.map(({ group, at, shown, bought }) => ({
    group,
    at: Number(at),
    counts: { shown: Number(shown), bought: Number(bought) },
  }))
}

/** A row for each exposure, or for each after which the person bought. */
export const placementRows =
  (which: 'SHOWN' | 'BOUGHT'): ReadRows =>
  async (handle, scope, cell, { after, limit }, group) => {
    const { assignments: a, placements: p, experiments: e } = handle.tables
    const isOwn = group === undefined ? undefined : eq(p.identifier, group)
    const isBought = which === 'BOUGHT' ? hasBought(handle) : undefined
    const rows = await handle.db
      .select({ subscriberId: a.subscriberId, experimentId: a.experimentId, at: a.exposedAt })
      .from(e)
      .innerJoin(a, eq(a.experimentId, e.id))
      .innerJoin(p, isPlacement(handle))
      .where(and(shownIn(handle, scope, cell), isOwn, isBought, after ? isAfter(handle, after) : undefined))
      .orderBy(desc(a.exposedAt), desc(a.experimentId), desc(a.subscriberId))
      .limit(limit)
    return rows.map(({ subscriberId, experimentId, at }) => ({
      ...{ purchaseId: null, transactionId: null, subscriberId, at: at ?? 0 },
      ...{ productIdentifier: null, store: null, contribution: 1, tie: `${experimentId}:${subscriberId}` },
    }))
  }

function isAfter({ tables: { assignments: a } }: Handle, { at, tie }: { at: number; tie: string }) {
  const [experimentId = '', subscriberId = ''] = tie.split(':')
  const isLater = and(eq(a.experimentId, experimentId), lt(a.subscriberId, subscriberId))
  return or(lt(a.exposedAt, at), and(eq(a.exposedAt, at), or(lt(a.experimentId, experimentId), isLater)))
}

function shownIn({ tables }: Handle, { projectId }: SumScope, { start, end }: Cell): SQL | undefined {
  const { assignments: a, experiments: e } = tables
  const isShown = and(isNotNull(a.exposedAt), isNotNull(a.placementId))
  return and(eq(e.projectId, projectId), isShown, gte(a.exposedAt, start), lt(a.exposedAt, end))
}

/** Clients name a placement by its identifier, and may name it by its id. */
function isPlacement({ tables: { assignments: a, placements: p } }: Handle): SQL | undefined {
  return and(eq(p.projectId, a.projectId), or(eq(p.identifier, a.placementId), eq(p.id, a.placementId)))
}

/** Later, in production, with a receipt that named the placement. */
function hasBought({ tables: { assignments: a, placements: p, purchases: b } }: Handle): SQL {
  const named = sql`${b.presentedContext} ->> 'placementId'`
  const isThere = sql`${named} in (${a.placementId}, ${p.identifier}, ${p.id})`
  const isLater = and(gte(b.createdAt, a.exposedAt), eq(b.environment, 'PRODUCTION'), isNotNull(b.presentedContext))
  return sql`exists (select 1 from ${b} where ${and(eq(b.subscriberId, a.subscriberId), isLater, isThere)})`
}
