import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../doors/operator'
import { getOffering, listOfferings } from './admin/offering-view'
import { createOffering, deleteOffering, updateOffering } from './admin/offerings'
import { OfferingAdminSchema, OfferingBody, OfferingPatch } from './admin/wire'

const tags = ['Catalogue']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Offerings: the products that an app shows, in packages. */
export const offeringOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/offerings',
      async ({ project, query }) => {
        const scope = ['offerings', project.id]
        return { data: idList(await listOfferings(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(OfferingAdminSchema),
        detail: { tags, summary: 'Offerings of the project', operationId: 'listOfferings' },
      },
    )
    .get('/offerings/:id', async ({ project, params }) => ({ data: await getOffering(ctx, project.id, params.id) }), {
      response: dataAnswer(OfferingAdminSchema),
      detail: { tags, summary: 'One offering', operationId: 'getOffering' },
    })

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'products:write' })
    .post(
      '/offerings',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createOffering(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: OfferingBody,
        response: { 201: dataAnswer(OfferingAdminSchema) },
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Create an offering',
          operationId: 'createOffering',
        },
      },
    )
    .patch(
      '/offerings/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateOffering(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: OfferingPatch,
        response: dataAnswer(OfferingAdminSchema),
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'UNKNOWN_REFERENCES', 'CONFLICT'],
          summary: 'Change an offering',
          description:
            'With isDefault the mark moves: both offerings change. Experiments name an offering by its identifier, so it is fixed while one shows it.',
          operationId: 'updateOffering',
        },
      },
    )
    .delete(
      '/offerings/:id',
      async ({ project, actor, expected, params }) => {
        await deleteOffering(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete an offering',
          description:
            '409 CONFLICT while an experiment or a funnel shows it. If it was the default, another one becomes it.',
          operationId: 'deleteOffering',
        },
      },
    )
