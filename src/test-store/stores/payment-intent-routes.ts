import { type Answer, type Form, textAt, textsAt } from './payment-form'
import { cancelIntent, expireSale, openPayment, openSubscription } from './payment-intents'
import type { PaymentWorld } from './payment-world'

// The routes with which a seller's own page collects a payment.

const MISSING: Answer = { status: 404, type: 'invalid_request_error', code: 'resource_missing' }
const badRequest = (code: string): Answer => ({ status: 400, type: 'invalid_request_error', code })

export function createSubscription(world: PaymentWorld, form: Form): Answer {
  const customer = textAt(form, 'customer') ?? ''
  const priceId = textAt(form, 'items', '0', 'price') ?? ''
  if (!world.customers.has(customer) || !world.prices.get(priceId)?.recurring) return badRequest('resource_missing')
  if (textAt(form, 'payment_behavior') !== 'default_incomplete') return badRequest('resource_missing')
  const code = textAt(form, 'discounts', '0', 'promotion_code')
  const promotion = code === null ? null : world.promotionCodes.get(code)
  if (promotion === undefined || promotion?.active === false) return badRequest('promotion_code_invalid')
  const subscription = openSubscription(world, {
    ...{ customer, priceId, metadata: textsAt(form, 'metadata') },
    trialDays: Number(textAt(form, 'trial_period_days') ?? 0),
    percentOff: promotion?.percent_off ?? 0,
  })
  return { object: subscription }
}

export function endSubscription(world: PaymentWorld, _form: Form, id: string): Answer {
  const subscription = world.subscriptions.get(id)
  if (!subscription) return MISSING
  if (['canceled', 'incomplete_expired'].includes(subscription.status)) return MISSING
  expireSale(world, subscription)
  return { object: subscription }
}

export function createIntent(world: PaymentWorld, form: Form): Answer {
  const customer = textAt(form, 'customer') ?? ''
  const amount = Number(textAt(form, 'amount') ?? Number.NaN)
  if (!world.customers.has(customer)) return badRequest('resource_missing')
  if (!Number.isInteger(amount) || amount < 50) return badRequest('amount_too_small')
  const currency = textAt(form, 'currency') ?? 'usd'
  return { object: openPayment(world, { amount, currency, customer, metadata: textsAt(form, 'metadata') }) }
}

export function cancelPayment(world: PaymentWorld, _form: Form, id: string): Answer {
  const intent = world.intents.get(id)
  if (!intent) return MISSING
  if (['succeeded', 'canceled', 'processing'].includes(intent.status))
    return badRequest('payment_intent_unexpected_state')
  cancelIntent(intent)
  return { object: intent }
}

export const listCodes = (world: PaymentWorld, form: Form): Answer => {
  const code = textAt(form, 'code')
  const data = [...world.promotionCodes.values()]
    .filter((one) => one.code === code && one.active)
    .map(({ percent_off, products, ...one }) => {
      const coupon = { id: `co_${one.id}`, object: 'coupon', percent_off, amount_off: null }
      const promotion = { type: 'coupon', coupon: { ...coupon, ...(products && { applies_to: { products } }) } }
      return { ...one, promotion }
    })
  return { object: { object: 'list', data, has_more: false, url: '/v1' } }
}
