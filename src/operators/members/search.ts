import { ROLES } from '../../projects/doors/roles'
import { findNamed, type SearchObjects } from '../../projects/project/search-hook'
import { listMembersOf } from './queries'

/** Members by e-mail address and by name; their id is that of their account. */
export const searchMembers: SearchObjects = async (ctx, { id: projectId }, text, limit) => {
  const members = await listMembersOf(ctx, projectId, ROLES)
  const named = members.map(({ userId, email, name, role }) => ({
    id: userId,
    title: name === '' ? email : name,
    subtitle: name === '' ? role : `${email} ${role}`,
    names: [email, name],
  }))
  return findNamed('member', named, text, limit)
}
