import type { Tx } from '../../base/context'
import { refuseOtherRevision } from '../../base/http/revision'
import { toIso } from '../../base/lib/time'
import { findLastChange } from '../../projects/audit/revisions'
import { getPlacement, type PlacementTableRow } from './service'

/**
 * The placement, or 404. 409 `CONFLICT` for another revision than the expected one; null = any. The revision of a placement is its own column, because apps
 * receive it.
 */
export async function requirePlacement(
  tx: Tx,
  projectId: string,
  id: string,
  expected: number | null,
): Promise<PlacementTableRow> {
  const row = await getPlacement(tx, projectId, id)
  if (expected === null || expected === row.revision) return row
  const { updatedBy } = await findLastChange(tx, projectId, id)
  refuseOtherRevision(expected, { revision: row.revision, updatedBy, updatedAt: toIso(row.updatedAt) })
  return row
}
