import { type Static, Type } from '@sinclair/typebox'
import { CommandFailure } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import type { Role } from '../../core/roles/roles'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { editProject } from '../../projects/project/edit'
import type { ProjectApi } from '../../projects/project/project-api'
import { emailKey, isEmailAddress } from '../accounts/email'
import { findAccountByEmail } from '../accounts/users'
import { refuseUnproved } from './owners'
import { findMemberByEmail } from './queries'
import { addMember, changeRole, MAX_MEMBERS } from './service'
import { InvitationAnswer, MemberAnswer, toMemberView } from './wire'

/** A newer server may answer more. */
const Member = Type.Omit(MemberAnswer.properties.data, [], { additionalProperties: true })
const Invitation = Type.Omit(InvitationAnswer.properties.data, ['revision'], { additionalProperties: true })
const Deleted = Type.Object({ deleted: Type.Boolean() })

export type MemberView = ReturnType<typeof toMemberView>
export type InvitationView = Static<typeof Invitation>

/** Adds a person who has an account. A person who is a member already gets the role. */
export async function addByEmail(ctx: Context, projectId: string, email: string, role: Role): Promise<MemberView> {
  const by = { projectId, actor: CLI_ACTOR }
  const account = await findAccountByEmail(ctx, emailKey(email))
  if (!account)
    throw new CommandFailure('NOT_FOUND', `There is no account ${email}; invite the person: svc member invite`)
  const known = await findMemberByEmail(ctx, projectId, emailKey(email))
  if (known) return toMemberView(await changeRole(ctx, by, known.userId, role))
  return editProject(ctx, by, async (edit) => {
    await refuseUnproved(edit, account.user.id)
    return toMemberView(await addMember(edit, account.user, role))
  })
}

export const listMembers = async (project: ProjectApi): Promise<MemberView[]> =>
  (await project.list(['members'], { item: Member, limit: MAX_MEMBERS })).items

export async function changeRoleByEmail(project: ProjectApi, email: string, role: Role): Promise<MemberView> {
  const { userId } = await requireMember(project, email)
  return project.call('PATCH', ['members', userId], { data: Member, body: { role } })
}

export async function removeByEmail(project: ProjectApi, email: string): Promise<void> {
  const { userId } = await requireMember(project, email)
  await project.call('DELETE', ['members', userId], { data: Deleted })
}

async function requireMember(project: ProjectApi, email: string): Promise<MemberView> {
  const member = (await listMembers(project)).find((one) => emailKey(one.email) === emailKey(email))
  if (!member) throw new CommandFailure('NOT_FOUND', `${email} is no member of the project; see: svc member list`)
  return member
}

/** Invites a person, with an account or without one. 400 for a text that is no mail address. */
export async function inviteByEmail(project: ProjectApi, email: string, role: Role): Promise<InvitationView> {
  if (!isEmailAddress(email)) throw invalid('email: it must be a mail address')
  return toView(await project.call('POST', ['invitations'], { data: Invitation, body: { email, role } }))
}

/** The open invitations of a project, with the links that are shown. */
export async function listOpenInvitations(project: ProjectApi): Promise<InvitationView[]> {
  const { items } = await project.list(['invitations'], { item: Invitation, limit: MAX_LISTED })
  return items.filter(({ state }) => state === 'OPEN').map(toView)
}

const MAX_LISTED = 1000

const toView = ({ id, email, role, state, deliveryStatus, link, ...times }: InvitationView): InvitationView => ({
  ...{ id, email, role, state, deliveryStatus, link },
  ...{ expiresAt: times.expiresAt, createdAt: times.createdAt, updatedAt: times.updatedAt },
})
