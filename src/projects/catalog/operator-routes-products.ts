import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { operator } from '../doors/operator'
import { importProducts } from './admin/import'
import { getProduct, listProducts } from './admin/product-view'
import { createProduct, deleteProduct, setGrants, updateProduct } from './admin/products'
import {
  GrantsBody,
  GrantsSchema,
  ImportBody,
  ImportSchema,
  ProductBody,
  ProductPatch,
  ProductSchema,
  readGrants,
  SavedProductSchema,
} from './admin/wire'

const tags = ['Catalogue']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Products: what the stores sell, what it gives and what it grants. */
export const productOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(moreRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/products',
      async ({ project, query }) => {
        const scope = ['products', project.id]
        return { data: idList(await listProducts(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(ProductSchema),
        detail: { tags, summary: 'Products of the project', operationId: 'listProducts' },
      },
    )
    .get('/products/:id', async ({ project, params }) => ({ data: await getProduct(ctx, project.id, params.id) }), {
      response: dataAnswer(ProductSchema),
      detail: { tags, summary: 'One product', operationId: 'getProduct' },
    })

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'products:write' })
    .post(
      '/products',
      async ({ project, actor, session, body, set }) => {
        set.status = 201
        return { data: await createProduct(ctx, { projectId: project.id, actor, hasToken: session === null }, body) }
      },
      {
        body: ProductBody,
        response: { 201: dataAnswer(SavedProductSchema) },
        detail: {
          tags,
          'x-errors': [
            'IDENTIFIER_TAKEN',
            'STORE_ID_TAKEN',
            'UNKNOWN_REFERENCES',
            'PAYMENT_PRICE_NOT_FOUND',
            'STORE_API_ERROR',
            'STORE_UNAVAILABLE',
            'CONFLICT',
          ],
          summary: 'Create a product',
          operationId: 'createProduct',
        },
      },
    )
    .patch(
      '/products/:id',
      async ({ project, actor, session, expected, params, body }) => ({
        data: await updateProduct(
          ctx,
          { projectId: project.id, actor, hasToken: session === null, expected },
          params.id,
          body,
        ),
      }),
      {
        body: ProductPatch,
        response: dataAnswer(SavedProductSchema),
        detail: {
          tags,
          'x-errors': [
            'IDENTIFIER_TAKEN',
            'STORE_ID_TAKEN',
            'UNKNOWN_REFERENCES',
            'PAYMENT_PRICE_NOT_FOUND',
            'STORE_API_ERROR',
            'STORE_UNAVAILABLE',
            'CURRENCY_GRANT_INVALID',
            'CONFLICT',
          ],
          summary: 'Change a product',
          operationId: 'updateProduct',
        },
      },
    )
    .delete(
      '/products/:id',
      async ({ project, actor, expected, params }) => {
        await deleteProduct(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a product',
          description:
            '409 CONFLICT once somebody bought it (set isActive to false instead), and while an offering has it.',
          operationId: 'deleteProduct',
        },
      },
    )

const moreRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'products:write' })
    .put(
      '/products/:id/currency-grants',
      async ({ project, actor, expected, params, body, request }) => {
        const wanted = readGrants(body, factsOf(request).rawBody)
        const { grants } = await setGrants(ctx, { projectId: project.id, actor, expected }, params.id, wanted)
        return { data: { grants } }
      },
      {
        body: GrantsBody,
        response: dataAnswer(GrantsSchema),
        detail: {
          tags,
          'x-errors': ['UNKNOWN_REFERENCES', 'CURRENCY_GRANT_INVALID', 'CONFLICT'],
          summary: 'Replace what a product grants',
          operationId: 'setCurrencyGrants',
        },
      },
    )
    .post(
      '/products/import',
      async ({ project, actor, session, body }) => ({
        data: await importProducts(ctx, { projectId: project.id, actor, hasToken: session === null }, body),
      }),
      {
        body: ImportBody,
        response: dataAnswer(ImportSchema),
        detail: {
          tags,
          'x-errors': ['STORE_NOT_CONFIGURED', 'STORE_API_ERROR', 'STORE_UNAVAILABLE', 'CONFLICT'],
          summary: 'Make products of a store',
          description:
            'One for each id, and for each base plan of an Android subscription. Ids that a product has, or that the store does not list, are skipped.',
          operationId: 'importProducts',
        },
      },
    )
