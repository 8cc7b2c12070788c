import type { CheckoutView, ReducedPrice } from '../../core/funnel/render/checkout'
import { checkoutWords } from '../../core/funnel/render/checkout-words'
import { blocksOf } from '../../core/funnel/walk'
import { PROVIDER_SCRIPT } from '../../stores/payment/browser-script'
import { toSmallestUnit } from '../../stores/payment/currency'
import type { DrawnPage } from '../sessions/service'
import { PAY_SCRIPT_PATH } from './script'

export { PROVIDER_SOURCES } from '../../stores/payment/browser-script'

/** What the script of the page needs to collect the payment; null at the test store. */
export function scriptOf(
  { offer: { payment, prices }, page, locale }: DrawnPage,
  hasEmail: boolean,
  reductions: readonly ReducedPrice[],
): CheckoutView['script'] {
  if (payment?.provider !== 'stripe') return null
  const costs = prices.map(({ packageIdentifier, dueNow: full, interval }) => {
    const dueNow = reductions.find((one) => one.packageIdentifier === packageIdentifier)?.dueNow ?? full
    const mode = interval === null ? 'payment' : 'subscription'
    const cost = { mode, due: toSmallestUnit(dueNow), currency: dueNow.currency.toLowerCase() }
    return [packageIdentifier, cost] as const
  })
  const block = blocksOf(page, '').find(([{ type }]) => type === 'checkout')?.[0]
  const settings = {
    key: payment.publishableKey,
    account: payment.accountId ?? '',
    prices: JSON.stringify(Object.fromEntries(costs)),
    words: JSON.stringify(checkoutWords(locale).notices),
    layout: block?.type === 'checkout' ? block.props.layout : 'express_first',
    wallet: hasEmail ? 'without_email' : 'with_email',
  }
  return { sources: [PROVIDER_SCRIPT, PAY_SCRIPT_PATH], settings }
}
