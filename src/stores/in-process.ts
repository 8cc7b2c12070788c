import type { Money } from '../base/lib/money'
import type { ProductType } from './observation'

/**
 * A test store within this process. It answers the same requests as the real store, without network and credentials.
 */
export interface InProcessStore {
  /** Whether the test store made this id. Each call about such an id goes to the test store, and no other call does. */
  knows(id: string): boolean
  fetch(request: Request): Promise<Response>
}

/** What the customer does on the sheet of the test store. */
export const TEST_ATTEMPTS = [
  'pays',
  'declined',
  'needs_authentication',
  'authenticated',
  'processing',
  'closes',
] as const
export type TestAttempt = (typeof TEST_ATTEMPTS)[number]

/** What the test store charges for a product. */
export interface TestOffer {
  price: Money
  trialDays: number
}

/** What a page sells at the payment test store. */
export interface TestSale extends TestOffer {
  /** Our identifier of the product. */
  identifier: string
  /** The product's id at the provider. */
  productId: string
  type: ProductType
  /** ISO 8601; null for one-time products. */
  period: string | null
  metadata: Record<string, string>
  /** What a promotion code takes off the first payment, in per cent. */
  percentOff: number
}

/** A sale that waits for its payment. */
export interface OpenedSale {
  /** `setup`: nothing is due now. */
  kind: 'payment' | 'setup'
  customerId: string
  subscriptionId: string | null
  intentId: string
  clientSecret: string
  expiresAt: number
}

/** The sales of pages at the payment test store of one project. */
export interface TestSales {
  /** The prices of products by identifier that were set for the test store alone. */
  offers(): Promise<ReadonlyMap<string, TestOffer>>
  /** What a promotion code takes off, in per cent; null for a code that the test store does not know. */
  percentOff(code: string): Promise<number | null>
  /** Equal keys give one sale. The reason when the test store does not sell it. */
  open(sale: TestSale, key: string): Promise<{ ok: true; sale: OpenedSale } | { ok: false; why: string }>
  /** `id`: of the subscription, or of the intent of a one-time payment. */
  attempt(id: string, outcome: TestAttempt): Promise<{ ok: true } | { ok: false; why: string }>
  /** Ends an unpaid sale. */
  abandon(id: string): Promise<void>
  /** Registers a hostname for wallets, or takes it off, as at a provider. */
  setDomain(hostname: string, isRegistered: boolean): Promise<void>
  /** Whether a hostname is registered. */
  hasDomain(hostname: string): Promise<boolean>
}

/** The test store of each store, for one project. When it is switched off, it answers that its ids are unknown. */
export interface TestStores {
  ios(projectId: string): InProcessStore
  android(projectId: string): InProcessStore
  payment(projectId: string): InProcessStore
  /** Null where the test stores sell nothing. */
  sales(projectId: string): TestSales | null
}

// Created by the test-store slice, which lies above the slices that use it.
declare module '../base/state' {
  interface SliceState {
    testStores: TestStores
  }
}

/** The same as a `fetch` function, which is what client libraries accept. */
export const fetchOf = (store: InProcessStore): typeof fetch =>
  Object.assign((input: string | URL | Request, init?: RequestInit) => store.fetch(requestOf(input, init)), {
    preconnect: () => {},
  })

// Libraries pass either an address or a complete `Request`.
const requestOf = (input: string | URL | Request, init: RequestInit | undefined): Request =>
  input instanceof Request ? new Request(input, init) : new Request(String(input), init)
