import { DAY, HOUR } from '../../../base/lib/clock'
import { type DecodedTransaction, decodeTransaction, type TransactionPayload } from '../../../stores/ios/decode'
import { decodeNotification } from '../../../stores/ios/notification-decode'
import type { RenewalPayload } from '../../../stores/ios/renewal'
import { type SimulatedProduct, simulatedPurchase, simulatedRenewal } from '../../../test-store/stores/ios'
import {
  type NotificationKind,
  type SimulatedNotification,
  simulatedEnvelope,
  simulatedParts,
} from '../../../test-store/stores/notification'

/** A signed message of the store: a receipt for a device, or a notification for us. */
export type IosFact =
  | { kind: 'RECEIPT'; at: number; payload: TransactionPayload }
  | { kind: 'NOTIFICATION'; at: number; order: SimulatedNotification }

/** The products of the store; store ids and prices are those of the cast in `test/support`. */
export const IOS_SHOP = {
  monthly: {
    productId: 'com.x.pro.monthly',
    type: 'Auto-Renewable Subscription',
    period: 'P1M',
    price: 9990,
    currency: 'USD',
    trialPeriod: 'P1W',
  },
  yearly: {
    productId: 'com.x.pro.yearly',
    type: 'Auto-Renewable Subscription',
    period: 'P1Y',
    price: 79990,
    currency: 'USD',
    trialPeriod: 'P2W',
  },
  /** The same year with a commitment: it is charged each month. */
  committed: {
    productId: 'com.x.pro.yearly',
    type: 'Auto-Renewable Subscription',
    period: 'P1M',
    price: 7490,
    currency: 'USD',
    billingPlanType: 'MONTHLY',
  },
  coins: { productId: 'com.x.coins.100', type: 'Consumable', period: null, price: 990, currency: 'USD' },
  lifetime: { productId: 'com.x.lifetime', type: 'Non-Consumable', period: null, price: 199990, currency: 'USD' },
  pass: { productId: 'com.x.pass', type: 'Non-Renewing Subscription', period: 'P1M', price: 4990, currency: 'USD' },
} as const satisfies Record<string, SimulatedProduct>

export const BUNDLE_ID = 'com.example.sleep'

/** One transaction with the data of the store, and its role for the customer. */
export interface IosSale {
  payload: TransactionPayload
  /** First purchase; charge by the store; purchase after the end; or change of product while the chain ran. */
  how: 'FIRST' | 'RENEWAL' | 'AGAIN' | 'CHANGE'
  /** Thousandths of a percent of the price that are refunded now; null = not refunded. */
  returned: number | null
  isRevoked: boolean
  /** Every id that the store ever gave it: a restore makes a copy with an id of its own. */
  ids: string[]
}

/** A subscription with the data of the store. */
export interface IosChain {
  sales: IosSale[]
  autoRenews: boolean
  nextProductId: string | null
  trouble: 'NONE' | 'GRACE' | 'RETRY'
  graceUntil: number | null
  consent: 0 | 1 | null
  /** The store reported its end. */
  isOver: boolean
  raisedBy: number
}

/** The App Store for one customer: the purchases, and everything signed so far in the order of signing. */
export class IosWorld {
  readonly facts: IosFact[] = []
  readonly chains: IosChain[] = []
  readonly items: IosSale[] = []
  #count = 0

  /** `name` is decimal, the beginning of each transaction id. Equal steps give equal worlds except for the name. */
  constructor(
    public now: number,
    readonly name = '29',
    /** Whether it sells subscriptions that never renew. */
    readonly hasPasses = false,
  ) {}

  nextId(): string {
    this.#count += 1
    return `${this.name}${String(this.#count).padStart(3, '0')}`
  }

  /** The device gets a newly signed transaction and sends it to us. */
  show(sale: IosSale): void {
    this.#sign(sale)
    this.facts.push({ kind: 'RECEIPT', at: this.now, payload: sale.payload })
  }

  notify(kind: NotificationKind, sale: IosSale, renewal: Partial<RenewalPayload> | null = null): void {
    this.#sign(sale)
    const notificationId = `note-${this.nextId()}`
    const { payload: transaction } = sale
    const order = { kind, notificationId, now: this.now, bundleId: BUNDLE_ID, transaction, renewal }
    this.facts.push({ kind: 'NOTIFICATION', at: this.now, order })
  }

  /** Signs a transaction again. Later changes are signed later, even within the same millisecond (`laterThan`). */
  #sign(sale: IosSale): void {
    sale.payload = { ...sale.payload, signedDate: Math.max(sale.payload.signedDate, this.now) }
  }

  /** Like `notify`, with the store's renewal information of the chain. */
  notifyOf(kind: NotificationKind, chain: IosChain, sale: IosSale = currentOf(chain)): void {
    this.notify(kind, sale, renewalOf(chain, this.now, kind))
  }
}

export const currentOf = ({ sales }: IosChain): IosSale => {
  const current = sales.at(-1)
  if (!current) throw new Error('A chain begins with a sale')
  return current
}

export const endOf = ({ payload }: IosSale): number => payload.expiresDate ?? Number.POSITIVE_INFINITY

function renewalOf(chain: IosChain, now: number, [type]: NotificationKind): Partial<RenewalPayload> {
  const { payload } = currentOf(chain)
  const { graceUntil, consent } = chain
  const isFailing = chain.trouble !== 'NONE'
  return {
    productId: payload.productId,
    autoRenewProductId: chain.nextProductId ?? payload.productId,
    autoRenewStatus: chain.autoRenews ? 1 : 0,
    isInBillingRetryPeriod: isFailing && (type !== 'EXPIRED' || !chain.isOver),
    renewalDate: payload.expiresDate ?? now,
    ...(isShared(chain) ? {} : { renewalPrice: nextPriceOf(chain), currency: 'USD' }),
    ...(chain.trouble === 'GRACE' && graceUntil !== null ? { gracePeriodExpiresDate: graceUntil } : {}),
    ...(consent === null ? {} : { priceIncreaseStatus: consent }),
  }
}

/** What the next period costs, in thousandths: the price of its product, and the raise that the customer accepted. */
export function nextPriceOf(chain: IosChain): number {
  const { price } = nextProductOf(chain)
  return price + chain.raisedBy + (chain.consent === null ? 0 : 1000)
}

/** What the next period sells. A commitment continues until the customer changes the product. */
export function nextProductOf(chain: IosChain): SimulatedProduct {
  const { payload } = currentOf(chain)
  if ((chain.nextProductId ?? payload.productId) !== IOS_SHOP.yearly.productId) return IOS_SHOP.monthly
  return isCommitted(payload) ? IOS_SHOP.committed : IOS_SHOP.yearly
}

export const isCommitted = ({ billingPlanType }: TransactionPayload): boolean => billingPlanType === 'MONTHLY'

interface Opening {
  product: SimulatedProduct
  withTrial?: boolean
  ownershipType?: 'PURCHASED' | 'FAMILY_SHARED'
}

export function openChain(world: IosWorld, { product, withTrial = false, ownershipType = 'PURCHASED' }: Opening) {
  const order = { bundleId: BUNDLE_ID, product, transactionId: world.nextId(), now: world.now }
  const payload = simulatedPurchase({ ...order, withTrial, ownershipType })
  const chain: IosChain = { sales: [toSale(payload, 'FIRST')], ...CALM, raisedBy: 0 }
  world.chains.push(chain)
  return chain
}

const CALM = {
  autoRenews: true,
  nextProductId: null,
  trouble: 'NONE',
  graceUntil: null,
  consent: null,
  isOver: false,
} as const

const toSale = (payload: TransactionPayload, how: IosSale['how']): IosSale => ({
  payload,
  how,
  returned: null,
  isRevoked: false,
  ids: [payload.transactionId],
})

/** The customer buys again, or changes to another product at once. */
export function buyInChain(
  world: IosWorld,
  chain: IosChain,
  product: SimulatedProduct,
  how: 'AGAIN' | 'CHANGE',
): IosSale {
  const [first] = chain.sales
  const sold = raised(product, chain)
  const order = { bundleId: BUNDLE_ID, product: sold, transactionId: world.nextId(), now: world.now }
  const ownershipType = isShared(chain) ? ('FAMILY_SHARED' as const) : ('PURCHASED' as const)
  const sale = toSale(simulatedPurchase({ ...order, ownershipType, ...(first && { previous: first.payload }) }), how)
  chain.sales.push(sale)
  Object.assign(chain, CALM)
  return sale
}

/** The store charges the next period; a billing problem ends. */
export function renewChain(world: IosWorld, chain: IosChain, product: SimulatedProduct): IosSale {
  const { payload } = currentOf(chain)
  const order = { product: raised(product, chain), transactionId: world.nextId(), now: world.now }
  const sale = toSale(simulatedRenewal(payload, order), 'RENEWAL')
  chain.sales.push(sale)
  Object.assign(chain, CALM)
  return sale
}

export const isShared = ({ sales }: IosChain): boolean => sales[0]?.payload.inAppOwnershipType === 'FAMILY_SHARED'

const raised = (product: SimulatedProduct, { raisedBy }: IosChain): SimulatedProduct => ({
  ...product,
  price: product.price + raisedBy,
})

/** `previous`: an earlier purchase of a subscription that never renews. */
export const buyItem = (world: IosWorld, product: SimulatedProduct, quantity: number, previous?: IosSale): IosSale => {
  const order = { bundleId: BUNDLE_ID, product, transactionId: world.nextId(), now: world.now, quantity }
  const sale = toSale(simulatedPurchase({ ...order, ...(previous && { previous: previous.payload }) }), 'FIRST')
  world.items.push(sale)
  return sale
}

/** Two signed versions of one transaction never have the same instant. */
export const laterThan = ({ payload }: IosSale, now: number): number => Math.max(now, payload.signedDate + 1)

/** The content of a fact after its signatures were verified; null = not about a purchase. */
export function decodeFact(fact: IosFact): DecodedTransaction | null {
  if (fact.kind === 'RECEIPT') {
    const decoded = decodeTransaction(fact.payload)
    if (!decoded.ok) throw new Error(`The receipt is malformed at ${decoded.field}`)
    return decoded.transaction
  }
  const { transaction, renewal } = simulatedParts(fact.order)
  const decoded = decodeNotification(simulatedEnvelope(fact.order, ENVELOPE), { transaction, renewal })
  if (!decoded.ok) throw new Error(`The notification is ${decoded.reason} at ${decoded.detail}`)
  const { effect } = decoded.notification
  return effect.kind === 'OBSERVATIONS' ? effect.transaction : null
}

const ENVELOPE = { environment: 'Sandbox', bundleId: BUNDLE_ID }

export const GRACE_MS = 16 * DAY
/** The store charges up to a day before the end. */
export const CHARGED_EARLY_MS = 12 * HOUR
