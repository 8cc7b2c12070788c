import type { Schemas } from '../../../api/schemas'
import { formatMoney, type Reading } from '../../../lib/format'

export type Billing = Schemas['Billing']
export type Plan = Schemas['Plan']
export type Tier = Billing['tier']
export type Card = Schemas['PaymentMethod']

/** The prefix of the billing routes of a project. */
export const BILLING = '/dashboard/projects/{projectId}/billing'
export const CARDS = '/dashboard/projects/{projectId}/billing/payment-methods'
export const INVOICES = '/dashboard/projects/{projectId}/billing/invoices'
export const DETAILS = '/dashboard/projects/{projectId}/billing/details'

/** The limits that another plan changes. */
export const CHANGED = [BILLING, '/dashboard/projects/{projectId}/usage'] as const

/** Names are the same in every language. */
export const TIERS: Readonly<Record<Tier, string>> = {
  ...{ FREE: 'Free', INDIE: 'Indie', STUDIO: 'Studio', ENTERPRISE: 'Enterprise' },
}

export type PricedPlan = Plan & { monthly: NonNullable<Plan['monthly']> }

/** The plans that can be chosen here: those with a price. */
export const pricedPlans = (plans: readonly Plan[]): PricedPlan[] =>
  plans.flatMap(({ monthly, ...plan }) => (monthly === null ? [] : [{ ...plan, monthly }]))

/** A subscription that has not ended and was not cancelled; a plan by hand renews and pauses never. */
export const canCancel = ({ state, renewsAt, cancelAt }: Billing): boolean =>
  cancelAt === null && (state === 'PAST_DUE' || state === 'PAUSED' || renewsAt !== null)

/** The plan that the dialog preselects: the unpaid one, the one to go back to, else another than the present one. */
export function firstChoice({ tier, state, pendingTier }: Billing, plans: readonly PricedPlan[]): Tier {
  const isPriced = plans.some((plan) => plan.tier === tier)
  if (isPriced && (state === 'PAST_DUE' || pendingTier !== null)) return tier
  return (plans.find((plan) => plan.tier !== tier) ?? plans[0])?.tier ?? tier
}

/** An amount in decimals of its currency, such as `29.00`. */
export const formatDecimal = (reading: Reading, amount: string, currency: string): string =>
  formatMoney(reading, Math.round(Number(amount) * 1_000_000), currency)

const BRANDS: Readonly<Record<string, string>> = {
  ...{ visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', discover: 'Discover', diners: 'Diners Club' },
  ...{ jcb: 'JCB', unionpay: 'UnionPay' },
}

export const cardName = ({ brand, last4 }: Pick<Card, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? brand} …${last4}`

export const cardExpiry = ({ expMonth, expYear }: Card): string => `${String(expMonth).padStart(2, '0')}/${expYear}`

/** The test cards of the built-in test store, by the provider's own names. */
export const TEST_CARDS = [
  ['pm_card_visa', 'pays'],
  ['pm_card_mastercard', 'pays'],
  ['pm_card_authenticationRequired', 'authenticate'],
  ['pm_card_visa_chargeDeclined', 'declined'],
  ['pm_card_chargeCustomerFail', 'fails'],
] as const

/** `2026-11`, of the address at which the rows of an invoice are read. */
export const monthIn = (rowsUrl: string): string =>
  new URLSearchParams(rowsUrl.slice(rowsUrl.indexOf('?'))).get('month') ?? ''
