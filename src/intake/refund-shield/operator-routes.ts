import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, listQuery } from '../../base/http/list'
import { operator } from '../../projects/doors/operator'
import { getRefundShieldView, listResponsePage, saveRefundShield } from './admin'
import {
  RefundShield,
  RefundShieldMetricsView,
  RefundShieldResponse,
  ResponseOutcome,
  ResponseStatus,
  SettingsBody,
} from './operator-wire'
import { refundShieldMetrics } from './service'

const strict = { additionalProperties: false } as const
const tags = ['Money']

/** The refund shield: its settings, what the store asked, and what came of it (wire 7.8). */
export const refundShieldOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(settingsRoute(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get('/refund-shield', async ({ project }) => ({ data: await getRefundShieldView(ctx, project.id) }), {
      response: Type.Object({ data: RefundShield }, strict),
      detail: { tags, summary: 'Settings of the refund shield', operationId: 'getRefundShield' },
    })
    .get(
      '/refund-shield/responses',
      async ({ project, query }) => ({ data: await listResponsePage(ctx, project.id, query) }),
      {
        query: Type.Object(
          { ...listQuery, status: Type.Optional(ResponseStatus), outcome: Type.Optional(ResponseOutcome) },
          strict,
        ),
        response: listAnswer(RefundShieldResponse),
        detail: {
          tags,
          summary: 'What the iOS store asked about refunds, newest first',
          operationId: 'listRefundShieldResponses',
        },
      },
    )
    .get('/refund-shield/metrics', async ({ project }) => ({ data: await refundShieldMetrics(ctx, project.id) }), {
      response: Type.Object({ data: RefundShieldMetricsView }, strict),
      detail: { tags, summary: 'What the refund shield came to', operationId: 'getRefundShieldMetrics' },
    })

const settingsRoute = (ctx: Context) =>
  operator(ctx, { role: 'OWNER' }).put(
    '/refund-shield',
    async ({ project, actor, body, expected }) => {
      await saveRefundShield(ctx, { projectId: project.id, actor }, body, expected)
      return { data: await getRefundShieldView(ctx, project.id) }
    },
    {
      body: SettingsBody,
      response: Type.Object({ data: RefundShield }, strict),
      detail: { tags, summary: 'Replace the settings of the refund shield', operationId: 'putRefundShield' },
    },
  )
