import type { Money } from '../../base/lib/money'
import { fromSmallestUnit, toSmallestUnit } from '../../stores/payment/currency'
import type { OfferedPayment, OfferedPrice, Wallets } from '../sessions/service'
import type { ProviderObjects, UnsettledStatus } from './model'
import type { FunnelPackage, StorePrice } from './terms'

export const NO_WALLETS: Wallets = {
  ...{ applePay: 'INACTIVE', googlePay: 'INACTIVE' },
  ...{ link: 'INACTIVE', paypal: 'INACTIVE' },
}

/** What a visitor wants to pay. */
export interface SaleOrder {
  sessionId: string
  package: FunnelPackage
  price: OfferedPrice
  email: string
  /** Of the promotion code that was typed; null = none. */
  discount: Discount | null
  /** Equal keys make one sale. */
  key: string
}

export interface Discount {
  id: string
  percentOff: number | null
  amountOff: Money | null
}

/** The price less a discount, as the provider would round it. */
export function reducedPrice({ amountMicros, currency }: Money, discount: Discount | null): Money {
  const off = discount?.amountOff?.currency === currency ? discount.amountOff.amountMicros : 0
  const left = Math.max(0, (amountMicros * (100 - (discount?.percentOff ?? 0))) / 100 - off)
  const units = toSmallestUnit({ amountMicros: left, currency })
  return fromSmallestUnit(units, currency) ?? { amountMicros, currency }
}

/** A sale that waits for its payment at the provider. */
export interface OpenSale {
  kind: 'payment' | 'setup'
  objects: ProviderObjects
  clientSecret: string
  /** The amount that is due now. */
  due: Money
  expiresAt: number
}

export type Opened =
  | { ok: true; sale: OpenSale }
  | { ok: false; reason: 'rejected' | 'unavailable'; message: string | null }

/** The state of a sale at a provider. `unknown`: it has none. */
export type SaleState = 'settled' | UnsettledStatus | 'failed' | 'unknown' | 'unavailable'

/** Sells the packages of a funnel: through the project's account, or at the test store. */
export interface Seller {
  account: OfferedPayment
  /** What a package costs today; null where it is not sold. `isFresh`: what was read a short while ago does not do. */
  priceOf(sold: FunnelPackage, isFresh: boolean): Promise<StorePrice | null>
  /** Null for a code that takes nothing off this package at its price. */
  findDiscount(code: string, sold: FunnelPackage, price: Money): Promise<Discount | null | 'unavailable'>
  open(order: SaleOrder): Promise<Opened>
  /** The wallets of browsers that can be used on a host. */
  walletsOf(hostname: string): Promise<Wallets>
  /** Ends an unpaid sale. */
  abandon(objects: ProviderObjects): Promise<void>
}
