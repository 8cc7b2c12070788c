import type { Tx } from '../../base/context'
import type { ForwardRow, ForwardsChange } from '../../projects/connections/forwards/forwards'
import { closeTarget, openTarget } from '../deliveries/targets'

/** Opens and closes the targets of forwards after a change in the dashboard or by a project file. */
export async function changeTargets(tx: Tx, { opened, closed }: ForwardsChange): Promise<void> {
  for (const row of opened) await openForward(tx, row)
  for (const row of closed) await closeTarget(tx, targetOf(row), 'deleted')
}

/** Does nothing for a forward whose target is open. */
export const openForward = (tx: Tx, row: Pick<ForwardRow, 'id' | 'projectId'>): Promise<void> =>
  openTarget(tx, { ...targetOf(row), isOrdered: false })

const targetOf = ({ id: targetId, projectId }: Pick<ForwardRow, 'id' | 'projectId'>) => ({
  targetId,
  kind: 'FORWARD' as const,
  projectId,
})
