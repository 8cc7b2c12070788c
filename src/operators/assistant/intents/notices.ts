import type { Tx } from '../../../base/context'
import { hasCapability, hasRole, isCapability, ROLES, type Role } from '../../../core/roles/roles'
import { peopleOf } from '../../members/hooks'
import { type NoticeKind, notify } from '../../notices/notify'
import type { IntentRow } from './queries'

export const INTENT_PROPOSED: NoticeKind = {
  kind: 'assistant.intent',
  description: 'The assistant or an agent has proposed a change that you may approve.',
}

/** Tells those who may approve a proposal, but not the one who made it. */
export async function tellApprovers(
  tx: Tx,
  { projectId, capability, proposedBy, summary, action }: IntentRow,
): Promise<void> {
  const people = (await peopleOf(tx, projectId, approvers(capability))).filter(({ userId }) => userId !== proposedBy)
  const body = `${summary}. It can be approved for 15 minutes, in the inbox of the assistant.`
  await notify(tx, { kind: INTENT_PROPOSED.kind, projectId, people, title: `A change was proposed: ${action}`, body })
}

/** The roles that may approve what needs a capability, or a role. */
const approvers = (capability: string): Role[] => ROLES.filter((role) => mayApprove(role, capability))

export function mayApprove(role: Parameters<typeof hasRole>[0], capability: string): boolean {
  if (isCapability(capability)) return hasCapability(role, capability)
  const required = ROLES.find((one) => one === capability)
  return required !== undefined && hasRole(role, required)
}
