import type Stripe from 'stripe'
import { type Clock, SECOND } from '../../lib/clock'

/** What the payment stand-in knows: the provider's objects, by id, and the events of what happened to them. */
export class PaymentWorld {
  readonly customers = new Map<string, Stripe.Customer>()
  readonly prices = new Map<string, Stripe.Price>()
  readonly sessions = new Map<string, Stripe.Checkout.Session>()
  readonly subscriptions = new Map<string, Stripe.Subscription>()
  readonly invoices = new Map<string, Stripe.Invoice>()
  readonly invoicePayments = new Map<string, Stripe.InvoicePayment>()
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly charges = new Map<string, Stripe.Charge>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly disputes = new Map<string, Stripe.Dispute>()
  /** Parameters of open checkouts that their completion needs. */
  readonly orders = new Map<string, CheckoutOrderOf>()
  readonly events: SimulatedEvent[] = []
  #count = 0

  /** `account`: the connected account that all of it belongs to; null for the key's own. `name` is part of every id. */
  constructor(
    readonly clock: Clock,
    readonly account: string | null = null,
    readonly name = 'sim',
  ) {}

  /** The provider's time, in seconds. */
  get now(): number {
    return Math.floor(this.clock.now() / SECOND)
  }

  /** Ids that sort by their making. */
  nextId(prefix: string): string {
    this.#count += 1
    return `${prefix}_${this.name}${String(this.#count).padStart(8, '0')}`
  }

  /** Tells of an object as it is now. */
  emit(type: Stripe.Event.Type, object: { id: string; object: string }): void {
    const event: SimulatedEvent = {
      id: this.nextId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: this.now,
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
      ...(this.account !== null && { account: this.account }),
    }
    this.events.push(event)
  }
}

export type SimulatedEvent = Stripe.EventBase & { data: { object: { id: string; object: string } } }

/** What a checkout sells, and what it writes where. */
export interface CheckoutOrderOf {
  priceId: string
  /** For the subscription or the payment that comes of it. */
  metadata: Stripe.Metadata
  trialDays: number
}

/** The object, or a clear failure: a script names only what it made. */
export function getFrom<Kind>(objects: ReadonlyMap<string, Kind>, id: string): Kind {
  const object = objects.get(id)
  if (!object) throw new RangeError(`The payment stand-in has no ${id}`)
  return object
}
