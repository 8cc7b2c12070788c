import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { listCustomers } from '../../projects/billing/account-queries'
import { requireCloud } from '../../projects/billing/service'
import { monthOf } from '../../projects/usage/month'
import { readLimitedUse } from '../../projects/usage/service'
import { requireProvider } from './choose-provider'
import type { BilledInvoice } from './provider'

const toSummary = ({ id, number, total, currency, status, pdfUrl, createdAt }: BilledInvoice) => ({
  ...{ id, number, total, currency: currency.toUpperCase(), status, pdfUrl },
  createdAt: toIso(createdAt),
})

/** Newest first, of every customer that paid for the project. */
export async function listInvoices(ctx: Context, projectId: string) {
  const provider = requireProvider(ctx, projectId)
  const customers = await listCustomers(ctx, projectId)
  const all = await Promise.all(customers.map(({ id }) => provider.listInvoices(id)))
  return all
    .flat()
    .sort((a, b) => b.createdAt - a.createdAt)
    .map(toSummary)
}

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
