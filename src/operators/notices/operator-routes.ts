import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { operator } from '../../projects/doors/operator'
import { getDefaults, updateDefaults } from './service'
import { preferenceSchemas } from './wire'

const strict = { additionalProperties: false } as const
const tags = ['Notifications']

/** How the members of a project get notices, unless they have chosen otherwise. */
export const notificationDefaultRoutes = (ctx: Context) => {
  const { Change, members } = preferenceSchemas(ctx)
  const Answer = Type.Object(
    {
      data: Type.Object({ ...members, revision: Type.Integer() }, { ...strict, title: 'NotificationDefaults' }),
    },
    strict,
  )
  const read = operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/notification-defaults',
    async ({ project }) => ({ data: await getDefaults(ctx, project.id) }),
    {
      response: Answer,
      detail: { tags, summary: 'How members are told', operationId: 'getNotificationDefaults' },
    },
  )
  const write = operator(ctx, { capability: 'project:settings:write' }).patch(
    '/notification-defaults',
    async ({ project, actor, expected, body }) => {
      await updateDefaults(ctx, { projectId: project.id, actor }, body, expected)
      return { data: await getDefaults(ctx, project.id) }
    },
    {
      body: Change,
      response: Answer,
      detail: {
        tags,
        'x-errors': ['CONFLICT'],
        summary: 'Change how members are told',
        description: 'What a member has chosen in their account comes before the default of the project.',
        operationId: 'updateNotificationDefaults',
      },
    },
  )
  return new Elysia().use(read).use(write)
}
