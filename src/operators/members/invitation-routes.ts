import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import { DeletedAnswer as Deleted } from '../../base/http/object-answer'
import { withRevision, withRevisions } from '../../projects/audit/revisions'
import { operator } from '../../projects/doors/operator'
import { invite, pageInvitations, resendInvitation, revokeInvitation } from './invitations'
import { showLinks } from './shown-link'
import {
  InvitationAnswer,
  InvitationBody,
  InvitationParams,
  InvitationsAnswer,
  ListQuery,
  NoBody,
  toInvitationView,
} from './wire'

const tags = ['Members']

/** Invitations to a project, by mail. */
export const invitationRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'members:manage' })
    .get(
      '/invitations',
      async ({ project, actor, scopes, query: { limit = 50, cursor } }) => {
        const scope = ['invitations', project.id]
        const found = await pageInvitations(ctx, project.id, pageBefore(cursor, scope, limit))
        const { items, nextCursor } = toList(found, limit, scope, {
          positionOf: ({ id }) => [id],
          toItem: (row) => row,
        })
        const links = await showLinks(ctx, { projectId: project.id, actor, scopes }, items)
        const now = ctx.clock.now()
        const views = items.map((one) => toInvitationView(one, links.get(one.id) ?? null, now))
        return { data: { items: await withRevisions(ctx, project.id, views), nextCursor } }
      },
      {
        query: ListQuery,
        response: InvitationsAnswer,
        detail: {
          tags,
          summary: 'Invitations',
          description: 'Each answer with links is in the audit log.',
          operationId: 'listInvitations',
        },
      },
    )
    .post(
      '/invitations',
      async ({ project, body, actor, set }) => {
        const { invitation, link } = await invite(ctx, { projectId: project.id, actor }, body.email, body.role)
        set.status = 201
        return { data: await withRevision(ctx, project.id, toInvitationView(invitation, link, ctx.clock.now())) }
      },
      {
        body: InvitationBody,
        response: { 201: InvitationAnswer },
        detail: {
          tags,
          'x-errors': ['ALREADY_MEMBER', 'CONFLICT', 'ROLE_REQUIRED', 'RATE_LIMITED'],
          summary: 'Invite a person by mail',
          description:
            'The mail contains a link that works for 7 days and for its address only. Where no mail server is configured, `link` is another one to send in another way: it lets in who has it, and proves no address.',
          operationId: 'createInvitation',
        },
      },
    )
    .delete(
      '/invitations/:id',
      async ({ project, params, actor, expected }) => {
        await revokeInvitation(ctx, { projectId: project.id, actor, expected }, params.id)
        return { data: { deleted: true as const } }
      },
      {
        params: InvitationParams,
        response: Deleted,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'INVITATION_ALREADY_ACCEPTED'],
          summary: 'Revoke an invitation',
          operationId: 'deleteInvitation',
        },
      },
    )
    .post(
      '/invitations/:id/resend',
      async ({ project, params, actor, expected }) => {
        const by = { projectId: project.id, actor, expected }
        const { invitation, link } = await resendInvitation(ctx, by, params.id)
        return { data: await withRevision(ctx, project.id, toInvitationView(invitation, link, ctx.clock.now())) }
      },
      {
        params: InvitationParams,
        body: NoBody,
        response: InvitationAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'INVITATION_NOT_SENDABLE', 'ROLE_REQUIRED', 'RATE_LIMITED'],
          summary: 'Send an invitation again',
          description:
            'The new link works for 7 days; the link before stops working. At most one mail in 5 minutes, and five to one address in a day.',
          operationId: 'resendInvitation',
        },
      },
    )
