import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { listAnswer, readCursor } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { toScannedList } from '../../base/http/scan'
import { operator } from '../../projects/doors/operator'
import { redeliver } from '../deliveries/reopen'
import { listDeliveries } from '../delivery-log/list'
import { DeliveryView, toDeliveryView } from '../delivery-log/wire'
import { getIntegration, validateCredentials } from './admin'
import { BackfillAnswer, BackfillBody, IntegrationDeliveryQuery, NoBody, OkAnswer, ValidateBody } from './admin-wire'
import { startBackfill } from './backfill'
import { sendTest } from './test-send'

const tags = ['Integrations']
const KIND = 'INTEGRATION'

/** What a connection has sent, and what people do with it (wire 7.9). */
export const integrationDeliveryRoutes = (ctx: Context) =>
  new Elysia().use(logRoutes(ctx)).use(checkRoutes(ctx)).use(backfillRoutes(ctx)).use(redeliveryRoutes(ctx))

const logRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/integrations/:id/deliveries',
    async ({ project, params, query }) => {
      const { id: targetId } = await getIntegration(ctx, project.id, params.id)
      const { limit = 50, cursor, status = null, type = null, subscriberId = null } = query
      const scope = ['integration-deliveries', project.id, targetId, status, type, subscriberId]
      const filter = { projectId: project.id, kind: KIND, targetId, status, type, subscriberId } as const
      const page = await listDeliveries(ctx, filter, { after: readCursor(cursor, scope, 1), limit })
      return { data: toScannedList(page, scope, toDeliveryView) }
    },
    {
      query: IntegrationDeliveryQuery,
      response: listAnswer(DeliveryView),
      detail: { tags, summary: 'Deliveries of a connection', operationId: 'listIntegrationDeliveries' },
    },
  )

const checkRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER', idempotency: { hidesBody: true } })
    .post(
      '/integrations/validate',
      async ({ user, body, request, set }) => {
        await limitUser(ctx, request, set.headers, 'integrations-validate', user.id)
        await validateCredentials(ctx, body.provider, body.credentials)
        return { data: { ok: true as const } }
      },
      {
        body: ValidateBody,
        response: OkAnswer,
        detail: {
          tags,
          'x-errors': ['INTEGRATION_CREDENTIALS_REJECTED', 'WEBHOOK_URL_REJECTED', 'RATE_LIMITED'],
          summary: 'Ask a provider about credentials',
          description: 'Nothing is saved.',
          operationId: 'validateIntegration',
        },
      },
    )
    .post(
      '/integrations/:id/test',
      async ({ user, project, params, request, set }) => {
        await limitUser(ctx, request, set.headers, 'integrations-test', user.id)
        return { data: toDeliveryView(await sendTest(ctx, project.id, params.id)) }
      },
      {
        body: NoBody,
        response: dataAnswer(DeliveryView),
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'RATE_LIMITED'],
          summary: 'Send a test event',
          description: 'One attempt, with made-up data and without money; the answer tells how it ended.',
          operationId: 'testIntegration',
        },
      },
    )

const backfillRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' }).post(
    '/integrations/:id/backfill',
    async ({ project, actor, params, body }) => ({
      data: { queued: await startBackfill(ctx, { projectId: project.id, actor }, params.id, body.days) },
    }),
    {
      body: BackfillBody,
      response: BackfillAnswer,
      detail: {
        tags,
        'x-errors': ['CONFLICT', 'QUEUE_UNAVAILABLE'],
        summary: 'Send the events of the last days',
        description: 'Only those that the connection has no delivery of: repeating it sends nothing twice.',
        operationId: 'backfillIntegration',
      },
    },
  )

const redeliveryRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'webhooks:write' }).post(
    '/integration-deliveries/:id/redeliver',
    async ({ project, actor, params }) => ({
      data: toDeliveryView(await redeliver(ctx, { projectId: project.id, kind: KIND, actor }, params.id)),
    }),
    {
      body: NoBody,
      response: dataAnswer(DeliveryView),
      detail: {
        tags,
        'x-errors': [
          'CONFLICT',
          'TEST_DELIVERY_NOT_REDELIVERABLE',
          'WEBHOOK_EVENT_EXPIRED',
          'WEBHOOK_EVENT_UNMAPPABLE',
          'QUEUE_UNAVAILABLE',
        ],
        summary: 'Deliver the same event once more',
        operationId: 'redeliverIntegrationDelivery',
      },
    },
  )

const PER_MINUTE = 20

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
