import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { guarded } from '../../base/http/guarded'
import { account } from '../../projects/doors/account'
import { acceptInvitation, findOffered, type Offered } from './accept'
import { stateOf } from './invitation-state'
import { NoBody, OfferedAnswer, TokenParams } from './wire'

const tags = ['Members']

/** What the link in an invitation's mail opens. */
export const joinRoutes = (ctx: Context) => new Elysia().use(showRoute(ctx)).use(acceptRoute(ctx))

/** The token is the proof; a person who is not signed in may read what they are invited to. */
const showRoute = (ctx: Context) =>
  guarded(ctx, {
    detail: { 'x-door': 'public', 'x-who': 'anyone with the link' },
    authenticate: async () => ({}),
    keyScope: null,
  }).get(
    '/invitations/:token',
    async ({ params }) => ({ data: toOfferedView(await findOffered(ctx, params.token), ctx.clock.now()) }),
    {
      params: TokenParams,
      response: OfferedAnswer,
      detail: { tags, 'x-errors': ['NOT_FOUND'], summary: 'What an invitation offers', operationId: 'getInvitation' },
    },
  )

const acceptRoute = (ctx: Context) =>
  account(ctx, { by: 'any' }).post(
    '/invitations/:token/accept',
    async ({ params, actor }) => ({
      data: toOfferedView(await acceptInvitation(ctx, actor, params.token), ctx.clock.now()),
    }),
    {
      params: TokenParams,
      body: NoBody,
      response: OfferedAnswer,
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'CONFLICT', 'HTTP_ERROR', 'INVITATION_ALREADY_ACCEPTED', 'INVITATION_EMAIL_MISMATCH'],
        summary: 'Accept an invitation',
        description:
          'Signed in with the address to which the invitation was sent. 410 when it was revoked or is too old. An account whose address is not confirmed accepts only the invitation of the link it came by; otherwise 403 FORBIDDEN.',
        operationId: 'acceptInvitation',
      },
    },
  )

const toOfferedView = ({ invitation, project }: Offered, now: number) => ({
  projectName: project.name,
  email: invitation.email,
  role: invitation.role,
  state: stateOf(invitation, now),
})
