import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import type { ErrorCode } from '../../base/errors'
import { operator } from '../../projects/doors/operator'
import { setCancelled } from './cancel-plan'
import { readBilling } from './read-billing'
import { readDetails, saveDetails } from './save-details'
import { refresh, upgrade } from './service'
import {
  BillingAnswer,
  DetailsAnswer,
  DetailsSchema,
  NoBody,
  SavedDetailsAnswer,
  UpgradeAnswer,
  UpgradeBody,
} from './wire'

const tags = ['Billing']

export const PROVIDER_ERRORS: readonly ErrorCode[] = [
  'FEATURE_NOT_CONFIGURED',
  'STORE_UNAVAILABLE',
  'STORE_API_ERROR',
  'PAYMENT_PROVIDER_REJECTED',
]

/** The plan of a project, and what it costs. 503 where projects are not billed. */
export const planRoutes = (ctx: Context) =>
  new Elysia().use(stateRoute(ctx)).use(upgradeRoute(ctx)).use(cancelRoutes(ctx)).use(detailRoutes(ctx))

const stateRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/billing',
    async ({ project }) => ({ data: await readBilling(ctx, project.id) }),
    {
      response: BillingAnswer,
      detail: {
        ...{ tags, 'x-errors': ['FEATURE_NOT_CONFIGURED' as const], operationId: 'getBilling' },
        summary: 'The plan of the project and how it is paid',
      },
    },
  )

const upgradeRoute = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN', idempotency: { isSecret: true } }).post(
    '/billing/upgrade',
    async ({ project, actor, body }) => ({ data: await upgrade(ctx, { projectId: project.id, actor }, body) }),
    {
      body: UpgradeBody,
      response: UpgradeAnswer,
      detail: {
        ...{ tags, 'x-errors': [...PROVIDER_ERRORS, 'BILLING_ALREADY_ACTIVE', 'CONFLICT'], operationId: 'upgradePlan' },
        summary: 'Choose a paid plan',
        description:
          'A higher plan is charged in proportion at once. A lower one starts with the next period; choosing the present plan cancels that change. With an unpaid invoice the same plan pays it. The state changes when the provider tells that it was paid.',
      },
    },
  )

const cancelRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .post(
      '/billing/cancel',
      async ({ project, actor }) => ({ data: await setCancelled(ctx, { projectId: project.id, actor }, true) }),
      {
        body: NoBody,
        response: BillingAnswer,
        detail: {
          ...{ tags, 'x-errors': [...PROVIDER_ERRORS, 'BILLING_NOTHING_TO_CANCEL'], operationId: 'cancelPlan' },
          summary: 'End the plan with its period',
        },
      },
    )
    .post(
      '/billing/cancel/undo',
      async ({ project, actor }) => ({ data: await setCancelled(ctx, { projectId: project.id, actor }, false) }),
      {
        body: NoBody,
        response: BillingAnswer,
        detail: {
          ...{ tags, 'x-errors': [...PROVIDER_ERRORS, 'BILLING_NOTHING_TO_CANCEL'], operationId: 'undoCancelPlan' },
          summary: 'Keep a plan that was cancelled',
        },
      },
    )
    .post('/billing/refresh', async ({ project }) => ({ data: await refresh(ctx, project.id) }), {
      body: NoBody,
      response: BillingAnswer,
      detail: {
        ...{ tags, 'x-errors': PROVIDER_ERRORS, operationId: 'refreshBilling' },
        summary: 'Ask the provider for the state',
      },
    })

const detailRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .get('/billing/details', async ({ project }) => ({ data: { details: await readDetails(ctx, project.id) } }), {
      response: SavedDetailsAnswer,
      detail: {
        ...{ tags, 'x-errors': ['FEATURE_NOT_CONFIGURED' as const], operationId: 'getBillingDetails' },
        summary: 'Whom the invoices are for, as it was saved',
      },
    })
    .put(
      '/billing/details',
      async ({ project, actor, body: { name, address, taxId = null } }) => ({
        data: await saveDetails(ctx, { projectId: project.id, actor }, { name, address, taxId }),
      }),
      {
        body: DetailsSchema,
        response: DetailsAnswer,
        detail: {
          ...{ tags, 'x-errors': PROVIDER_ERRORS, operationId: 'setBillingDetails' },
          summary: 'Whom the invoices are for',
        },
      },
    )
