import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { CSV_RESPONSES, csvResponse } from '../../base/http/csv'
import { listAnswer, readCursor } from '../../base/http/list'
import { toScannedList } from '../../base/http/scan'
import { PAID_STATUSES, type PurchaseStatus, TROUBLED_STATUSES } from '../../core/purchase/status'
import { operator } from '../../projects/doors/operator'
import { allPages, auditExport, EXPORT_PAGE, NAME_COLUMNS, SUBSCRIPTION_COLUMNS, subscriptionCells } from './exports'
import { ListedPurchaseSchema, toListedPurchase } from './listed-wire'
import { IssueQuery, readRenewals, readWindow, SubscriptionExportQuery, SubscriptionQuery } from './operator-wire'
import { namedPage } from './person-ref'
import { listSubscriptions, type SubscriptionFilter } from './subscription-list'

const tags = ['Money']

/** The subscriptions of a project: lists and the export. */
export const subscriptionRoutes = (ctx: Context) => new Elysia().use(listRoutes(ctx)).use(exportRoutes(ctx))

const listRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/subscriptions',
      async ({ project, query }) => {
        const {
          limit = 50,
          cursor,
          status,
          store,
          productId,
          environment,
          from,
          to,
          renewsFrom,
          renewsTo,
          paid,
        } = query
        const own = [status, store, productId, environment, from, to, renewsFrom, renewsTo, ...(paid ? [paid] : [])]
        const scope = ['subscriptions', project.id, ...own]
        const filter = toFilter(query)
        const page = { after: readCursor(cursor, scope, 1), limit }
        const found = await namedPage(ctx, project.id, await listSubscriptions(ctx, project.id, filter, page))
        return { data: toScannedList(found, scope, toListedPurchase(project, ctx.clock.now())) }
      },
      {
        query: SubscriptionQuery,
        response: listAnswer(ListedPurchaseSchema),
        detail: {
          tags,
          summary: 'Subscriptions',
          description:
            'Newest first. from and to are about the time of their first record here, renewsFrom and renewsTo about the next renewal of those that will renew: the rows of the renewal calendar. A page can have fewer items than limit although nextCursor is given: a request reads a bounded number of rows.',
          operationId: 'listSubscriptions',
        },
      },
    )
    .get(
      '/subscriptions/billing-issues',
      async ({ project, query }) => {
        const { limit = 50, cursor, store, productId, environment, from, to } = query
        const scope = ['billing-issues', project.id, store, productId, environment, from, to]
        const filter = { ...query, statuses: TROUBLED_STATUSES, renews: null, ...readWindow(query) }
        const page = { after: readCursor(cursor, scope, 1), limit }
        const found = await namedPage(ctx, project.id, await listSubscriptions(ctx, project.id, filter, page))
        return { data: toScannedList(found, scope, toListedPurchase(project, ctx.clock.now())) }
      },
      {
        query: IssueQuery,
        response: listAnswer(ListedPurchaseSchema),
        detail: {
          tags,
          summary: 'Subscriptions whose renewal could not be charged',
          description: 'In their grace period or in billing retry, newest first.',
          operationId: 'listBillingIssues',
        },
      },
    )

const toFilter = (query: Static<typeof SubscriptionExportQuery>): SubscriptionFilter => ({
  ...query,
  statuses: statusesOf(query),
  isPaid: query.paid === 'true',
  renews: readRenewals(query),
  ...readWindow(query),
})

const statusesOf = ({ status, paid }: Static<typeof SubscriptionExportQuery>): readonly PurchaseStatus[] => {
  if (status !== undefined) return [status]
  return paid === 'true' ? PAID_STATUSES : []
}

const exportRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/subscriptions/export.csv',
    async ({ project, query, actor }) => {
      const filter = toFilter(query)
      const rates = await ctx.state.exchangeRates.current(ctx)
      await auditExport(ctx, project, actor, 'subscriptions', query)
      return csvResponse(
        { state: ctx.state, projectId: project.id },
        {
          fileName: 'subscriptions.csv',
          header: [...NAME_COLUMNS, ...SUBSCRIPTION_COLUMNS],
          pages: allPages(async (after) =>
            namedPage(ctx, project.id, await listSubscriptions(ctx, project.id, filter, { after, limit: EXPORT_PAGE })),
          ),
          toCells: (row) => subscriptionCells(project, row, { now: ctx.clock.now(), rates }),
        },
      )
    },
    {
      query: SubscriptionExportQuery,
      detail: {
        tags,
        summary: 'Subscriptions as CSV',
        description: 'Everything that the list has with these filters. It is noted in the audit log.',
        operationId: 'exportSubscriptions',
        responses: CSV_RESPONSES,
      },
    },
  )
