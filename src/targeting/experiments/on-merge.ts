import type { Tx } from '../../base/context'
import type { SliceHooks } from '../../base/state'
import type { TransferRow } from '../../people/subscribers/service'
import { convertMerged } from './merged'
import { listKeys } from './queries'
import { moveAssignments, returnAssignments } from './service'

export { moveVisitor } from './on-claim'

/** At a merge, assignments follow the person; the survivor's own stay, and no exposure is lost or counted twice. */
export const assignmentsMerge: SliceHooks['onMerge'] = {
  async merge(tx, { from, to }) {
    const { experimentIds, dropped, joined } = await moveAssignments(tx, from.id, to.id)
    const experimentsDropped = dropped.map(({ experimentId, variantId }) => ({ experimentId, variantId }))
    return { moved: { experimentIds, experimentsDropped, assignmentsDropped: dropped, assignmentsJoined: joined } }
  },
  async afterMerge(tx, { project, to }, { assignmentsJoined = [] }) {
    const { joined, drafts } = await convertMerged(tx, project.id, to.id, assignmentsJoined)
    return { moved: { assignmentsJoined: joined }, drafts: { from: [], to: drafts } }
  },
  async undo(tx, { from, to }, transfer) {
    const sides = { projectId: from.projectId, fromId: from.id, toId: to.id }
    if (transfer.moved.isMerge) await giveBack(tx, sides, transfer)
    return { moved: {} }
  },
  listDropped: (tx, project, { experimentsDropped = [] }) =>
    listKeys(
      tx,
      project.id,
      experimentsDropped.map(({ experimentId }) => experimentId),
    ),
}

/** Transfers of release 1.0 do not know more of what they dropped than its variant. */
function giveBack(
  tx: Tx,
  sides: { projectId: string; fromId: string; toId: string },
  { moved, createdAt }: Pick<TransferRow, 'moved' | 'createdAt'>,
): Promise<void> {
  const { experimentIds, experimentsDropped, assignmentsDropped, assignmentsJoined: joined = [] } = moved
  const blank = { hashVersion: 1, assignedAt: createdAt, exposedAt: null, convertedAt: null }
  const dropped = assignmentsDropped ?? experimentsDropped.map((one) => ({ ...blank, ...one }))
  return returnAssignments(tx, sides, { experimentIds, dropped, joined })
}
