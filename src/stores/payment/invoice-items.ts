import type { Invoice, InvoiceItem, InvoiceLine } from './shapes'

/** The id of the subscription's item that an invoice item is about, by the id of the invoice item. */
export type ItemNames = ReadonlyMap<string, string>

/** An invoice item made by hand names no item of a subscription, and is not in it. */
export const readItemNames = (invoiceItems: readonly InvoiceItem[]): ItemNames =>
  new Map(
    invoiceItems.flatMap(({ id, parent }) => {
      const item = parent?.subscription_details?.subscription_item
      return item === undefined ? [] : [[id, item]]
    }),
  )

/**
 * The item that the provider names for a line: in the line itself or, for a proration in the classic billing mode, in its
 * invoice item (`parent.subscription_details` of https://docs.stripe.com/api/invoiceitems/object). Undefined when it names
 * none.
 */
export const namedItem = ({ parent }: InvoiceLine, names: ItemNames): string | undefined =>
  parent?.subscription_item_details?.subscription_item ?? names.get(parent?.invoice_item_details?.invoice_item ?? '')

/** Whether a paid invoice has prorations that do not name their item. */
export const hasUnnamedProrations = ({ status, lines }: Invoice): boolean =>
  status === 'paid' && lines.data.some(({ parent }) => parent?.invoice_item_details?.proration === true)
