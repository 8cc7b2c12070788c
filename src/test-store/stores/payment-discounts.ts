import type Stripe from 'stripe'
import { getFrom, type PaymentWorld } from './payment-world'

/** Takes a percentage off one item, for ever. */
export function discountItem(world: PaymentWorld, id: string, itemId: string, percent_off: number): void {
  const subscription = getFrom(world.subscriptions, id)
  const discount = toDiscount({ id: world.nextId('di'), start: world.now, subscription: id, itemId, percent_off })
  world.discounts.set(discount.id, discount)
  const items = subscription.items.data.filter((item) => item.id === itemId)
  for (const item of items) item.discounts = [discount.id]
  world.emit('customer.subscription.updated', subscription)
}

type DiscountMembers = Pick<Stripe.Discount, 'id' | 'start' | 'subscription'> & {
  itemId: string
  percent_off: number
}

/** A discount of one item, which applies for ever. */
const toDiscount = ({ itemId, percent_off, ...members }: DiscountMembers) =>
  ({
    ...members,
    object: 'discount',
    checkout_session: null,
    customer: null,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { type: 'coupon', coupon: toCoupon(`co_${members.id}`, members.start, percent_off) },
    subscription_item: itemId,
  }) satisfies Stripe.Discount

const toCoupon = (id: string, created: number, percent_off: number) =>
  ({
    ...{ id, created, percent_off },
    object: 'coupon',
    amount_off: null,
    currency: null,
    duration: 'forever',
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: null,
    name: null,
    redeem_by: null,
    times_redeemed: 1,
    valid: true,
  }) satisfies Stripe.Coupon
