import { toSoldItem } from './payment-money-objects'
import { getFrom, type PaymentWorld } from './payment-world'

/** A copy of an object in which the named members are expanded: `latest_invoice`, `charge.refunds`. */
export function expand(world: PaymentWorld, object: object, paths: readonly string[]): object {
  return paths.reduce((expanded, path) => expandOne(world, expanded, path.split('.')), structuredClone(object))
}

function expandOne(world: PaymentWorld, object: object, [name, ...rest]: readonly string[]): object {
  if (name === undefined) return object
  const held: unknown = Object.entries(object).find(([key]) => key === name)?.[1]
  if (Array.isArray(held))
    return { ...object, [name]: held.map((item) => expandOne(world, wholeOf(world, item), rest)) }
  const member = typeof held === 'string' ? named(world, held) : (included(world, object, name) ?? held)
  if (typeof member !== 'object' || member === null) return object
  return { ...object, [name]: expandOne(world, structuredClone(member), rest) }
}

/** A member of a list: an id becomes its object. */
const wholeOf = (world: PaymentWorld, item: object | string): object =>
  structuredClone(typeof item === 'string' ? (named(world, item) ?? {}) : item)

/** The object with this id. */
function named(world: PaymentWorld, id: string): object | undefined {
  const { invoices, charges, intents, setups, subscriptions, customers, prices, discounts } = world
  return [invoices, charges, intents, setups, subscriptions, customers, prices, discounts]
    .map((objects) => objects.get(id))
    .find((one) => one)
}

/** A member that the provider includes in an object only on request. */
function included(world: PaymentWorld, object: object, name: string): object | undefined {
  const id = 'id' in object ? object.id : null
  if (name === 'payments') return listOf([...world.invoicePayments.values()].filter(({ invoice }) => invoice === id))
  if (name === 'refunds') return listOf([...world.refunds.values()].filter(({ charge }) => charge === id).reverse())
  if (name !== 'line_items' || typeof id !== 'string') return undefined
  const { priceId, others = [] } = getFrom(world.orders, id)
  const names = [`li_${id}`, ...others.map((_, index) => `li_${id}_${index + 2}`)]
  return listOf([priceId, ...others].map((one, index) => toSoldItem(names[index] ?? '', getFrom(world.prices, one))))
}

const listOf = (data: object[]): object => ({ object: 'list', data, has_more: false, url: '/v1' })
