import { toIso } from '../../base/lib/time'
import type { AudienceReference } from './check'
import type { AudienceRow } from './service'

/** An audience of wire 7.6, as the dashboard shows it. */
export const toAudienceView = (row: AudienceRow, references: AudienceReference[], revision: number) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  rules: row.rules,
  isDefault: row.isDefault,
  references,
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type AudienceView = ReturnType<typeof toAudienceView>
