import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Role } from '../../core/roles/roles'
import type { AuditEntry } from '../../projects/audit/audit'
import { raiseRevisions, requireRevision } from '../../projects/audit/revisions'
import { conflict, type Edit, editProject, type ProjectActor } from '../../projects/project/edit'
import { refuseLastOwner, refuseUnproved, requireManager, requireOwner } from './owners'
import {
  countMembers,
  deleteMembership,
  findMember,
  insertMembership,
  type Member,
  type MembershipRow,
  updateMembership,
} from './queries'

export {
  countProjectsOf,
  findMember,
  insertMembership,
  listOwners,
  type Member,
  pageMembers,
  pageProjectsOf,
  summariseMembers,
} from './queries'

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that gives a project to another owner. */
    onTransferProject: (tx: Tx, projectId: string) => Promise<void>
  }
}

export const MAX_MEMBERS = 500

/** Who changes a member, and the revision that the member must have; null = any. */
export type MemberEditor = ProjectActor & { expected?: number | null }

/** Gives a member another role. Only an owner gives or takes the role OWNER, and one owner always stays. */
export const changeRole = (ctx: Context, by: MemberEditor, userId: string, role: Role): Promise<Member> =>
  editProject(ctx, by, async (edit) => {
    await requireManager(edit, by.actor)
    const member = await requireMember(edit, userId, by.expected)
    if (member.role === role) return member
    if (member.role === 'OWNER' || role === 'OWNER') await requireOwner(edit, by.actor)
    if (role === 'OWNER') await refuseUnproved(edit, userId)
    await refuseLastOwner(edit, member)
    return writeRole(edit, member, role)
  })

/** Removes a member, who loses access at once. Refusals as for `changeRole`. */
export const removeMember = (ctx: Context, by: MemberEditor, userId: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    await requireManager(edit, by.actor)
    const member = await requireMember(edit, userId, by.expected)
    if (member.role === 'OWNER') await requireOwner(edit, by.actor)
    await endMembership(edit, member, 'remove')
  })

/** The actor leaves the project. 409 `CONFLICT` for the last owner. */
export const leaveProject = (ctx: Context, by: ProjectActor): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    await endMembership(edit, await requireMember(edit, by.actor.id ?? ''), 'leave')
  })

export async function endMembership(edit: Edit, member: Member, verb: 'leave' | 'remove'): Promise<void> {
  await refuseLastOwner(edit, member)
  await deleteMembership(edit.tx, member.id)
  edit.entries.push(memberEntry(verb, member, null))
}

/** Makes another member an owner; the actor becomes an administrator. One row in the audit log. */
export const transferProject = (ctx: Context, by: ProjectActor, userId: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const { tx, projectId, now, entries } = edit
    await requireOwner(edit, by.actor)
    const target = await requireMember(edit, userId)
    if (target.role === 'OWNER') throw new AppError('ALREADY_OWNER')
    await refuseUnproved(edit, userId)
    const former = await findMember(tx, projectId, by.actor.id ?? '')
    await updateMembership(tx, target.id, { role: 'OWNER', updatedAt: now })
    if (former) await updateMembership(tx, former.id, { role: 'ADMIN', updatedAt: now })
    const changed = [target, ...(former ? [former] : [])]
    const members = changed.map((member) => ({ target: { id: member.userId }, before: member }))
    await raiseRevisions(tx, projectId, by.actor, members, now)
    for (const transferred of tx.hooks.onTransferProject ?? []) await transferred(tx, projectId)
    entries.push({
      action: 'project.transfer',
      target: { type: 'project', id: projectId },
      before: changed.map(memberState),
      after: changed.map((member) => ({ ...memberState(member), role: member === target ? 'OWNER' : 'ADMIN' })),
    })
  })

/** Adds a user as a member within an open edit. 409 `CONFLICT` when the project has 500 members. */
export async function addMember(
  edit: Edit,
  user: { id: string; email: string; name: string },
  role: Role,
  details: object = {},
): Promise<Member> {
  if ((await countMembers(edit.tx, edit.projectId)) >= MAX_MEMBERS) throw tooManyMembers()
  const member = { ...(await insertMember(edit.tx, edit.projectId, user.id, role)), email: user.email, name: user.name }
  edit.entries.push(memberEntry('add', null, member, details))
  return member
}

export const tooManyMembers = (): AppError =>
  conflict(`A project has at most ${MAX_MEMBERS} members and open invitations; remove one first`)

export async function insertMember(tx: Tx, projectId: string, userId: string, role: Role): Promise<MembershipRow> {
  const now = tx.clock.now()
  const row = { id: tx.ids.next('mbr'), projectId, userId, role, createdAt: now, updatedAt: now }
  await insertMembership(tx, row)
  return row
}

export async function writeRole(edit: Edit, member: Member, role: Role): Promise<Member> {
  const changed = { ...member, role, updatedAt: edit.now }
  await updateMembership(edit.tx, member.id, { role, updatedAt: edit.now })
  edit.entries.push(memberEntry('update', member, changed))
  return changed
}

async function requireMember({ tx, projectId }: Edit, userId: string, expected: number | null = null): Promise<Member> {
  const member = await findMember(tx, projectId, userId)
  if (!member) throw notFound('member', userId)
  await requireRevision(tx, projectId, userId, expected)
  return member
}

/** The audit entry of a member. Its target is the user, so that a filter finds all that happened to a person. */
const memberEntry = (verb: string, before: Member | null, after: Member | null, details: object = {}): AuditEntry => ({
  action: `member.${verb}`,
  target: { type: 'member', id: (after ?? before)?.userId ?? '' },
  before: before && memberState(before),
  after: after && { ...memberState(after), ...details },
})

const memberState = ({ userId, email, role }: Member) => ({ userId, email, role })
