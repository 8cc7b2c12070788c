import type { FlagEnvironment, FlagType } from '../../../../core/flag/names'
import type { Schemas } from '../../../api/schemas'

type View = Schemas['FeatureFlag']

/** A flag over its environments, as the list shows it. */
export interface FlagRow {
  key: string
  type: FlagType
  description: string | null
  updatedAt: string
  environments: Partial<Record<FlagEnvironment, View>>
}

/** By key, in the order of the alphabet. */
export function groupByKey(views: readonly View[]): FlagRow[] {
  const rows = new Map<string, FlagRow>()
  for (const view of views) {
    const { key, type, description, updatedAt } = view
    const row = rows.get(key) ?? { key, type, description, updatedAt, environments: {} }
    row.environments[view.env] = view
    if (updatedAt > row.updatedAt) row.updatedAt = updatedAt
    rows.set(key, row)
  }
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
