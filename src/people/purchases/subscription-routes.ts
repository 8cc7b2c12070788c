import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { CSV_RESPONSES, csvResponse } from '../../base/http/csv'
import { listAnswer, readCursor } from '../../base/http/list'
import { toScannedList } from '../../base/http/scan'
import { operator } from '../../projects/doors/operator'
import { allPages, auditExport, EXPORT_PAGE, PRICE_COLUMNS, SUBSCRIPTION_COLUMNS, subscriptionCells } from './exports'
import type { PurchaseStatus } from './model'
import { IssueQuery, readRenewals, readWindow, SubscriptionExportQuery, SubscriptionQuery } from './operator-wire'
import type { PurchaseRow } from './queries'
import { statusAt } from './status'
import { listSubscriptions, type SubscriptionFilter } from './subscription-list'
import { PurchaseViewSchema, toPurchaseView } from './wire'

const tags = ['Money']
const ISSUES: readonly PurchaseStatus[] = ['GRACE_PERIOD', 'BILLING_RETRY']

/** The subscriptions of a project: lists and the export. */
export const subscriptionRoutes = (ctx: Context) => new Elysia().use(listRoutes(ctx)).use(exportRoutes(ctx))

const listRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/subscriptions',
      async ({ project, query }) => {
        const { limit = 50, cursor, status, store, productId, environment, from, to, renewsFrom, renewsTo } = query
        const own = [status, store, productId, environment, from, to, renewsFrom, renewsTo]
        const scope = ['subscriptions', project.id, ...own]
        const filter = toFilter(query)
        const page = { after: readCursor(cursor, scope, 1), limit }
        const found = await listSubscriptions(ctx, project.id, filter, page)
        const now = ctx.clock.now()
        const toItem = (row: PurchaseRow) => toPurchaseView(project, row, statusAt(row.fold, now))
        return { data: toScannedList(found, scope, toItem) }
      },
      {
        query: SubscriptionQuery,
        response: listAnswer(PurchaseViewSchema),
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
        const filter = { ...query, statuses: ISSUES, renews: null, ...readWindow(query) }
        const page = { after: readCursor(cursor, scope, 1), limit }
        const found = await listSubscriptions(ctx, project.id, filter, page)
        const now = ctx.clock.now()
        const toItem = (row: PurchaseRow) => toPurchaseView(project, row, statusAt(row.fold, now))
        return { data: toScannedList(found, scope, toItem) }
      },
      {
        query: IssueQuery,
        response: listAnswer(PurchaseViewSchema),
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
  statuses: query.status === undefined ? [] : [query.status],
  renews: readRenewals(query),
  ...readWindow(query),
})

const exportRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/subscriptions/export.csv',
    async ({ project, query, actor }) => {
      const filter = toFilter(query)
      await auditExport(ctx, project, actor, 'subscriptions', query)
      return csvResponse(
        { state: ctx.state, projectId: project.id },
        {
          fileName: 'subscriptions.csv',
          header: [...SUBSCRIPTION_COLUMNS, ...PRICE_COLUMNS],
          pages: allPages((after) => listSubscriptions(ctx, project.id, filter, { after, limit: EXPORT_PAGE })),
          toCells: (row) => subscriptionCells(project, row, ctx.clock.now()),
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
