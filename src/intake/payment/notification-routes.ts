import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { acknowledge, OfProject, Received } from '../inbox/acknowledge'
import { receiveConnectEvent, receivePaymentEvent } from './notification-service'

const SIGNATURE = 'stripe-signature'

/** Receives the provider's events. No API key: the signature over the raw body authenticates the sender. */
export const paymentEventRoutes = (ctx: Context) =>
  new Elysia()
    .post(
      '/webhooks/payment/connect',
      (call) =>
        acknowledge(ctx, call, (posted) =>
          receiveConnectEvent(ctx, { ...posted, signature: call.request.headers.get(SIGNATURE) }),
        ),
      {
        parse: 'none',
        response: Received,
        detail: {
          tags: ['Webhooks'],
          summary: 'Payment provider events of connected accounts',
          description:
            "The Connect webhook of the platform, test and live mode. Goes to every project that sells through the event's account in its mode; of an account that no project has it is acknowledged and not kept.",
          operationId: 'receiveConnectEvent',
          security: [],
        },
      },
    )
    .post(
      '/webhooks/payment/:projectId',
      ({ params, ...call }) =>
        acknowledge(ctx, call, (posted) =>
          receivePaymentEvent(ctx, params.projectId, { ...posted, signature: call.request.headers.get(SIGNATURE) }),
        ),
      {
        parse: 'none',
        params: OfProject,
        response: Received,
        detail: {
          tags: ['Webhooks'],
          summary: "Payment provider events of the project's own account",
          description:
            'The address to save at the provider. Answers after the commit; a repetition is acknowledged without an effect.',
          operationId: 'receivePaymentEvent',
          security: [],
        },
      },
    )
