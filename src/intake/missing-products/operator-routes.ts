import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, readCursor } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { toScannedList } from '../../base/http/scan'
import { operator } from '../../projects/doors/operator'
import { createWaitingProducts } from './admin'
import { listWaitingProducts } from './list'
import { listWaitingPurchases } from './purchases'
import {
  ListQuery,
  MissingProductsSchema,
  OrderBody,
  RowsQuery,
  toWaitingProduct,
  toWaitingPurchase,
  WaitingProductSchema,
  WaitingPurchaseSchema,
} from './wire'

const tags = ['Catalogue']

/** The store products that purchases wait for, and how they come into the catalogue. */
export const missingProductRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/products/waiting',
      async ({ project, query: { limit = 50, cursor } }) => {
        const scope = ['waiting-products', project.id]
        const found = await listWaitingProducts(ctx, project, { after: readCursor(cursor, scope, 2), limit })
        return { data: toScannedList(found, scope, toWaitingProduct) }
      },
      {
        query: ListQuery,
        response: listAnswer(WaitingProductSchema),
        detail: {
          tags,
          summary: 'Store products that purchases wait for',
          description:
            'By store and id. They were bought before a product of the catalogue had their store id, so the purchases give no access. Above 10,000 purchases on a page its figures are up to 30 seconds old. A page can have fewer items than limit although nextCursor is given.',
          operationId: 'listWaitingProducts',
        },
      },
    )
    .get(
      '/products/waiting/purchases',
      async ({ project, query: { limit = 50, cursor, store, storeProductId } }) => {
        const scope = ['waiting-purchases', project.id, store, storeProductId]
        const page = { after: readCursor(cursor, scope, 1), limit }
        const found = await listWaitingPurchases(ctx, project, { store, storeProductId }, page)
        return { data: toScannedList(found, scope, toWaitingPurchase) }
      },
      {
        query: RowsQuery,
        response: listAnswer(WaitingPurchaseSchema),
        detail: {
          tags,
          summary: 'Purchases that wait for a store product',
          description:
            'Newest first, with their people; unlisted sales have none. A page can have fewer items than limit although nextCursor is given.',
          operationId: 'listWaitingPurchases',
        },
      },
    )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'products:write' }).post(
    '/products/waiting',
    async ({ project, actor, session, body }) => {
      const by = { projectId: project.id, actor, hasToken: session === null }
      return { data: await createWaitingProducts(ctx, by, project, body) }
    },
    {
      body: OrderBody,
      response: dataAnswer(MissingProductsSchema),
      detail: {
        tags,
        'x-errors': ['UNKNOWN_REFERENCES', 'CONFLICT', 'STORE_API_ERROR', 'STORE_UNAVAILABLE'],
        summary: 'Create the products that purchases wait for',
        description:
          'Types and periods are read from the newest purchases. The purchases get their products in the background; GET /purchases/relink tells how many are left. 409 CONFLICT when there is nothing to create.',
        operationId: 'createWaitingProducts',
      },
    },
  )
