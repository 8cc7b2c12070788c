import { toIso } from '../../base/lib/time'
import { conditionWarnings } from '../../core/flag/check'
import { warned } from '../audiences/admin-wire'
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
  ...flagWarnings(row.rules),
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

/** The warnings about the conditions of all rules. Rules that were broken by hand have none. */
export const flagWarnings = (rules: FlagTableRow['rules']) =>
  warned(conditionWarnings(Array.isArray(rules) ? rules : []))

export type FlagView = ReturnType<typeof toFlagView>
