import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { isAfter } from '../../base/db/range'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ExportedPerson, OnErase, OnExport } from '../../people/subscribers/hooks'

/** At an erasure: deletes the variants, exposures and tracked events of a person. */
export const eraseAssignments: OnErase = async (tx, _project, _subscriber, { ids }) => {
  const { assignments: a, trackedEvents: t } = tx.tables
  const assigned = tx.db.delete(a).where(inArray(a.subscriberId, [...ids]))
  const tracked = tx.db.delete(t).where(inArray(t.subscriberId, [...ids]))
  return {
    experiment_assignments: { removed: (await assigned.returning({ id: a.experimentId })).length },
    experiment_events: { removed: (await tracked.returning({ position: t.position })).length },
  }
}

type TrackedRow = Handle['tables']['trackedEvents']['$inferSelect']

/** For the data export of a person: the variants that were drawn and shown, and the events that apps have tracked. */
export const exportExperiments: OnExport = (handle, _project, person) => ({
  'experiments.jsonl': (async function* () {
    yield* assignmentsOf(handle, person)
    yield* trackedOf(handle, person)
  })(),
})

async function* assignmentsOf({ db, tables }: Handle, { ids }: ExportedPerson) {
  const { assignments: a, experiments: e } = tables
  const found = db.select({ assignment: a, key: e.key, name: e.name }).from(a)
  const rows = await found.leftJoin(e, eq(e.id, a.experimentId)).where(inArray(a.subscriberId, [...ids]))
  for (const { assignment, key, name } of rows)
    yield {
      ...{ record: 'assignment', experimentId: assignment.experimentId, experiment: key, name },
      ...{ subscriberId: assignment.subscriberId, variantId: assignment.variantId },
      assignedAt: toIso(assignment.assignedAt),
      exposedAt: toIsoOrNull(assignment.exposedAt),
      ...{ placementId: assignment.placementId, platform: assignment.platform, country: assignment.country },
      convertedAt: toIsoOrNull(assignment.convertedAt),
    }
}

async function* trackedOf(handle: Handle, { ids }: ExportedPerson) {
  for (const id of ids)
    for await (const { type, experimentKey, occurredAt, recordedAt, metadata } of allRows(eventsOf(handle, id)))
      yield {
        ...{ record: 'event', type, experiment: experimentKey },
        ...{ occurredAt: toIso(occurredAt), recordedAt: toIso(recordedAt), metadata },
      }
}

/** In the order of the index, so that no page has to be sorted out of all. */
const eventsOf =
  ({ db, tables: { trackedEvents: t } }: Handle, subscriberId: string) =>
  (after: TrackedRow | null, limit: number): Promise<TrackedRow[]> =>
    db
      .select()
      .from(t)
      .where(
        and(
          eq(t.subscriberId, subscriberId),
          after === null ? undefined : isAfter([t.occurredAt, t.position], [after.occurredAt, after.position]),
        ),
      )
      .orderBy(asc(t.occurredAt), asc(t.position))
      .limit(limit)
