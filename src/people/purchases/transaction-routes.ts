import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { CSV_RESPONSES, csvResponse } from '../../base/http/csv'
import { listAnswer, readCursor } from '../../base/http/list'
import { toScannedList } from '../../base/http/scan'
import { DAY, HOUR } from '../../base/lib/clock'
import { localDays } from '../../base/lib/local-days'
import { operator } from '../../projects/doors/operator'
import { allPages, auditExport, EXPORT_PAGE, NAME_COLUMNS, TRANSACTION_COLUMNS, transactionCells } from './exports'
import { lineScope, storeBreakdown, transactionVolume } from './figures'
import { ListedTransactionSchema, toListedTransaction } from './listed-wire'
import {
  BreakdownAnswer,
  readWindow,
  SeriesQuery,
  TransactionExportQuery,
  TransactionQuery,
  toLineFilter,
  VolumeAnswer,
} from './operator-wire'
import { namedPage } from './person-ref'
import { listTransactionsPage } from './transaction-list'

const tags = ['Money']

/** The transactions of a project: the list, sums and the export. */
export const transactionRoutes = (ctx: Context) =>
  new Elysia().use(listRoutes(ctx)).use(sumRoutes(ctx)).use(exportRoutes(ctx))

const listRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/transactions',
    async ({ project, query }) => {
      const {
        limit = 50,
        cursor,
        kind,
        store,
        productId,
        environment,
        from,
        to,
        subscriberId,
        purchaseId,
        listed,
      } = query
      const own = [kind, store, productId, environment, from, to, subscriberId, purchaseId, listed]
      const scope = ['transactions', project.id, ...own]
      const filter = { ...query, lines: toLineFilter(query, readWindow(query)) }
      const page = { after: readCursor(cursor, scope, 2), limit }
      const found = await namedPage(ctx, project.id, await listTransactionsPage(ctx, project.id, filter, page))
      return { data: toScannedList(found, scope, toListedTransaction(project)) }
    },
    {
      query: TransactionQuery,
      response: listAnswer(ListedTransactionSchema),
      detail: {
        tags,
        summary: 'Transactions',
        description:
          'Newest first, unlisted sales included; listed=true leaves them out. A page can have fewer items than limit although nextCursor is given: a request reads a bounded number of rows.',
        operationId: 'listTransactions',
      },
    },
  )

const sumRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/transactions/volume',
      async ({ project, query }) => {
        const { from, to } = seriesWindow(ctx.clock.now(), project, query)
        const { timezone } = project
        const scope = { timezone, ...lineScope(project, query) }
        return { data: { currency: 'USD', days: await transactionVolume(ctx, scope, from, to) } }
      },
      {
        query: SeriesQuery,
        response: VolumeAnswer,
        detail: {
          tags,
          summary: 'Transactions by day',
          description:
            "By days of the project's time zone. The last 30 days unless from and to are given, at most 366. Amounts are those known in dollars.",
          operationId: 'getTransactionVolume',
        },
      },
    )
    .get(
      '/transactions/store-breakdown',
      async ({ project, query }) => {
        const { from, to } = seriesWindow(ctx.clock.now(), project, query)
        const scope = lineScope(project, query)
        return { data: { currency: 'USD', stores: await storeBreakdown(ctx, scope, from, to) } }
      },
      {
        query: SeriesQuery,
        response: BreakdownAnswer,
        detail: {
          tags,
          summary: 'Transactions by store',
          description:
            'The last 30 days unless from and to are given, at most 366. Amounts are those known in dollars.',
          operationId: 'getStoreBreakdown',
        },
      },
    )

const exportRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/transactions/export.csv',
    async ({ project, query, actor }) => {
      const filter = { ...query, lines: toLineFilter(query, readWindow(query)) }
      await auditExport(ctx, project, actor, 'transactions', query)
      return csvResponse(
        { state: ctx.state, projectId: project.id },
        {
          fileName: 'transactions.csv',
          header: [...NAME_COLUMNS, ...TRANSACTION_COLUMNS],
          pages: allPages(async (after) =>
            namedPage(
              ctx,
              project.id,
              await listTransactionsPage(ctx, project.id, filter, { after, limit: EXPORT_PAGE }),
            ),
          ),
          toCells: (row) => transactionCells(project, row),
        },
      )
    },
    {
      query: TransactionExportQuery,
      detail: {
        tags,
        summary: 'Transactions as CSV',
        description: 'Everything that the list has with these filters. It is noted in the audit log.',
        operationId: 'exportTransactions',
        responses: CSV_RESPONSES,
      },
    },
  )

const MOST_DAYS = 366

/** Whole days of the project, so that callers who ask during one day share what was computed. */
function seriesWindow(
  now: number,
  { timezone }: { timezone: string },
  query: { from?: string | undefined; to?: string | undefined },
) {
  const given = readWindow(query)
  const { dayOf, startOf } = localDays(timezone)
  const to = given.to ?? startOf(dayOf(now) + 1)
  const from = given.from ?? startOf(dayOf(to - 1) - 29)
  if (to < from) throw invalid('to: lies before from')
  // The clocks may have been put back meanwhile.
  if (to - from > MOST_DAYS * DAY + HOUR) throw invalid(`from: at most ${MOST_DAYS} days before to`)
  return { from: Math.max(0, from), to }
}
