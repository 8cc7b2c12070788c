import type { Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Capability } from '../../core/roles/roles'
import type { ProjectActor } from '../project/edit'
import { type Operator, refuseRole } from './operator'

type Author = Pick<Operator, 'project' | 'actor' | 'signIn'> & Partial<Pick<Operator, 'expected'>>

/**
 * The author of a change whose body, or the work on it, can take long: in the transaction of the change the session or
 * token must still be valid, and the role must still have the capability.
 */
export const judgedAtWrite = (
  { capability }: { capability: Capability },
  { project, actor, signIn, expected = null }: Author,
): ProjectActor => ({
  ...{ projectId: project.id, actor, expected },
  async judge(tx: Tx) {
    if (actor.kind !== 'USER' || actor.id === null) return
    if (signIn && !(await tx.state.sessions.isOpen(signIn, tx))) throw new AppError('UNAUTHORIZED')
    const role = await tx.state.sessions.findRole(actor.id, project.id, tx)
    if (role === null) throw notFound('project', project.id)
    refuseRole({ capability }, role)
  },
})
