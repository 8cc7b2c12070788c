import { and, count, eq, gt, gte, isNull, lte, notExists, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PurchaseEnvironment } from '../../stores/observation'

/** Positions above `after` up to `until`, and of those the events that were recorded at or after `from`. */
export interface BackfillRange {
  projectId: string
  targetId: string
  after: number
  until: number
  /** Unix milliseconds. */
  from: number
}

export interface UnsentGroup {
  type: string
  environment: PurchaseEnvironment
  count: number
}

/** How many events of a range a connection has no delivery of, by what decides whether it gets them. */
export async function countUnsent({ db, tables }: Handle, range: BackfillRange): Promise<UnsentGroup[]> {
  const { events: e, deliveries: d } = tables
  const isOfPerson = or(eq(d.subscriberId, e.subscriberId), and(isNull(d.subscriberId), isNull(e.subscriberId)))
  const sent = db
    .select({ id: d.id })
    .from(d)
    .where(and(eq(d.targetId, range.targetId), isOfPerson, eq(d.eventId, e.id)))
  const isIn = and(
    eq(e.projectId, range.projectId),
    gt(e.position, range.after),
    lte(e.position, range.until),
    gte(e.recordedAt, range.from),
  )
  return db
    .select({ type: e.type, environment: e.environment, count: count() })
    .from(e)
    .where(and(isIn, notExists(sent)))
    .groupBy(e.type, e.environment)
}
