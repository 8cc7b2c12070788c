import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { operator } from '../../projects/doors/operator'
import { DeliveryView } from '../delivery-log/wire'
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './admin'
import {
  CreatedEndpointSchema,
  EndpointBody,
  EndpointListQuery,
  EndpointPatch,
  EndpointSchema,
  NoMembers,
  RotatedSecretSchema,
  toInput,
} from './operator-wire'
import { sendTest } from './test-send'
import { getEndpointView, listEndpointViews } from './views'

const tags = ['Webhooks']

/** Webhook endpoints in the dashboard (wire 7.9). */
export const webhookOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(secretRoutes(ctx)).use(testRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/webhook-endpoints',
      async ({ project, query }) => {
        const scope = ['webhook-endpoints', project.id]
        return { data: idList(await listEndpointViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: EndpointListQuery,
        response: listAnswer(EndpointSchema),
        detail: { tags, summary: 'Webhook endpoints of the project', operationId: 'listWebhookEndpoints' },
      },
    )
    .get(
      '/webhook-endpoints/:id',
      async ({ project, params }) => ({ data: await getEndpointView(ctx, project.id, params.id) }),
      {
        response: dataAnswer(EndpointSchema),
        detail: { tags, summary: 'One webhook endpoint', operationId: 'getWebhookEndpoint' },
      },
    )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'webhooks:write' })
    .patch(
      '/webhook-endpoints/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateEndpoint(ctx, { projectId: project.id, actor, expected }, params.id, toInput(body)),
      }),
      {
        body: EndpointPatch,
        response: dataAnswer(EndpointSchema),
        detail: {
          tags,
          'x-errors': ['WEBHOOK_URL_REJECTED', 'IDENTIFIER_TAKEN', 'FEATURE_NOT_CONFIGURED', 'CONFLICT'],
          summary: 'Change a webhook endpoint',
          description:
            'Switching it off ends what waits for it as DEAD. Switching it on clears disabledReason; it gets the events from then on.',
          operationId: 'updateWebhookEndpoint',
        },
      },
    )
    .delete(
      '/webhook-endpoints/:id',
      async ({ project, actor, expected, params }) => {
        await deleteEndpoint(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a webhook endpoint',
          description: 'What waits for it ends as DEAD. Its deliveries stay in the log.',
          operationId: 'deleteWebhookEndpoint',
        },
      },
    )

/** Their answers contain a secret, so kept answers are encrypted. */
const secretRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'webhooks:write', idempotency: { isSecret: true, hidesBody: true } })
    .post(
      '/webhook-endpoints',
      async ({ project, actor, body, set }) => {
        const created = await createEndpoint(ctx, { projectId: project.id, actor }, toInput(body))
        set.status = 201
        return { data: created }
      },
      {
        body: EndpointBody,
        response: { 201: dataAnswer(CreatedEndpointSchema) },
        detail: {
          tags,
          'x-errors': [
            'WEBHOOK_URL_REJECTED',
            'WEBHOOK_ENDPOINT_LIMIT',
            'IDENTIFIER_TAKEN',
            'FEATURE_NOT_CONFIGURED',
            'CONFLICT',
          ],
          summary: 'Create a webhook endpoint',
          description: 'The answer shows the signing secret, once.',
          operationId: 'createWebhookEndpoint',
        },
      },
    )
    .post(
      '/webhook-endpoints/:id/rotate-secret',
      async ({ project, actor, expected, params }) => ({
        data: await rotateSecret(ctx, { projectId: project.id, actor, expected }, params.id),
      }),
      {
        body: NoMembers,
        response: dataAnswer(RotatedSecretSchema),
        detail: {
          tags,
          'x-errors': ['FEATURE_NOT_CONFIGURED', 'CONFLICT'],
          summary: 'Give a webhook endpoint another signing secret',
          description:
            'For 24 hours every delivery carries a signature with each of the two secrets. While an earlier rotation still runs (`previousValidUntil` of the endpoint), the secret before it ends at once.',
          operationId: 'rotateWebhookSecret',
        },
      },
    )

const TESTS_PER_MINUTE = 20

const testRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'webhooks:write' }).post(
    '/webhook-endpoints/:id/test',
    async ({ project, user, actor, params, request, set }) => {
      const state = await ctx.state.limits.hit('webhook-test', user.id, TESTS_PER_MINUTE, ctx.clock.now())
      countLimit(ctx, factsOf(request), set.headers, state)
      return { data: await sendTest(ctx, project.id, params.id, actor.kind === 'CLI' ? 'CLI' : 'DASHBOARD') }
    },
    {
      body: NoMembers,
      response: dataAnswer(DeliveryView),
      detail: {
        tags,
        'x-errors': ['RATE_LIMITED', 'CONFLICT'],
        summary: 'Send a test event to a webhook endpoint',
        description:
          'One attempt, whose result is in the answer. The event is of type webhook.test and is not kept as an event. 409 CONFLICT for an endpoint that is disabled.',
        operationId: 'testWebhookEndpoint',
      },
    },
  )
