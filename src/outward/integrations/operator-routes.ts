import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { changeIntegration, createIntegration, listIntegrationViews, removeIntegration } from './admin'
import { IntegrationBody, IntegrationPatch, IntegrationQuery, IntegrationSchema } from './admin-wire'
import { integrationDeliveryRoutes } from './delivery-routes'

const tags = ['Integrations']
const REFUSALS = ['INTEGRATION_CREDENTIALS_REJECTED', 'WEBHOOK_URL_REJECTED', 'FEATURE_NOT_CONFIGURED'] as const

/** Connections to other providers in the dashboard (wire 7.9). */
export const integrationRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(integrationDeliveryRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/integrations',
    async ({ project, query }) => {
      const scope = ['integrations', project.id]
      return { data: idList(await listIntegrationViews(ctx, project.id, idPage(query, scope)), scope) }
    },
    {
      query: IntegrationQuery,
      response: listAnswer(IntegrationSchema),
      detail: { tags, summary: 'Connections to other providers', operationId: 'listIntegrations' },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN', idempotency: { hidesBody: true } })
    .post(
      '/integrations',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createIntegration(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: IntegrationBody,
        response: { 201: dataAnswer(IntegrationSchema) },
        detail: {
          tags,
          'x-errors': ['INTEGRATION_ALREADY_CONNECTED', ...REFUSALS],
          summary: 'Connect a provider',
          description: 'The provider is asked about the credentials before anything is saved.',
          operationId: 'createIntegration',
        },
      },
    )
    .patch(
      '/integrations/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await changeIntegration(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: IntegrationPatch,
        response: dataAnswer(IntegrationSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT', ...REFUSALS],
          summary: 'Change a connection',
          description:
            'Credentials are replaced as a whole, after the provider was asked about them. A secret that is left out stays as it is saved; null removes it.',
          operationId: 'updateIntegration',
        },
      },
    )
    .delete(
      '/integrations/:id',
      async ({ project, actor, expected, params }) => {
        await removeIntegration(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Delete a connection', operationId: 'deleteIntegration' },
      },
    )
