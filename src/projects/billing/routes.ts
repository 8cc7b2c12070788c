import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { bodyInstant } from '../../base/http/parameters'
import { account } from '../doors/account'
import { admin } from '../doors/admin'
import { operator } from '../doors/operator'
import { toUsageView, UsageAnswer, UsageQuery } from '../usage/operator-wire'
import { readUsage } from '../usage/service'
import { requireCloud, setPlan } from './service'
import { PlanAnswer, PlanBody, PlansAnswer } from './wire'

const tags = ['Billing']
const errors = { 'x-errors': ['FEATURE_NOT_CONFIGURED' as const] }

/** Each route is 503 where projects are not billed. */
export const billingAccountRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' }).get(
    '/billing/plans',
    () => ({ data: { items: [...requireCloud(ctx).plans], nextCursor: null } }),
    {
      response: PlansAnswer,
      detail: { tags, ...errors, summary: 'The plans of this deployment', operationId: 'listPlans' },
    },
  )

export const billingRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/billing/usage',
    async ({ project, query: { month } }) => {
      requireCloud(ctx)
      return { data: toUsageView(await readUsage(ctx, project.id, month)) }
    },
    {
      query: UsageQuery,
      response: UsageAnswer,
      detail: { tags, ...errors, summary: 'As GET …/usage', operationId: 'getBillingUsage' },
    },
  )

export const billingAdminRoutes = (ctx: Context) =>
  admin(ctx).put(
    '/projects/:id/plan',
    async ({ params: { id }, body: { tier, until = null, note }, actor }) => {
      requireCloud(ctx)
      const end = until === null ? null : bodyInstant('until', until)
      return { data: await setPlan(ctx, { projectId: id, actor }, { tier, until: end, note }) }
    },
    {
      params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
      body: PlanBody,
      response: PlanAnswer,
      detail: {
        tags: ['Administration'],
        'x-errors': ['NOT_FOUND', 'FEATURE_NOT_CONFIGURED'],
        summary: 'Give a project a plan by hand',
        description:
          'After `until` the project has what it pays for, or FREE. A running subscription is cancelled at the end of its period. FREE ends a plan by hand.',
        operationId: 'setProjectPlan',
      },
    },
  )
