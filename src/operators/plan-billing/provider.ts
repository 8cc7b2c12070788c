import type { Tier } from '../../base/config-cloud'
import type { Money } from '../../base/lib/money'
import type { BillingDetails } from '../../projects/billing/details'
import type { SubscriptionReport } from '../../projects/billing/life'

export interface Card {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

export interface BilledInvoice {
  id: string
  customerId: string
  /** Null while it is a draft. */
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  /** In decimals of the currency: `29.00`. */
  total: string
  currency: string
  pdfUrl: string | null
  createdAt: number
  periodStart: number
  lines: { text: string; quantity: number; amount: string }[]
}

/** What the buyer's browser still has to do: authenticate a payment, or give a card. */
export interface Confirmation {
  clientSecret: string | null
  kind: 'payment' | 'setup' | null
}

export const NOTHING_TO_CONFIRM: Confirmation = { clientSecret: null, kind: null }

export interface Owner {
  projectId: string
  ownerId: string
  details: BillingDetails | null
  /** The customer of this owner that was deleted at the provider; null for the first one. */
  replaces: string | null
}

/** `DELETED`: it was, and all its subscriptions ended with it. `UNKNOWN`: this account never had it. */
export type CustomerState = 'PRESENT' | 'DELETED' | 'UNKNOWN'

export interface NewSubscription {
  customerId: string
  tier: Tier
  cardId: string | null
  /** From then on it is charged; null = at once. */
  startsAt: number | null
  /** The same key never makes a second subscription. */
  key: string
}

export interface PlanSwitch {
  subscriptionId: string
  tier: Tier
  /**
   * `NOW`: charged in proportion at once, and in force when that is paid. `NEXT`: from the next period on. `BACK`: a
   * change for the next period is called off.
   */
  when: 'NOW' | 'NEXT' | 'BACK'
  /** What the running period was paid for. */
  paidTier: Tier
  cardId: string | null
}

/**
 * The account at the payment provider that charges projects for their plans. Calls throw 503 `STORE_UNAVAILABLE` when
 * the provider does not answer, and 422 `PAYMENT_PROVIDER_REJECTED` when it refuses.
 */
export interface BillingProvider {
  createCustomer(owner: Owner): Promise<string>
  stateOfCustomer(customerId: string): Promise<CustomerState>
  changeCustomer(customerId: string, details: BillingDetails): Promise<void>
  /** The secret with which the browser saves a card. */
  setUpCard(customerId: string): Promise<string>
  /** None of a customer that is not present. */
  listCards(customerId: string): Promise<{ cards: Card[]; defaultId: string | null }>
  setDefaultCard(customerId: string, cardId: string): Promise<void>
  removeCard(cardId: string): Promise<void>
  listSubscriptions(customerId: string): Promise<SubscriptionReport[]>
  subscribe(wanted: NewSubscription): Promise<Confirmation>
  switchPlan(wanted: PlanSwitch): Promise<Confirmation>
  /** What a change `NOW` would charge at once. */
  previewSwitch(wanted: Pick<PlanSwitch, 'subscriptionId' | 'tier'>): Promise<Money>
  /** Pays what is open of a subscription. */
  payOpen(subscriptionId: string, cardId: string | null): Promise<Confirmation>
  /** The subscription afterwards; null for one that is to no plan. */
  setCancelled(subscriptionId: string, isCancelled: boolean): Promise<SubscriptionReport | null>
  /** Nothing happens to one that has ended, or that the provider does not know. */
  endNow(subscriptionId: string): Promise<void>
  /**
   * Newest first, those made at `until` or before. At least `most`, and all of the instant of the last one, unless there
   * are fewer.
   */
  listInvoices(customerId: string, until: number | null, most: number): Promise<BilledInvoice[]>
  /** Whether an invoice is a draft or open. */
  hasUnpaidInvoice(customerId: string): Promise<boolean>
  findInvoice(id: string): Promise<BilledInvoice | null>
}
