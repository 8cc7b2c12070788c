import type { Tx } from '../context'
import { type AssignmentRow, deleteAssignments, insertAssignments, listAssignments } from './queries'
import type { KeptAssignment } from './tables'

export interface MovedAssignments {
  experimentIds: string[]
  /** Where the survivor held an assignment already: its own stays, these are gone. */
  dropped: KeptAssignment[]
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
  return { experimentIds: moved, dropped: dropped.map(toKept) }
}

const toKept = ({ subscriberId: _subscriberId, projectId: _projectId, ...kept }: AssignmentRow): KeptAssignment => kept

/** Undoes `moveAssignments`: what moved goes back as it is now, and what was dropped is there again as it was. */
export async function returnAssignments(
  tx: Tx,
  sides: { projectId: string; fromId: string; toId: string },
  { experimentIds, dropped }: MovedAssignments,
): Promise<void> {
  const { projectId, fromId, toId } = sides
  const held = await listAssignments(tx, toId)
  const moved = held.filter(({ experimentId }) => experimentIds.includes(experimentId))
  if (experimentIds.length > 0) await deleteAssignments(tx, toId, experimentIds)
  const rows = [...moved, ...dropped].map((row) => ({ ...row, projectId, subscriberId: fromId }))
  if (rows.length > 0) await insertAssignments(tx, rows)
}
