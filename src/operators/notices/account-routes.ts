import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { factsOf } from '../../base/http/request'
import { account } from '../../projects/doors/account'
import { countUnread, listNotices, listPushDevices } from './queries'
import {
  forgetDevice,
  getPreferences,
  readAllNotices,
  readNotice,
  registerDevice,
  sendTestNotice,
  updatePreferences,
} from './service'
import { NoticeView, PushDeviceBody, PushDeviceView, preferenceSchemas, toNoticeView, toPushDeviceView } from './wire'

const strict = { additionalProperties: false } as const
const tags = ['Notifications']
const Nothing = Type.Object({}, strict)
const answer = <Members extends Parameters<typeof Type.Object>[0]>(members: Members) =>
  Type.Object({ data: Type.Object(members, strict) }, strict)

/** Notices of the signed-in person, how they want to get them, and their devices. */
export const noticeAccountRoutes = (ctx: Context) =>
  new Elysia().use(noticeRoutes(ctx)).use(preferenceRoutes(ctx)).use(pushDeviceRoutes(ctx))

const noticeRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' })
    .get(
      '/notifications',
      async ({ user, query: { limit = 50, cursor } }) => {
        const scope = ['notices', user.id]
        const position = readCursor(cursor, scope, 1)
        const beforeId = position === null ? undefined : String(position[0])
        const rows = await listNotices(ctx, user.id, { beforeId, limit: limit + 1 })
        return { data: toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: toNoticeView }) }
      },
      {
        query: Type.Object(listQuery, strict),
        response: listAnswer(NoticeView),
        detail: { tags, summary: 'List your notices', operationId: 'listNotices' },
      },
    )
    .get('/notifications/unread-count', async ({ user }) => ({ data: { count: await countUnread(ctx, user.id) } }), {
      response: answer({ count: Type.Integer() }),
      detail: { tags, summary: 'Count your unread notices', operationId: 'countUnreadNotices' },
    })
    .post(
      '/notifications/:id/read',
      async ({ user, params }) => ({ data: toNoticeView(await readNotice(ctx, user.id, params.id)) }),
      {
        body: Nothing,
        response: Type.Object({ data: NoticeView }, strict),
        detail: { tags, summary: 'Mark a notice as read', operationId: 'readNotice' },
      },
    )
    .post('/notifications/read-all', async ({ user }) => ({ data: { read: await readAllNotices(ctx, user.id) } }), {
      body: Nothing,
      response: answer({ read: Type.Integer() }),
      detail: { tags, summary: 'Mark all notices as read', operationId: 'readAllNotices' },
    })
    .post(
      '/notifications/test',
      async ({ user, request, set }) => {
        await limitUser(ctx, request, set.headers, 'notification-test', user.id)
        const { inapp, email } = await sendTestNotice(ctx, user)
        return { data: { inapp: inapp > 0, email: email > 0, push: false } }
      },
      {
        body: Nothing,
        response: answer({ inapp: Type.Boolean(), email: Type.Boolean(), push: Type.Boolean() }),
        detail: {
          tags,
          'x-errors': ['RATE_LIMITED'],
          summary: 'Send yourself a test',
          description:
            'A notice and a mail, as you prefer. The answer says what was written; a mail is on its way or in the outbox.',
          operationId: 'testNotifications',
        },
      },
    )

const preferenceRoutes = (ctx: Context) => {
  const { Change, members } = preferenceSchemas(ctx)
  const Answer = Type.Object({ data: Type.Object(members, { ...strict, title: 'NotificationPreferences' }) }, strict)
  return account(ctx, { by: 'any' })
    .get('/notifications/preferences', async ({ user }) => ({ data: await getPreferences(ctx, user) }), {
      response: Answer,
      detail: { tags, summary: 'How you are told', operationId: 'getNotificationPreferences' },
    })
    .patch(
      '/notifications/preferences',
      async ({ user, body }) => ({ data: await updatePreferences(ctx, user, body) }),
      {
        body: Change,
        response: Answer,
        detail: {
          tags,
          summary: 'Change how you are told',
          description: 'A notice comes by a channel when both the channel and the kind have it switched on.',
          operationId: 'updateNotificationPreferences',
        },
      },
    )
}

const pushDeviceRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' })
    .get(
      '/push-devices',
      async ({ user, query: { limit = 50, cursor } }) => {
        const scope = ['push-devices', user.id]
        const position = readCursor(cursor, scope, 1)
        const beforeId = position === null ? undefined : String(position[0])
        const rows = await listPushDevices(ctx, user.id, { beforeId, limit: limit + 1 })
        return { data: toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: toPushDeviceView }) }
      },
      {
        query: Type.Object(listQuery, strict),
        response: listAnswer(PushDeviceView),
        detail: { tags, summary: 'List your devices', operationId: 'listPushDevices' },
      },
    )
    .post(
      '/push-devices',
      async ({ user, body, request, set }) => {
        await limitUser(ctx, request, set.headers, 'push-devices', user.id)
        set.status = 201
        return { data: toPushDeviceView(await registerDevice(ctx, user, body)) }
      },
      {
        body: PushDeviceBody,
        response: { 201: Type.Object({ data: PushDeviceView }, strict) },
        detail: {
          tags,
          'x-errors': ['RATE_LIMITED'],
          summary: 'Register a device',
          description: 'At most 20 for each person; the oldest is forgotten. svc stores devices and sends no push yet.',
          operationId: 'createPushDevice',
        },
      },
    )
    .delete(
      '/push-devices/:id',
      async ({ user, params, request, set }) => {
        await limitUser(ctx, request, set.headers, 'push-devices', user.id)
        await forgetDevice(ctx, user, params.id)
        return { data: { deleted: true as const } }
      },
      {
        response: answer({ deleted: Type.Literal(true) }),
        detail: { tags, 'x-errors': ['RATE_LIMITED'], summary: 'Forget a device', operationId: 'deletePushDevice' },
      },
    )

const PER_MINUTE = 10

async function limitUser(
  ctx: Context,
  request: Request,
  headers: Record<string, string | number>,
  limiter: string,
  userId: string,
): Promise<void> {
  const state = await ctx.state.limits.hit(limiter, userId, PER_MINUTE, ctx.clock.now())
  countLimit(ctx, factsOf(request), headers, state)
}
