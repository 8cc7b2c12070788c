import { toIso } from '../../base/lib/time'
import type { FlagTableRow } from './service'

/** A flag of wire 7.6, as the dashboard and the command line show it. */
export const toFlagView = (row: FlagTableRow, revision: number) => ({
  id: row.id,
  key: row.key,
  env: row.env,
  type: row.type,
  description: row.description,
  defaultValue: row.defaultValue,
  rules: row.rules,
  isEnabled: row.isEnabled,
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type FlagView = ReturnType<typeof toFlagView>
