import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { integerAt, readCursor, toList } from '../../base/http/list'
import { toIso } from '../../base/lib/time'
import { type BillingCustomer, listCustomers } from '../../projects/billing/account-queries'
import { requireCloud } from '../../projects/billing/service'
import { monthOf } from '../../projects/usage/month'
import { readLimitedUse } from '../../projects/usage/service'
import { requireProvider } from './choose-provider'
import type { BilledInvoice } from './provider'
import { ofCustomer } from './replace-customer'

const toSummary = ({ id, number, total, currency, status, pdfUrl, createdAt }: BilledInvoice) => ({
  ...{ id, number, total, currency: currency.toUpperCase(), status, pdfUrl },
  createdAt: toIso(createdAt),
})

interface Page {
  limit: number
  cursor: string | undefined
}

/** Newest first, of every customer that paid for the project. */
export async function listInvoices(ctx: Context, projectId: string, { limit, cursor }: Page) {
  const provider = requireProvider(ctx, projectId)
  const scope = ['listInvoices', projectId]
  const position = readCursor(cursor, scope, 2)
  const last = position && { createdAt: integerAt(position, 0), id: String(position[1]) }
  const customers = await listCustomers(ctx, projectId)
  // One more than the page, and the last one of the page before.
  const read = (one: BillingCustomer) =>
    ofCustomer(provider, one, () => provider.listInvoices(one.id, last?.createdAt ?? null, limit + 2), [])
  const all = (await Promise.all(customers.map(read))).flat().sort(byPlace)
  const rest = last ? all.filter((one) => byPlace(last, one) < 0) : all
  return toList(rest, limit, scope, { positionOf: ({ createdAt, id }) => [createdAt, id], toItem: toSummary })
}

type Place = Pick<BilledInvoice, 'createdAt' | 'id'>

/** Newest first; those of one instant by their ids. */
const byPlace = (a: Place, b: Place): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** An invoice with what the project used in the month in which its period started. */
export async function getInvoice(ctx: Context, projectId: string, id: string) {
  requireCloud(ctx)
  const invoice = await requireProvider(ctx, projectId).findInvoice(id)
  const customers = await listCustomers(ctx, projectId)
  if (!invoice || !customers.some((customer) => customer.id === invoice.customerId)) throw notFound('invoice', id)
  const month = monthOf(Math.min(invoice.periodStart, ctx.clock.now()))
  const used = await readLimitedUse(ctx, projectId, month)
  return {
    ...toSummary(invoice),
    lines: invoice.lines,
    usage: Object.entries(used).map(([meter, count]) => ({ meter, used: count })),
    rowsUrl: `/dashboard/projects/${projectId}/usage?month=${month.name}`,
  }
}
