import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { CLI_ACTOR } from '../../projects/audit/audit'
import type { Role } from '../../projects/doors/roles'
import { editProject } from '../../projects/project/edit'
import { emailKey, isEmailAddress } from '../accounts/email'
import { findAccountByEmail } from '../accounts/users'
import { stateOf } from './invitation-state'
import { invite, pageInvitations, type Sent } from './invitations'
import { findMemberByEmail } from './queries'
import { addMember, changeRole, type Member, removeMember } from './service'
import { showLinks } from './shown-link'
import { toInvitationView } from './wire'

const by = (projectId: string) => ({ projectId, actor: CLI_ACTOR })

/** Invites a person, with an account or without one. 400 for a text that is no mail address. */
export function inviteByEmail(ctx: Context, projectId: string, email: string, role: Role): Promise<Sent> {
  if (!isEmailAddress(email)) throw invalid('email: it must be a mail address')
  return invite(ctx, by(projectId), email, role)
}

export type InvitationView = ReturnType<typeof toInvitationView>

/** The open invitations of a project, with the links that are shown. */
export async function listOpenInvitations(ctx: Context, projectId: string): Promise<InvitationView[]> {
  const now = ctx.clock.now()
  const newest = await pageInvitations(ctx, projectId, { beforeId: null, limit: MAX_LISTED })
  const open = newest.filter((one) => stateOf(one, now) === 'OPEN')
  const links = await showLinks(ctx, { ...by(projectId), scopes: null }, open)
  return open.map((one) => toInvitationView(one, links.get(one.id) ?? null, now))
}

const MAX_LISTED = 1000

/** Adds a person who has an account. A person who is a member already gets the role. */
export async function addByEmail(ctx: Context, projectId: string, email: string, role: Role): Promise<Member> {
  const account = await findAccountByEmail(ctx, emailKey(email))
  if (!account)
    throw new CommandFailure('NOT_FOUND', `There is no account ${email}; invite the person: svc member invite`)
  const known = await findMemberByEmail(ctx, projectId, emailKey(email))
  if (known) return changeRole(ctx, by(projectId), known.userId, role)
  return editProject(ctx, by(projectId), (edit) => addMember(edit, account.user, role))
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
