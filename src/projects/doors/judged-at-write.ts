import type { Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import type { Capability } from '../../core/roles/roles'
import type { ProjectActor } from '../project/edit'
import { type Operator, refuseRole } from './operator'

/**
 * The author of a change whose body, or the work on it, can take long: in the transaction of the change the role must still
 * have the capability.
 */
export const judgedAtWrite = (
  { capability }: { capability: Capability },
  { project, actor, expected = null }: Pick<Operator, 'project' | 'actor'> & Partial<Pick<Operator, 'expected'>>,
): ProjectActor => ({
  ...{ projectId: project.id, actor, expected },
  async judge(tx: Tx) {
    if (actor.kind !== 'USER' || actor.id === null) return
    const role = await tx.state.sessions.findRole(actor.id, project.id, tx)
    if (role === null) throw notFound('project', project.id)
    refuseRole({ capability }, role)
  },
})
