import { unitsOf } from '../../../core/money/money'
import { withoutNulls } from '../json-request'
import type { MappingInput } from '../provider'

/** The name of a custom event: that of the connection's mapping, or ours. */
export const eventName = ({ event, mappedName }: MappingInput<unknown>): string =>
  mappedName ?? `svc_${event.type.replaceAll('.', '_')}`

/** Whether the event can have changed what the subscriber may use; only then the attribute is sent again. */
export const changesAccess = (type: string): boolean => /^(purchase|entitlement|subscriber)\./.test(type)

const MOST_CHARACTERS = 255

/** Flat properties of an event: the product, the money in USD and in the currency of the purchase, and its data. */
export const propertiesOf = ({ event, money }: MappingInput<unknown>): Record<string, string | number | boolean> => {
  const sign = event.type === 'purchase.refunded' ? -1 : 1
  return {
    ...scalarsOf(event.data),
    ...withoutNulls({
      event_id: event.id,
      environment: event.environment,
      store: event.store,
      platform: event.platform,
      product_id: event.productId,
      quantity: event.productId === null ? null : event.quantity,
      transaction_id: event.transactionId,
      revenue_usd: money && money.usdMicros !== null ? sign * unitsOf(money.usdMicros) : null,
      price: money && sign * unitsOf(money.amountMicros),
      currency: money?.currency,
    }),
  }
}

function scalarsOf(data: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  const scalars: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'string') scalars[name] = value.slice(0, MOST_CHARACTERS)
    else if (typeof value === 'number' || typeof value === 'boolean') scalars[name] = value
  }
  return scalars
}
