import type { Page, RawValue } from '../../base/db/dump'
import type { TablePlan } from './plan'

/**
 * The page without the rights that only the command line of its own server could give: they hold on that server alone.
 * Doing it twice changes nothing more, so the digest of a project is the same before and after its move.
 */
export function withoutTrust({ rows: { untrusted } }: TablePlan, page: Page): Page {
  if (untrusted === undefined) return page
  const { columns } = page
  return {
    columns,
    rows: page.rows.map((row) => {
      const changes = untrusted((column) => row[columns.indexOf(column)] ?? null)
      return columns.map((column, index): RawValue => (column in changes ? changes[column] : row[index]) ?? null)
    }),
  }
}
