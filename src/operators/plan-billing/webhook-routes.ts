import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { requireCloud } from '../../projects/billing/service'
import { readBody } from '../mail/read-body'
import { receiveBillingEvent } from './webhook'

const strict = { additionalProperties: false } as const
const Received = Type.Object(
  { data: Type.Object({ received: Type.Literal(true), duplicate: Type.Boolean() }, strict) },
  strict,
)

/** Events of the account that charges for plans. The signature over the raw body authenticates the sender. */
export const billingWebhookRoutes = (ctx: Context) =>
  new Elysia().post(
    '/billing/webhook',
    async ({ request }) => {
      requireCloud(ctx)
      const body = await readBody(ctx, request)
      const { duplicate } = await receiveBillingEvent(ctx, body, request.headers.get('stripe-signature'))
      return { data: { received: true as const, duplicate } }
    },
    {
      parse: 'none',
      response: Received,
      detail: {
        tags: ['Webhooks'],
        'x-errors': ['UNAUTHORIZED', 'FEATURE_NOT_CONFIGURED'],
        'x-always-found': true,
        security: [],
        summary: 'Payment provider events of the account that charges for plans',
        description:
          'The address to save at the provider of SVC_BILLING_SECRET_KEY. Events may come in any order and more than once. An event of a customer that is not known here is acknowledged and not kept.',
        operationId: 'receiveBillingEvent',
      },
    },
  )
