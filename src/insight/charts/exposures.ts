import { and, desc, eq, gte, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { hasConverted, listRuns, type NamedRun } from '../../targeting/experiments/figures'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ChartRow, ReadRows, RowPage } from './chart'
import { type GroupPart, STEP } from './own-groups'

// These statements read many rows, so they run in `readInThread`.

/** First exposures of a window, and those of them that converted; a group is `key/variant`. */
export async function readExposures(handle: Handle, { projectId }: SumScope, window: Cell): Promise<GroupPart[]> {
  const parts: GroupPart[] = []
  for (const experiment of await listRuns(handle, projectId)) {
    const { assignments: a } = handle.tables
    const converted = sql<number | string>`sum(case when ${hasConverted(handle, experiment)} then 1 else 0 end)`
    const rows = await handle.db
      .select({
        variantId: a.variantId,
        at: sql<number | string>`min(${a.exposedAt})`,
        exposed: sql<number | string>`count(*)`,
        converted,
      })
      .from(a)
      .where(exposedIn(handle, experiment, window))
      .groupBy(a.variantId, sql`${a.exposedAt} / ${sql.raw(String(STEP))}`)
    for (const { variantId, at, ...counts } of rows)
      parts.push({
        group: `${experiment.key}/${variantId}`,
        at: Number(at),
        counts: { exposed: Number(counts.exposed), converted: Number(counts.converted) },
      })
  }
  return parts
}

function exposedIn({ tables: { assignments: a } }: Handle, { experimentId }: NamedRun, { start, end }: Cell) {
  return and(eq(a.experimentId, experimentId), isNotNull(a.exposedAt), gte(a.exposedAt, start), lt(a.exposedAt, end))
}

/** A row for each exposure, or for each that converted. */
export const exposureRows =
  (which: 'EXPOSED' | 'CONVERTED'): ReadRows =>
  async (handle, { projectId }, cell, page, group) => {
    const found: ChartRow[] = []
    for (const experiment of await listRuns(handle, projectId))
      if (group === undefined || group.startsWith(`${experiment.key}/`))
        found.push(...(await rowsOf(handle, experiment, cell, page, { which, group })))
    return found.toSorted((a, b) => b.at - a.at || (a.tie < b.tie ? 1 : -1)).slice(0, page.limit)
  }

interface Asked {
  which: 'EXPOSED' | 'CONVERTED'
  group: string | undefined
}

async function rowsOf(
  handle: Handle,
  experiment: NamedRun,
  cell: Cell,
  { after, limit }: RowPage,
  { which, group }: Asked,
): Promise<ChartRow[]> {
  const { assignments: a } = handle.tables
  const rows = await handle.db
    .select({ subscriberId: a.subscriberId, at: a.exposedAt })
    .from(a)
    .where(
      and(
        exposedIn(handle, experiment, cell),
        group === undefined ? undefined : eq(a.variantId, group.slice(experiment.key.length + 1)),
        which === 'CONVERTED' ? hasConverted(handle, experiment) : undefined,
        after ? isAfter(handle, experiment.experimentId, after) : undefined,
      ),
    )
    .orderBy(desc(a.exposedAt), desc(a.subscriberId))
    .limit(limit)
  return rows.map(({ subscriberId, at }) => ({
    ...{ purchaseId: null, transactionId: null, subscriberId, at: at ?? 0 },
    ...{ productIdentifier: null, store: null, contribution: 1, tie: `${experiment.experimentId}:${subscriberId}` },
  }))
}

/** Rows of one instant come by experiment, then by subscriber. */
function isAfter({ tables: { assignments: a } }: Handle, id: string, { at, tie }: { at: number; tie: string }) {
  const [afterId = '', subscriberId = ''] = tie.split(':')
  if (id < afterId) return lte(a.exposedAt, at)
  if (id > afterId) return lt(a.exposedAt, at)
  return or(lt(a.exposedAt, at), and(eq(a.exposedAt, at), lt(a.subscriberId, subscriberId)))
}
