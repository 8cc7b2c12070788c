import type { Tx } from '../context'
import { deleteAssignments, insertAssignments, listAssignments } from './queries'

export interface MovedAssignments {
  experimentIds: string[]
  /** Where the survivor held an assignment already: its own stays, these are gone. */
  dropped: { experimentId: string; variantId: string }[]
}

/** Assignments of a merge: the moving subscriber's follow, the survivor's own win; exposures stay with their row. */
export async function moveAssignments(tx: Tx, fromId: string, toId: string): Promise<MovedAssignments> {
  const rows = await listAssignments(tx, fromId)
  if (rows.length === 0) return { experimentIds: [], dropped: [] }
  const moved = await insertAssignments(
    tx,
    rows.map((row) => ({ ...row, subscriberId: toId })),
  )
  await deleteAssignments(
    tx,
    fromId,
    rows.map(({ experimentId }) => experimentId),
  )
  const dropped = rows.filter(({ experimentId }) => !moved.includes(experimentId))
  return { experimentIds: moved, dropped: dropped.map(({ experimentId, variantId }) => ({ experimentId, variantId })) }
}
