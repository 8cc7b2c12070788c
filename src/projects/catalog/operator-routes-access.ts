import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../doors/operator'
import { createAccess, deleteAccess, updateAccess } from './admin/access'
import { getAccess, listAccess } from './admin/access-view'
import { AccessBody, AccessPatch, AccessSchema } from './admin/wire'

const tags = ['Catalogue']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Access levels: what products give, and what apps ask for. */
export const accessOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/access',
      async ({ project, query }) => {
        const scope = ['access', project.id]
        return { data: idList(await listAccess(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(AccessSchema),
        detail: { tags, summary: 'Access levels of the project', operationId: 'listAccess' },
      },
    )
    .get('/access/:id', async ({ project, params }) => ({ data: await getAccess(ctx, project.id, params.id) }), {
      response: dataAnswer(AccessSchema),
      detail: { tags, summary: 'One access level', operationId: 'getAccess' },
    })

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'products:write' })
    .post(
      '/access',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createAccess(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: AccessBody,
        response: { 201: dataAnswer(AccessSchema) },
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Create an access level',
          operationId: 'createAccess',
        },
      },
    )
    .patch(
      '/access/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateAccess(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: AccessPatch,
        response: dataAnswer(AccessSchema),
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Change an access level',
          operationId: 'updateAccess',
        },
      },
    )
    .delete(
      '/access/:id',
      async ({ project, actor, expected, params }) => {
        await deleteAccess(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete an access level',
          description: '409 CONFLICT while a product gives it.',
          operationId: 'deleteAccess',
        },
      },
    )
