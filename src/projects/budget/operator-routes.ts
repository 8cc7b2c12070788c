import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { requireCloud } from '../billing/service'
import { operator } from '../doors/operator'
import { changeBudget, readBudget } from './service'
import { BudgetAnswer, BudgetSchema } from './wire'

const tags = ['Billing']
const errors = { 'x-errors': ['FEATURE_NOT_CONFIGURED' as const] }

export const budgetRoutes = (ctx: Context) => new Elysia().use(readRoute(ctx)).use(changeRoute(ctx))

const readRoute = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' }).get(
    '/billing/budget',
    async ({ project }) => {
      requireCloud(ctx)
      return { data: await shown(ctx, project.id) }
    },
    {
      response: BudgetAnswer,
      detail: { tags, ...errors, summary: 'The budget of the project', operationId: 'getBudget' },
    },
  )

/** Where projects are not billed it is 503, before the body is looked at. */
const changeRoute = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .derive(() => {
      requireCloud(ctx)
      return {}
    })
    .put(
      '/billing/budget',
      async ({ project, actor, body }) => {
        await changeBudget(ctx, { projectId: project.id, actor }, body)
        return { data: await shown(ctx, project.id) }
      },
      {
        body: BudgetSchema,
        response: BudgetAnswer,
        detail: { tags, ...errors, summary: 'Set the budget', description: BUDGET, operationId: 'putBudget' },
      },
    )

const BUDGET = `Percents are of the events that the plan includes in a month. Over \`stopTelemetryAt\` session events and the
events of POST /v1/events are answered with 202 and the header \`X-Svc-Dropped: 1\`, and are not saved; a batch is dropped as
a whole. What was dropped is not in \`used\`; GET …/usage shows it as \`dropped\`. Money, access, receipts and webhooks are
never dropped. A plan without a limit of events takes null only.`

async function shown(ctx: Context, projectId: string) {
  const { alertsAt, stopTelemetryAt } = await readBudget(ctx, projectId)
  return { alertsAt: [...alertsAt], stopTelemetryAt }
}
