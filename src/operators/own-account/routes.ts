import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, listQuery } from '../../base/http/list'
import { account } from '../../projects/doors/account'
import { visitOf } from '../accounts/cookies'
import { toMe } from '../accounts/me'
import { deleteOwnAccount, exportAccount } from './leaving'
import { getAccount, getPreferences, renameUser, setPassword, updatePreferences } from './profile'
import { listSessions, revokeOtherSessions, revokeSession } from './sessions'
import {
  ChangedAnswer,
  DeleteBody,
  DeletedAnswer,
  ExportAnswer,
  IdParams,
  MeAnswer,
  MeBody,
  PasswordBody,
  PreferencesAnswer,
  PreferencesBody,
  SessionView,
} from './wire'

const tags = ['Account']
const DELETED = { data: { deleted: true as const } }

export const ownAccountRoutes = (ctx: Context) =>
  new Elysia().use(meRoute(ctx)).use(profileRoutes(ctx)).use(leaveRoute(ctx)).use(sessionRoutes(ctx))

const meRoute = (ctx: Context) =>
  account(ctx, { by: 'any', forEveryToken: true }).get(
    '/me',
    async ({ user }) => ({ data: toMe(ctx, await getAccount(ctx, user.id)) }),
    { response: MeAnswer, detail: { tags, summary: 'The signed-in person', operationId: 'getMe' } },
  )

/** A stolen token must not end the account. */
const leaveRoute = (ctx: Context) =>
  account(ctx, { by: 'session' }).delete(
    '/me',
    async ({ user, session, actor, body }) => {
      await deleteOwnAccount(ctx, actor, { user, session }, body.confirmEmail)
      return DELETED
    },
    {
      body: DeleteBody,
      response: DeletedAnswer,
      detail: {
        tags,
        'x-errors': ['CONFIRM_EMAIL_MISMATCH', 'OWNS_PROJECTS', 'NOT_FOUND'],
        summary: 'Delete the own account',
        description: 'Refused while the person owns projects.',
        operationId: 'deleteMe',
      },
    },
  )

const profileRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' })
    .patch(
      '/me',
      async ({ user, actor, body }) => ({ data: toMe(ctx, await renameUser(ctx, actor, user.id, body.name)) }),
      { body: MeBody, response: MeAnswer, detail: { tags, summary: 'Change the own name', operationId: 'updateMe' } },
    )
    .get('/me/preferences', async ({ user }) => ({ data: await getPreferences(ctx, user.id) }), {
      response: PreferencesAnswer,
      detail: { tags, summary: 'How the console looks for the person', operationId: 'getPreferences' },
    })
    .patch(
      '/me/preferences',
      async ({ user, actor, body }) => ({ data: await updatePreferences(ctx, actor, user.id, body) }),
      {
        body: PreferencesBody,
        response: PreferencesAnswer,
        detail: { tags, summary: 'Change how the console looks', operationId: 'updatePreferences' },
      },
    )
    .put(
      '/me/password',
      async ({ user, session, actor, body, request, set }) => {
        const { currentPassword, password } = body
        const change = { session, currentPassword, password }
        await setPassword(ctx, visitOf(request, set), actor, user.id, change)
        return { data: { changed: true as const } }
      },
      {
        body: PasswordBody,
        response: ChangedAnswer,
        detail: {
          tags,
          summary: 'Set the own password',
          description:
            'currentPassword is absent only when none is set; then the session must be at most 10 minutes old. The other sessions end.',
          operationId: 'setPassword',
        },
      },
    )
    .get(
      '/me/export',
      async ({ user, session }) => ({ data: await exportAccount(ctx, user.id, session?.id ?? null) }),
      {
        response: ExportAnswer,
        detail: { tags, summary: 'Everything about the own account', operationId: 'exportMe' },
      },
    )

const sessionRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' })
    .get(
      '/me/sessions',
      async ({ user, session, query }) => ({ data: await listSessions(ctx, user.id, session?.id ?? null, query) }),
      {
        query: Type.Object(listQuery, { additionalProperties: false }),
        response: listAnswer(SessionView),
        detail: { tags, summary: 'The own sessions', operationId: 'listSessions' },
      },
    )
    .delete(
      '/me/sessions',
      async ({ user, session, actor }) => {
        await revokeOtherSessions(ctx, actor, user.id, session?.id ?? null)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, summary: 'End all own sessions but the current one', operationId: 'endOtherSessions' },
      },
    )
    .delete(
      '/me/sessions/:id',
      async ({ user, actor, params }) => {
        await revokeSession(ctx, actor, user.id, params.id)
        return DELETED
      },
      {
        params: IdParams,
        response: DeletedAnswer,
        detail: { tags, summary: 'End one own session', operationId: 'endSession' },
      },
    )
