import { divide } from '../../base/lib/divide'
import type { PeriodPrice, PriceAfter } from '../observation'
import { fromSmallestUnit } from './currency'
import { timesDecimal } from './decimal'
import { type Discount, type Item, idOf, type Price, type Subscription, toInstant } from './shapes'

/** What an item costs for each period, and the price after it where it is known to differ. */
export interface ItemPrice {
  recurring: PeriodPrice | null
  priceAfter: PriceAfter | null
}

const UNKNOWN: ItemPrice = { recurring: null, priceAfter: null }

/**
 * The price of an item: its unit amount times its quantity, less the discounts that apply for ever or are still repeating,
 * first its own and then those of the subscription. A subscription's discount of an amount is divided in proportion to the
 * items. Metered items cost 0 before they are used. A fraction of the smallest unit is rounded after it was multiplied.
 * Null where the provider does not say.
 *
 * @param next the price of the item in the next phase of the subscription's schedule @param now the instant of the fetch
 */
export function itemPrice(subscription: Subscription, item: Item, next: Price | null, now: number): ItemPrice {
  const { price, current_period_end } = item
  const index = subscription.items.data.indexOf(item)
  const present = amountsAt(subscription, now)[index] ?? null
  const period = periodOf(price)
  const currency = price.currency
  if (present === null || period === null || currency === undefined) return UNKNOWN
  const money = fromSmallestUnit(present, currency)
  if (!money) return UNKNOWN
  const from = toInstant(current_period_end)
  const later = next ? amountOf(next, item.quantity ?? 1) : null
  if (next && later !== null) {
    const after = fromSmallestUnit(later, next.currency ?? currency)
    return { recurring: { price: money, period }, priceAfter: after && { price: after, from } }
  }
  const discounts = [...lastingOf(item), ...lastingOf(subscription)]
  const ends = discounts.flatMap(({ end }) => (end === null || toInstant(end) <= now ? [] : [end]))
  const end = ends.length === 0 ? null : Math.min(...ends)
  const full = end === null ? null : (amountsAt(subscription, toInstant(end))[index] ?? null)
  const after = full === null || full === present ? null : fromSmallestUnit(full, currency)
  return {
    recurring: { price: money, period },
    priceAfter: after && end !== null ? { price: after, from: Math.max(from, toInstant(end)) } : null,
  }
}

/** The amounts of all items, in the smallest unit, less the discounts that are in force at an instant. */
function amountsAt(subscription: Subscription, at: number): readonly (number | null)[] {
  const items = subscription.items.data
  return less(
    items.map((item) => less([amountOf(item.price, item.quantity ?? 1)], [item], item, at)[0] ?? null),
    items,
    subscription,
    at,
  )
}

/** Amounts of items, less the discounts of one of them or of their subscription. */
const less = (
  amounts: readonly (number | null)[],
  items: readonly Item[],
  of: Discounted,
  at: number,
): readonly (number | null)[] =>
  lastingOf(of)
    .filter(({ end }) => end === null || toInstant(end) > at)
    .reduce((left, discount) => discounted(left, items, discount), amounts)

type Discounted = Pick<Subscription, 'discounts'>

/** The discounts that last: one that applies once concerns one invoice and no price. */
const lastingOf = ({ discounts = [] }: Discounted): Lasting[] =>
  discounts.flatMap((discount): Lasting[] => {
    if (typeof discount === 'string') return []
    const { coupon } = discount.source
    return coupon === null || typeof coupon === 'string' || coupon.duration === 'once' ? [] : [{ ...discount, coupon }]
  })

type Lasting = Pick<Discount, 'end'> & { coupon: Exclude<Discount['source']['coupon'], string | null> }

function discounted(
  amounts: readonly (number | null)[],
  items: readonly Item[],
  { coupon }: Lasting,
): (number | null)[] {
  const { percent_off, amount_off } = coupon
  const sold = coupon.applies_to?.products ?? null
  const isConcerned = (index: number): boolean => sold === null || sold.includes(productOf(items[index]))
  const weights = amounts.map((amount, index) => (isConcerned(index) ? (amount ?? 0) : 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return [...amounts]
  const off = percent_off === null ? Math.min(amount_off ?? 0, total) : null
  const shares =
    off === null ? weights.map((weight) => Math.round((weight * (percent_off ?? 0)) / 100)) : divide(off, weights)
  return amounts.map((amount, index) => amount && amount - (shares[index] ?? 0))
}

const productOf = (item: Item | undefined): string =>
  item?.price.product === undefined ? '' : idOf(item.price.product)

/** What a quantity costs for one period, in the smallest unit; null when the price does not say. */
function amountOf(price: Price, quantity: number): number | null {
  const { tiers, tiers_mode, recurring } = price
  if (recurring?.usage_type === 'metered') return 0
  if (tiers !== undefined && tiers.length > 0) return tieredAmount(tiers, tiers_mode ?? 'volume', quantity)
  return unitsAmount(price, quantity)
}

const unitsAmount = (
  { unit_amount, unit_amount_decimal }: Pick<Price, 'unit_amount' | 'unit_amount_decimal'>,
  units: number,
): number | null =>
  unit_amount === undefined || unit_amount === null ? timesDecimal(unit_amount_decimal, units) : unit_amount * units

type Tiers = NonNullable<Price['tiers']>

/** `volume`: the tier of the quantity is the price of all units. `graduated`: each tier is the price of its own units. */
function tieredAmount(tiers: Tiers, mode: string, quantity: number): number {
  let [from, sum] = [0, 0]
  for (const tier of tiers) {
    const { up_to, flat_amount, flat_amount_decimal } = tier
    const isLast = up_to === null || quantity <= up_to
    const units = mode === 'volume' ? quantity : Math.min(quantity, up_to ?? quantity) - from
    const flat = flat_amount ?? timesDecimal(flat_amount_decimal, 1) ?? 0
    const amount = (unitsAmount(tier, units) ?? 0) + flat
    if (mode === 'volume' && isLast) return amount
    if (mode !== 'volume') sum += amount
    if (isLast) return sum
    from = up_to
  }
  return sum
}

const UNITS: Record<string, string> = { day: 'D', week: 'W', month: 'M', year: 'Y' }

/** The period of a price as ISO 8601: three times a month is `P3M`. */
function periodOf({ recurring }: Price): string | null {
  const unit = UNITS[recurring?.interval ?? '']
  return unit === undefined ? null : `P${recurring?.interval_count ?? 1}${unit}`
}
