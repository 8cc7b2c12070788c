import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../doors/operator'
import { archiveCurrency, createCurrency, updateCurrency } from './admin/currencies'
import { listCurrencies } from './admin/currency-view'
import { CurrencyBody, CurrencyPatch, CurrencySchema } from './admin/wire'

const tags = ['Catalogue']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Virtual currencies. They are archived and never deleted, because the ledger names them. */
export const currencyOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/virtual-currencies',
    async ({ project, query }) => {
      const scope = ['virtual-currencies', project.id]
      return { data: idList(await listCurrencies(ctx, project.id, idPage(query, scope)), scope) }
    },
    {
      query: Query,
      response: listAnswer(CurrencySchema),
      detail: { tags, summary: 'Virtual currencies, archived ones included', operationId: 'listVirtualCurrencies' },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'virtual-currency:manage' })
    .post(
      '/virtual-currencies',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createCurrency(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: CurrencyBody,
        response: { 201: dataAnswer(CurrencySchema) },
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Create a virtual currency',
          description: 'The code of an archived currency brings that one back.',
          operationId: 'createVirtualCurrency',
        },
      },
    )
    .patch(
      '/virtual-currencies/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateCurrency(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: CurrencyPatch,
        response: dataAnswer(CurrencySchema),
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Change a virtual currency',
          operationId: 'updateVirtualCurrency',
        },
      },
    )
    .delete(
      '/virtual-currencies/:id',
      async ({ project, actor, expected, params }) => {
        await archiveCurrency(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Archive a virtual currency',
          description: 'Balances stay, and nothing can be booked. 409 CONFLICT while a product grants it.',
          operationId: 'archiveVirtualCurrency',
        },
      },
    )
