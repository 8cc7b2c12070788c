import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import type { ErrorCode } from '../../base/errors'
import { operator } from '../doors/operator'
import { connectPubSub, disconnectPubSub, recreatePubSub, rotatePubSub, testPubSub } from './connection'
import { readPubSubStatus } from './status'
import { ConnectBody, NothingBody, PubSubAnswer, PubSubTestedAnswer } from './wire'

const tags = ['Stores']
const PATH = '/apps/android/pubsub'

const CHANGING: ErrorCode[] = [
  'STORE_NOT_CONFIGURED',
  'PUBSUB_CONNECT_IN_PROGRESS',
  'STORE_CREDENTIALS_INVALID',
  'PUBSUB_API_DISABLED',
  'PUBSUB_PERMISSION_MISSING',
  'STORE_API_ERROR',
  'STORE_UNAVAILABLE',
]
const PUSHING: ErrorCode[] = [...CHANGING, 'PUBSUB_ENDPOINT_NOT_HTTPS', 'CONFLICT']
const REPAIRING: ErrorCode[] = [...PUSHING, 'PUBSUB_TOPIC_NOT_FOUND', 'PUBSUB_ORG_POLICY']

/** How Google Play's notifications reach the project: read by developers, changed by administrators. */
export const pubsubRoutes = (ctx: Context) => new Elysia().use(statusRoute(ctx)).use(changeRoutes(ctx))

const statusRoute = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).get(
    PATH,
    async ({ project }) => ({ data: await readPubSubStatus(ctx, project.id) }),
    {
      response: PubSubAnswer,
      detail: {
        tags,
        'x-errors': ['STORE_UNAVAILABLE'],
        summary: 'The Pub/Sub connection of Google Play',
        description: 'Asks Google about the subscription and the permission of the topic.',
        operationId: 'getPubSubConnection',
      },
    },
  )

const changeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .post(
      `${PATH}/connect`,
      async ({ project, actor, body }) => ({
        data: await connectPubSub(ctx, { projectId: project.id, actor }, body.existingTopic ?? null),
      }),
      {
        body: ConnectBody,
        response: PubSubAnswer,
        detail: {
          tags,
          'x-errors': REPAIRING,
          summary: 'Connect Google Play through Pub/Sub',
          description:
            'Makes the topic, lets Google Play publish to it, and makes a subscription that pushes here. Can be repeated: it makes what is missing.',
          operationId: 'connectPubSub',
        },
      },
    )
    .post(
      `${PATH}/recreate`,
      async ({ project, actor }) => ({ data: await recreatePubSub(ctx, { projectId: project.id, actor }) }),
      {
        body: NothingBody,
        response: PubSubAnswer,
        detail: {
          tags,
          'x-errors': REPAIRING,
          summary: 'Repair the Pub/Sub connection',
          description: 'Makes what is missing at Google, and sets the push address and its service account right.',
          operationId: 'recreatePubSub',
        },
      },
    )
    .post(
      `${PATH}/rotate`,
      async ({ project, actor }) => ({ data: await rotatePubSub(ctx, { projectId: project.id, actor }) }),
      {
        body: NothingBody,
        response: PubSubAnswer,
        detail: {
          tags,
          'x-errors': PUSHING,
          summary: 'Replace the subscription',
          description: 'Makes a new subscription with the present service account, then deletes the one before.',
          operationId: 'rotatePubSub',
        },
      },
    )
    .post(
      `${PATH}/test`,
      async ({ project }) => {
        const messageId = await testPubSub(ctx, project.id)
        return { data: { ...(await readPubSubStatus(ctx, project.id)), messageId } }
      },
      {
        body: NothingBody,
        response: PubSubTestedAnswer,
        detail: {
          tags,
          'x-errors': TESTING,
          summary: 'Publish a test notification',
          description: 'Once it has arrived, `lastMessageAt` is later than before. Read the connection again for that.',
          operationId: 'testPubSub',
        },
      },
    )
    .delete(
      PATH,
      async ({ project, actor }) => ({ data: await disconnectPubSub(ctx, { projectId: project.id, actor }) }),
      {
        response: PubSubAnswer,
        detail: {
          tags,
          'x-errors': CHANGING,
          'x-unrevised': true,
          summary: 'Disconnect Google Play',
          description: 'Deletes the subscription at Google, and the topic if svc made it.',
          operationId: 'disconnectPubSub',
        },
      },
    )

const TESTING: ErrorCode[] = [...CHANGING.filter((code) => code !== 'PUBSUB_CONNECT_IN_PROGRESS'), 'CONFLICT']
