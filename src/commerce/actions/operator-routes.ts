import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { bodyInstant } from '../../base/http/parameters'
import { factsOf } from '../../base/http/request'
import { PurchaseViewSchema } from '../../people/purchases/wire'
import { operator } from '../../projects/doors/operator'
import { dashboardOrigin } from './actor'
import { grantAccess, previewGrant } from './grants'
import {
  ActionStatusSchema,
  answer,
  CancellationPreviewed,
  GrantBody,
  PurchaseParams,
  previewOf,
  RefundBody,
  RefundResult,
  ScheduleBody,
  ScheduledAction,
  SubscriberParams,
  TransactionParams,
  toCancellationPreview,
  toOperatorAction,
  toPreview,
} from './operator-wire'
import { listActions } from './queries'
import { previewRefund, type Refunded, type RefundOrder, refundPurchase } from './refunds'
import { cancelSchedule, previewCancellation, scheduleCancellation } from './schedule'
import type { ActionStatus } from './tables'
import { toPurchaseNow, toRefundView } from './wire'

const strict = { additionalProperties: false } as const
const tags = ['Money']

/** What people of a team do by hand with access and money (wire 7.8). */
export const actionOperatorRoutes = (ctx: Context) =>
  new Elysia().use(grantRoutes(ctx)).use(scheduleRoutes(ctx)).use(refundRoutes(ctx))

const grantRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write' }).post(
    '/subscribers/:id/grants',
    async ({ project, actor, params, body, request, set }) => {
      const { productId = null, accessIds = null, reason = null, dryRun = false } = body
      const expiresAt = body.expiresAt == null ? null : bodyInstant('expiresAt', body.expiresAt)
      const origin = dashboardOrigin(actor, factsOf(request).id)
      const order = { subscriber: params.id, productId, accessIds, expiresAt, reason, origin }
      const now = ctx.clock.now()
      if (dryRun)
        return { data: toPreview(await previewGrant(ctx, project, order), (row) => toPurchaseNow(project, row, now)) }
      const purchase = await grantAccess(ctx, project, order)
      set.status = 201
      return { data: toPurchaseNow(project, purchase, now) }
    },
    {
      params: SubscriberParams,
      body: GrantBody,
      response: { 200: answer(previewOf('GrantPreview', PurchaseViewSchema)), 201: answer(PurchaseViewSchema) },
      detail: {
        tags,
        'x-errors': ['UNKNOWN_REFERENCES', 'SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Give a subscriber access without a purchase',
        description: 'It costs nothing, counts in no money figure and books no currency.',
        operationId: 'grantAccess',
      },
    },
  )

const scheduleRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write' })
    .post(
      '/subscriptions/:purchaseId/schedule',
      async ({ project, actor, params: { purchaseId }, body, request, set }) => {
        const { revokeImmediately = false, dryRun = false } = body
        const origin = dashboardOrigin(actor, factsOf(request).id)
        const order = { purchaseId, dueAt: bodyInstant('dueAt', body.dueAt), revokeImmediately, origin }
        if (dryRun) return { data: toPreview(await previewCancellation(ctx, project, order), toCancellationPreview) }
        const action = await scheduleCancellation(ctx, project, order)
        set.status = 201
        return { data: toOperatorAction(action) }
      },
      {
        params: PurchaseParams,
        body: ScheduleBody,
        response: { 200: answer(previewOf('SchedulePreview', CancellationPreviewed)), 201: answer(ScheduledAction) },
        detail: {
          tags,
          'x-errors': ['SCHEDULED_ACTION_CONFLICT', 'STORE_CANCEL_UNSUPPORTED', 'REVOKE_IMMEDIATELY_UNSUPPORTED'],
          summary: 'Schedule the cancellation of a subscription',
          description:
            'The store is asked at dueAt. dryRun shows what the cancellation would change if it were due at this moment.',
          operationId: 'scheduleCancellation',
        },
      },
    )
    .get('/subscriptions/scheduled', async ({ project, query }) => ({ data: await listPage(ctx, project.id, query) }), {
      query: Type.Object({ ...listQuery, status: Type.Optional(ActionStatusSchema) }, strict),
      response: listAnswer(ScheduledAction),
      detail: { tags, summary: 'Scheduled actions, newest first', operationId: 'listScheduledActions' },
    })
    .delete(
      '/subscriptions/:purchaseId/schedule',
      async ({ project, actor, params: { purchaseId }, request }) => {
        const origin = dashboardOrigin(actor, factsOf(request).id)
        await cancelSchedule(ctx, project, { purchaseId, origin })
        return { data: { deleted: true as const } }
      },
      {
        params: PurchaseParams,
        response: Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }, strict) }, strict),
        detail: {
          tags,
          'x-errors': ['SCHEDULED_ACTION_CONFLICT'],
          'x-unrevised': true,
          summary: 'Call off the scheduled cancellation of a subscription',
          description: '409 with the reason not_pending when none waits, or when it is being carried out.',
          operationId: 'cancelScheduledAction',
        },
      },
    )

const REFUND_ERRORS = [
  'REFUND_NOT_POSSIBLE',
  'STORE_API_ERROR',
  'STORE_NOT_CONFIGURED',
  'PAYMENT_NOT_CONNECTED',
  'SUBSCRIBER_UNRESOLVABLE',
] as const

const refundRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'refunds:write' })
    .post(
      '/subscriptions/:purchaseId/refund',
      async ({
        project,
        actor,
        params: { purchaseId },
        body: { reason = null, wholeOrder = false, dryRun = false },
        request,
      }) => {
        const order = { purchaseId, wholeOrder, reason, origin: dashboardOrigin(actor, factsOf(request).id) }
        return { data: await refund(ctx, project, order, dryRun) }
      },
      {
        params: PurchaseParams,
        body: RefundBody,
        response: answer(Type.Union([RefundResult, previewOf('RefundPreview', RefundResult)])),
        detail: {
          tags,
          'x-errors': REFUND_ERRORS,
          summary: 'Refund the current charge of a purchase',
          description:
            'The access ends with it. Of a running subscription with several products, only the product of this purchase is refunded, unless wholeOrder is set. dryRun does not call the store.',
          operationId: 'refundPurchase',
        },
      },
    )
    .post(
      '/transactions/:id/refund',
      async ({ project, actor, params, body: { reason = null, wholeOrder = false, dryRun = false }, request }) => {
        const order = {
          transactionId: params.id,
          wholeOrder,
          reason,
          origin: dashboardOrigin(actor, factsOf(request).id),
        }
        return { data: await refund(ctx, project, order, dryRun) }
      },
      {
        params: TransactionParams,
        body: RefundBody,
        response: answer(Type.Union([RefundResult, previewOf('RefundPreview', RefundResult)])),
        detail: {
          tags,
          'x-errors': REFUND_ERRORS,
          summary: 'Refund one charge',
          description:
            'A refund of an earlier period ends no access. Where Google Play refunds it only with other products, wholeOrder is needed. dryRun does not call the store.',
          operationId: 'refundTransaction',
        },
      },
    )

type Project = Parameters<typeof refundPurchase>[1]

async function refund(ctx: Context, project: Project, order: RefundOrder, dryRun: boolean) {
  const toView = (refunded: Refunded) => toRefundView(project, refunded, ctx.clock.now())
  if (dryRun) return toPreview(await previewRefund(ctx, project, order), toView)
  return toView(await refundPurchase(ctx, project, order))
}

interface PageQuery {
  status?: ActionStatus | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of a project's scheduled actions, the newest first. */
async function listPage(ctx: Context, projectId: string, { status, limit = 50, cursor }: PageQuery) {
  const scope = ['scheduled-actions', projectId, status]
  const last = readCursor(cursor, scope, 1)
  const beforeId = last === null ? undefined : String(last[0])
  const rows = await listActions(ctx, projectId, { status, beforeId, limit: limit + 1 })
  return toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: toOperatorAction })
}
