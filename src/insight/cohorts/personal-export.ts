import { and, asc, eq, inArray } from 'drizzle-orm'
import { toIso } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'

/** For the data export of a person: the cohorts in which the person was counted last. */
export const exportCohorts: OnExport = ({ db, tables }, { id: projectId }, { ids }) => ({
  'groups.jsonl': (async function* () {
    const { cohorts: c, cohortMembers: m } = tables
    const found = db.select({ name: c.name, identifier: c.identifier, startedAt: m.startedAt }).from(c)
    const rows = await found
      .innerJoin(m, eq(m.listId, c.listId))
      .where(and(eq(c.projectId, projectId), inArray(m.subscriberId, [...ids])))
      .orderBy(asc(c.identifier))
    for (const { startedAt, ...row } of rows) yield { record: 'cohort', ...row, startedAt: toIso(startedAt) }
  })(),
})
