import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { DeliveryKindName, DeliveryStatus } from '../deliveries/model'
import type { DeliveryRow } from '../deliveries/reopen'

/** Which deliveries a list is about. The list goes by the index of one of the members. */
export interface LogRange {
  projectId: string
  kind: DeliveryKindName
  targetId: string | null
  subscriberId: string | null
  status: DeliveryStatus | null
}

/** The members of a delivery by which a list is filtered. */
export type Entry = Pick<
  DeliveryRow,
  'position' | 'projectId' | 'kind' | 'targetId' | 'subscriberId' | 'status' | 'type' | 'eventId'
>

/** Deliveries before a position, newest first. Only one member limits them: the others are for the caller to check. */
export async function listEntries(
  { db, tables }: Handle,
  range: LogRange,
  before: number | null,
  limit: number,
): Promise<Entry[]> {
  const { deliveries: d } = tables
  const { position, projectId, kind, targetId, subscriberId, status, type, eventId } = d
  const isBefore = before === null ? undefined : lt(d.position, before)
  return db
    .select({ position, projectId, kind, targetId, subscriberId, status, type, eventId })
    .from(d)
    .where(and(...narrowed(d, range), isBefore))
    .orderBy(desc(d.position))
    .limit(limit)
}

type Deliveries = Handle['tables']['deliveries']

/** The index of these statuses (`deliveries_trouble`) leaves out the others, which hardly any delivery has for long. */
const TROUBLE: readonly DeliveryStatus[] = ['FAILED', 'DEAD', 'DISMISSED', 'SKIPPED']

/** The condition word for word as in the index, because a database must see that it follows from the query. */
export const IS_TROUBLE = sql.raw(`status in (${TROUBLE.map((status) => `'${status}'`).join(', ')})`)

function narrowed(d: Deliveries, { projectId, kind, targetId, subscriberId, status }: LogRange): SQL[] {
  if (subscriberId !== null) return [eq(d.subscriberId, subscriberId)]
  const ofProject = [eq(d.projectId, projectId), eq(d.kind, kind)]
  if (status !== null && TROUBLE.includes(status)) return [...ofProject, eq(d.status, status), IS_TROUBLE]
  return targetId === null ? ofProject : [eq(d.targetId, targetId)]
}

export async function listByPosition({ db, tables }: Handle, positions: readonly number[]): Promise<DeliveryRow[]> {
  const { deliveries: d } = tables
  if (positions.length === 0) return []
  return db
    .select()
    .from(d)
    .where(inArray(d.position, [...positions]))
    .orderBy(desc(d.position))
}

/** Whether a target has had deliveries in this project. */
export async function hasDeliveries(
  { db, tables }: Handle,
  projectId: string,
  kind: DeliveryKindName,
  targetId: string,
): Promise<boolean> {
  const { deliveries: d } = tables
  const [row] = await db
    .select({ projectId: d.projectId, kind: d.kind })
    .from(d)
    .where(eq(d.targetId, targetId))
    .limit(1)
  return row?.projectId === projectId && row.kind === kind
}
