import type { Tx } from '../../base/context'
import type { Exposed, JoinedAssignment, KeptAssignment } from '../../people/subscribers/transfer-moved'
import { isSameExposed, joinExposed, partExposed, toExposed, UNEXPOSED } from './exposed'
import { type AssignmentRow, deleteAssignments, insertAssignments, listAssignments, updateAssignment } from './queries'

export interface MovedAssignments {
  experimentIds: string[]
  /** Assignments that were deleted, because the survivor had one of its own in the same experiment. */
  dropped: KeptAssignment[]
  /** Assignments of the survivor that took over the exposure or conversion of a dropped one. */
  joined: JoinedAssignment[]
}

/**
 * Moves the assignments of a merge to the survivor. The own assignments of the survivor stay; no exposure is lost or
 * counted twice.
 */
export async function moveAssignments(tx: Tx, fromId: string, toId: string): Promise<MovedAssignments> {
  const rows = await listAssignments(tx, fromId)
  if (rows.length === 0) return { experimentIds: [], dropped: [], joined: [] }
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
  const joined = await joinDropped(tx, toId, dropped)
  return { experimentIds: moved, dropped: dropped.map(toKept), joined }
}

const toKept = ({ subscriberId: _subscriberId, projectId: _projectId, ...kept }: AssignmentRow): KeptAssignment => kept

async function joinDropped(tx: Tx, toId: string, dropped: readonly AssignmentRow[]): Promise<JoinedAssignment[]> {
  if (dropped.every(({ exposedAt }) => exposedAt === null)) return []
  const held = new Map((await listAssignments(tx, toId)).map((row) => [row.experimentId, row]))
  const joined: JoinedAssignment[] = []
  for (const gone of dropped) {
    const kept = held.get(gone.experimentId)
    if (!kept) continue
    const [before, after] = [toExposed(kept), joinExposed(kept, gone, tx.clock.now())]
    if (isSameExposed(before, after)) continue
    await updateAssignment(tx, kept, after)
    joined.push({ experimentId: gone.experimentId, before, after })
  }
  return joined
}

/**
 * Undoes `moveAssignments`: moved assignments go back as they are now, dropped ones are restored as they were, and the
 * survivor loses what it took over from them.
 */
export async function returnAssignments(
  tx: Tx,
  sides: { projectId: string; fromId: string; toId: string },
  { experimentIds, dropped, joined }: MovedAssignments,
): Promise<void> {
  const { projectId, fromId, toId } = sides
  const held = await listAssignments(tx, toId)
  const changes = new Map(joined.map((change) => [change.experimentId, change]))
  const moved = held
    .filter(({ experimentId }) => experimentIds.includes(experimentId))
    .map((row) => ({ ...row, ...partOf(row, changes.get(row.experimentId)) }))
  if (experimentIds.length > 0) await deleteAssignments(tx, toId, experimentIds)
  for (const change of joined) {
    const present = held.find(({ experimentId }) => experimentId === change.experimentId)
    if (present) await updateAssignment(tx, present, partExposed(present, change))
  }
  const rows = [...moved, ...dropped].map((row) => ({ ...UNEXPOSED, ...row, projectId, subscriberId: fromId }))
  if (rows.length > 0) await insertAssignments(tx, rows)
}

const partOf = (row: AssignmentRow, change: JoinedAssignment | undefined): Partial<Exposed> =>
  change ? partExposed(row, change) : {}
