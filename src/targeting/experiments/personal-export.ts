import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ExportedPerson, OnExport } from '../../people/subscribers/hooks'

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

async function* trackedOf({ db, tables: { trackedEvents: t } }: Handle, { ids }: ExportedPerson) {
  const read = (after: TrackedRow | null, limit: number) =>
    db
      .select()
      .from(t)
      .where(and(inArray(t.subscriberId, [...ids]), after === null ? undefined : gt(t.position, after.position)))
      .orderBy(asc(t.position))
      .limit(limit)
  for await (const { type, experimentKey, occurredAt, recordedAt, metadata } of allRows(read))
    yield {
      ...{ record: 'event', type, experiment: experimentKey },
      ...{ occurredAt: toIso(occurredAt), recordedAt: toIso(recordedAt), metadata },
    }
}
