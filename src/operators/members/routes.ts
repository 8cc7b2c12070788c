import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import { DeletedAnswer as Deleted } from '../../base/http/object-answer'
import { listRevisions } from '../../projects/audit/revisions'
import { operator } from '../../projects/doors/operator'
import { invitationRoutes } from './invitation-routes'
import { changeRole, leaveProject, type Member, pageMembers, removeMember, transferProject } from './service'
import {
  LeftAnswer,
  ListQuery,
  MemberAnswer,
  MembersAnswer,
  NoBody,
  RoleBody,
  TransferAnswer,
  TransferBody,
  toMemberView,
  UserParams,
} from './wire'

const tags = ['Members']

/** The members of a project and its invitations. */
export const memberRoutes = (ctx: Context) =>
  new Elysia().use(everyMemberRoutes(ctx)).use(manageRoutes(ctx)).use(transferRoute(ctx)).use(invitationRoutes(ctx))

const everyMemberRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/members',
      async ({ project, query: { limit = 50, cursor } }) => {
        const scope = ['members', project.id]
        const page = pageBefore(cursor, scope, limit)
        const members = await pageMembers(ctx, project.id, page)
        const parts = { positionOf: ({ id }: Member) => [id], toItem: (member: Member) => member }
        const { items, nextCursor } = toList(members, limit, scope, parts)
        return { data: { items: await viewsOf(ctx, project.id, items), nextCursor } }
      },
      {
        query: ListQuery,
        response: MembersAnswer,
        detail: { tags, summary: 'Members of the project', operationId: 'listMembers' },
      },
    )
    .post(
      '/leave',
      async ({ project, actor }) => {
        await leaveProject(ctx, { projectId: project.id, actor })
        return { data: { left: true as const } }
      },
      {
        body: NoBody,
        response: LeftAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Leave the project',
          description: 'The last owner cannot leave.',
          operationId: 'leaveProject',
        },
      },
    )

const manageRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'members:manage' })
    .patch(
      '/members/:userId',
      async ({ project, params, body, actor, expected }) => {
        const member = await changeRole(ctx, { projectId: project.id, actor, expected }, params.userId, body.role)
        return { data: await viewOf(ctx, project.id, member) }
      },
      {
        params: UserParams,
        body: RoleBody,
        response: MemberAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'ROLE_REQUIRED'],
          summary: 'Give a member another role',
          description: 'Only an owner gives or takes the role OWNER. The last owner stays an owner.',
          operationId: 'updateMember',
        },
      },
    )
    .delete(
      '/members/:userId',
      async ({ project, params, actor, expected }) => {
        await removeMember(ctx, { projectId: project.id, actor, expected }, params.userId)
        return { data: { deleted: true as const } }
      },
      {
        params: UserParams,
        response: Deleted,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'ROLE_REQUIRED'],
          summary: 'Remove a member',
          operationId: 'deleteMember',
        },
      },
    )

const transferRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:transfer' }).post(
    '/transfer',
    async ({ project, body: { userId }, actor }) => {
      await transferProject(ctx, { projectId: project.id, actor }, userId)
      return { data: { ownerId: userId } }
    },
    {
      body: TransferBody,
      response: TransferAnswer,
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'CONFLICT', 'ALREADY_OWNER', 'ROLE_REQUIRED'],
        summary: 'Transfer the ownership to another member',
        description:
          'The member becomes an owner, and you become an administrator. The mail addresses of both must be confirmed.',
        operationId: 'transferProject',
      },
    },
  )

async function viewsOf(ctx: Context, projectId: string, members: readonly Member[]) {
  const ids = members.map(({ userId }) => userId)
  const revisions = await listRevisions(ctx, projectId, ids)
  return members.map((member) => ({ ...toMemberView(member), revision: revisions.get(member.userId) ?? 1 }))
}

async function viewOf(ctx: Context, projectId: string, member: Member) {
  const revisions = await listRevisions(ctx, projectId, [member.userId])
  return { ...toMemberView(member), revision: revisions.get(member.userId) ?? 1 }
}
