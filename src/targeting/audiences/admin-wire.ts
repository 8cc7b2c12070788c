import { toIso } from '../../base/lib/time'
import { type AudienceReference, listWarnings, type RuleWarning, rulesWarnings } from '../../core/audience/check'
import type { GroupFacts } from './groups/service'
import type { AudienceRow } from './service'

/** An audience of wire 7.6, as the dashboard shows it. */
export const toAudienceView = (
  row: AudienceRow,
  references: AudienceReference[],
  { revision, list }: { revision: number; list: GroupFacts | undefined },
) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  rules: row.rules,
  isDefault: row.isDefault,
  memberCount: list?.size ?? 0,
  ...(list?.isStale && { membersStale: true }),
  references,
  ...warned([...rulesWarnings(row.rules, 'rules'), ...listWarnings(row.rules, list?.size ?? 0)]),
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type AudienceView = ReturnType<typeof toAudienceView>

/** The member with the warnings, where there are some. */
export const warned = (warnings: RuleWarning[]): { warnings?: RuleWarning[] } =>
  warnings.length === 0 ? {} : { warnings }
