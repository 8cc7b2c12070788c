import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { factsOf } from '../../base/http/request'
import { api } from '../../projects/doors/api'
import type { KeyState } from '../../projects/project/state'
import { callingSubscriber, findReferenced, type SubscriberRow } from '../subscribers/service'
import { postTransaction } from './post-transaction'
import { visibleBalances } from './service'
import {
  BalancesAnswer,
  readTransaction,
  SubscriberParams,
  TransactionAnswer,
  TransactionBody,
  TransactionParams,
  toTransactionView,
} from './wire'

const tags = ['Virtual currencies']

/** Balances for the calling device and for the customer's server. Only the server can grant and spend. */
export const currencyRoutes = (ctx: Context) => new Elysia().use(deviceRoutes(ctx)).use(serverRoutes(ctx))

const deviceRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' }).get(
    '/virtual-currencies/me',
    async ({ project, request }) => {
      const subscriber = await callingSubscriber(ctx, project.id, request)
      return { data: { balances: await visibleBalances(ctx, project, subscriber) } }
    },
    {
      response: BalancesAnswer,
      detail: {
        tags,
        'x-identity': 'device',
        summary: 'Balances of the calling device',
        operationId: 'getMyBalances',
        description:
          'The device key stands in X-Svc-App-User-Id; an unknown one makes the subscriber. A code without any transaction is absent and reads as 0.',
      },
    },
  )

const serverRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret' })
    .get(
      '/virtual-currencies/:appUserId',
      async ({ project, key, params }) => {
        const subscriber = await getReferenced(ctx, key, params.appUserId)
        return { data: { balances: await visibleBalances(ctx, project, subscriber) } }
      },
      {
        params: SubscriberParams,
        response: BalancesAnswer,
        detail: {
          tags,
          summary: 'Balances of a subscriber',
          operationId: 'getBalances',
          description: 'Secret key only. 404 when nobody has that reference.',
        },
      },
    )
    .post(
      '/virtual-currencies/:appUserId/:code/transactions',
      async ({ project, key, params, body, request }) => {
        const { rawBody, id: requestId } = factsOf(request)
        const input = { ...readTransaction(body, rawBody), code: params.code, requestId, actor: null, dryRun: false }
        const subscriber = await getReferenced(ctx, key, params.appUserId)
        return { data: toTransactionView(await postTransaction(ctx, project, subscriber, input)) }
      },
      {
        params: TransactionParams,
        body: TransactionBody,
        response: TransactionAnswer,
        detail: {
          tags,
          summary: 'Grant or spend virtual currency',
          operationId: 'postCurrencyTransaction',
          description:
            'Secret key only. A retry with the same idempotencyKey and amount answers the original with replayed true; with another amount it is 409 CONFLICT, as is a spend beyond the balance ("Insufficient balance").',
        },
      },
    )

async function getReferenced(ctx: Context, key: KeyState, reference: string): Promise<SubscriberRow> {
  const subscriber = await findReferenced(ctx, key, reference)
  if (!subscriber) throw notFound('subscriber', reference)
  return subscriber
}
