import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import type { ErrorCode } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { dataAnswer } from '../../base/http/object-answer'
import { callerAddress, factsOf } from '../../base/http/request'
import { type PresentedSession, presentedSession, secretOf, sessionParameter } from '../sessions/service'
import { confirmPayment } from './confirm'
import { beginPayment } from './intent'
import { paymentPageRoutes } from './page-routes'
import { attemptTestPayment } from './test-payment'
import {
  ConfirmBody,
  ConfirmSchema,
  IntentBody,
  IntentSchema,
  TestBody,
  TestSchema,
  toConfirmedView,
  toIntentView,
} from './wire'

const PER_MINUTE = 30
const door = {
  tags: ['Funnel visitors'],
  'x-door': 'public' as const,
  'x-who': 'visitors',
  security: [],
  parameters: [sessionParameter],
}
const REFUSALS: ErrorCode[] = ['PAYMENT_IN_FLIGHT', 'PAYMENT_TEMPORARILY_UNAVAILABLE']

/** How a visitor of a funnel pays (funnels 3). The session is presented by its cookie or its header. */
export const paymentRoutes = (ctx: Context) =>
  new Elysia().use(intentRoute(ctx)).use(testRoute(ctx)).use(confirmRoute(ctx)).use(paymentPageRoutes(ctx))

interface Call {
  request: Request
  params: { id: string }
  set: { headers: Record<string, string | number> }
}

async function sessionOf(ctx: Context, { request, params, set }: Call, limit: string): Promise<PresentedSession> {
  const facts = factsOf(request)
  const address = callerAddress(ctx, request, facts)
  countLimit(ctx, facts, set.headers, await ctx.state.limits.hit(limit, address, PER_MINUTE, ctx.clock.now()))
  return presentedSession(ctx, params.id, secretOf(request, params.id))
}

const intentRoute = (ctx: Context) =>
  new Elysia().post(
    '/public/funnel-sessions/:id/payment-intent',
    async ({ body, ...call }) => {
      const presented = await sessionOf(ctx, call, 'funnel-payment-intents')
      const intent = await beginPayment(ctx, presented, {
        packageIdentifier: body.package_identifier,
        pageId: body.page_id,
        email: body.email,
        expectedAmountMicros: body.expected_amount_micros ?? null,
        promotionCode: body.promotion_code ?? null,
      })
      return { data: toIntentView(intent) }
    },
    {
      body: IntentBody,
      response: dataAnswer(IntentSchema),
      detail: {
        ...door,
        'x-errors': [
          ...REFUSALS,
          'CONFLICT',
          'PAYMENT_NOT_CONNECTED',
          'PAYMENT_ALREADY_RECORDED',
          'PAYMENT_PROVIDER_REJECTED',
        ],
        summary: 'Begin to pay',
        description:
          'The same package again gives the same payment and secret while it can still be paid; another package ends the payment of before. `expected_amount_micros` that is not the price of today is 409 CONFLICT with the price.',
        'x-example-request': { package_identifier: 'monthly', page_id: 'pay', email: 'ada@example.com' },
        operationId: 'createFunnelPaymentIntent',
      },
    },
  )

const testRoute = (ctx: Context) =>
  new Elysia().post(
    '/public/funnel-sessions/:id/test-payment',
    async ({ body, ...call }) => {
      const presented = await sessionOf(ctx, call, 'funnel-test-payments')
      return { data: { status: await attemptTestPayment(ctx, presented, body.payment_id, body.outcome) } }
    },
    {
      body: TestBody,
      response: dataAnswer(TestSchema),
      detail: {
        ...door,
        'x-errors': ['CONFLICT', 'PAYMENT_ALREADY_RECORDED', 'PAYMENT_TEMPORARILY_UNAVAILABLE'],
        summary: 'Pay at the test store',
        description: '404 where the payment is not of the built-in test store.',
        operationId: 'createFunnelTestPayment',
      },
    },
  )

const confirmRoute = (ctx: Context) =>
  new Elysia().post(
    '/public/funnel-sessions/:id/confirm',
    async ({ body, ...call }) => {
      const presented = await sessionOf(ctx, call, 'funnel-confirmations')
      return { data: toConfirmedView(await confirmPayment(ctx, presented, body.payment_id)) }
    },
    {
      body: ConfirmBody,
      response: dataAnswer(ConfirmSchema),
      detail: {
        ...door,
        'x-errors': [...REFUSALS, 'PAYMENT_NOT_SETTLED_YET', 'PAYMENT_UNVERIFIABLE'],
        summary: 'Confirm a payment',
        description:
          'Asks the provider. When the payment has come in, the answer has the token that the app claims. Within 15 minutes and before a claim, a repetition gives the same token.',
        operationId: 'confirmFunnelPayment',
      },
    },
  )
