import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import type { Role } from '../../core/roles/roles'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { editProject } from '../../projects/project/edit'
import { emailKey } from '../accounts/email'
import { findAccountByEmail } from '../accounts/users'
import { refuseUnproved } from './owners'
import { findMemberByEmail } from './queries'
import { addMember, changeRole, type Member, removeMember } from './service'

const by = (projectId: string) => ({ projectId, actor: CLI_ACTOR })

/** Adds a person who has an account. A person who is a member already gets the role. */
export async function addByEmail(ctx: Context, projectId: string, email: string, role: Role): Promise<Member> {
  const account = await findAccountByEmail(ctx, emailKey(email))
  if (!account)
    throw new CommandFailure('NOT_FOUND', `There is no account ${email}; invite the person: svc member invite`)
  const known = await findMemberByEmail(ctx, projectId, emailKey(email))
  if (known) return changeRole(ctx, by(projectId), known.userId, role)
  return editProject(ctx, by(projectId), async (edit) => {
    await refuseUnproved(edit, account.user.id)
    return addMember(edit, account.user, role)
  })
}

export const changeRoleByEmail = async (ctx: Context, projectId: string, email: string, role: Role): Promise<Member> =>
  changeRole(ctx, by(projectId), (await requireMember(ctx, projectId, email)).userId, role)

export async function removeByEmail(ctx: Context, projectId: string, email: string): Promise<void> {
  await removeMember(ctx, by(projectId), (await requireMember(ctx, projectId, email)).userId)
}

async function requireMember(ctx: Context, projectId: string, email: string): Promise<Member> {
  const member = await findMemberByEmail(ctx, projectId, emailKey(email))
  if (!member) throw new CommandFailure('NOT_FOUND', `${email} is no member of the project; see: svc member list`)
  return member
}
