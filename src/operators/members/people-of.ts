import type { Handle } from '../../base/db/handle'
import type { Role } from '../../projects/doors/roles'
import { listMembersOf } from './queries'

/** Whom a notice about the project reaches. */
export async function peopleOf(handle: Handle, projectId: string, roles: readonly Role[]) {
  const members = await listMembersOf(handle, projectId, roles)
  return members.map(({ userId, email, isProved }) => ({ userId, email, isProved }))
}
