import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { queueSync } from './queue-sync'

const strict = { additionalProperties: false } as const

/** Asking the stores now instead of at the next hour (wire 7.8). */
export const syncOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).post(
    '/transactions/sync',
    async ({ project, actor, body: { subscriberId = null } }) => ({
      data: await queueSync(ctx, project, subscriberId, actor),
    }),
    {
      body: Type.Object(
        {
          subscriberId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              pattern: '^[^\\u0000]*$',
              description: 'sub_ id, label or device key; absent = every purchase of the project that is due',
            }),
          ),
        },
        { ...strict, title: 'SyncRequest' },
      ),
      response: dataAnswer(
        Type.Object(
          {
            queued: Type.Boolean({ description: 'False for somebody who bought at no store' }),
            stores: Type.Array(Type.String(), { description: 'The connected stores that are asked' }),
          },
          { ...strict, title: 'Sync' },
        ),
      ),
      detail: {
        tags: ['Money'],
        'x-errors': ['NOT_FOUND', 'STORE_NOT_CONFIGURED', 'SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Ask the stores about purchases now',
        description: 'It runs in the background and records what the stores answer.',
        operationId: 'syncTransactions',
      },
    },
  )
