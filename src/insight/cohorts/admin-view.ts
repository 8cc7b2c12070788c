import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { AuditEntry } from '../../projects/audit/audit'
import type { CohortRow } from './queries'

export type CohortView = ReturnType<typeof toCohortView>

export const toCohortView = (row: CohortRow, revision: number) => ({
  id: row.id,
  identifier: row.identifier,
  name: row.name,
  definition: row.definition,
  size: row.size,
  computedAt: toIsoOrNull(row.computedAt),
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const cohortEntry = (verb: string, before: CohortRow | null, after: CohortRow | null): AuditEntry => ({
  action: `cohort.${verb}`,
  target: { type: 'cohort', id: (after ?? before)?.id ?? '' },
  before: before && imageOf(before),
  after: after && imageOf(after),
})

const imageOf = ({ identifier, name, definition }: CohortRow) => ({ identifier, name, definition })
