import type Stripe from 'stripe'
import { type Clock, SECOND } from '../../base/lib/clock'
import type { WrittenCode } from './payment-intent-objects'

/** The data of the payment stand-in: the provider's objects by id, and the events about them. */
export class PaymentWorld {
  readonly customers = new Map<string, Stripe.Customer>()
  readonly prices = new Map<string, Stripe.Price>()
  readonly sessions = new Map<string, Stripe.Checkout.Session>()
  readonly subscriptions = new Map<string, Stripe.Subscription>()
  readonly discounts = new Map<string, Stripe.Discount>()
  readonly schedules = new Map<string, Stripe.SubscriptionSchedule>()
  readonly invoices = new Map<string, Stripe.Invoice>()
  readonly invoiceItems = new Map<string, WrittenItem>()
  readonly invoicePayments = new Map<string, Stripe.InvoicePayment>()
  readonly setups = new Map<string, Stripe.SetupIntent>()
  readonly promotionCodes = new Map<string, WrittenCode>()
  readonly methodDomains = new Map<string, Stripe.PaymentMethodDomain>()
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly charges = new Map<string, Stripe.Charge>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly creditNotes = new Map<string, Stripe.CreditNote>()
  readonly disputes = new Map<string, Stripe.Dispute>()
  /** Parameters of open checkouts that their completion needs. */
  readonly orders = new Map<string, CheckoutOrderOf>()
  /** The first answer to each request with an idempotency key. */
  readonly answered = new Map<string, AnsweredOnce>()
  readonly events: SimulatedEvent[] = []
  #count = 0

  /** `account`: the connected account of all objects; null for the key's own. `seed` is part of each id. */
  constructor(
    readonly clock: Clock,
    readonly account: string | null = null,
    private readonly seed = '',
  ) {}

  /** Reads saved data; it has no events. */
  static read({ seed, count, objects }: WrittenWorld, clock: Clock): PaymentWorld {
    const world = new PaymentWorld(clock, null, seed)
    world.#count = count
    for (const name of OBJECTS) {
      const held: Map<string, unknown> = world[name]
      for (const [id, object] of objects[name] ?? []) held.set(id, object)
    }
    return world
  }

  /** All data except the events, as plain JSON. */
  write(): WrittenWorld {
    const objects = Object.fromEntries(OBJECTS.map((name) => [name, [...this[name]]]))
    return { seed: this.seed, count: this.#count, objects }
  }

  /** The provider's time, in seconds. */
  get now(): number {
    return Math.floor(this.clock.now() / SECOND)
  }

  /** A new id; ids sort by creation. */
  nextId(prefix: string): string {
    this.#count += 1
    return `${prefix}_sim${this.seed}${String(this.#count).padStart(8, '0')}`
  }

  /** Adds an event with the present state of an object. */
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

const OBJECTS = [
  ...(['customers', 'prices', 'sessions', 'subscriptions', 'discounts', 'schedules'] as const),
  ...([
    'invoices',
    'invoiceItems',
    'invoicePayments',
    'setups',
    'promotionCodes',
    'methodDomains',
    'intents',
    'charges',
    'refunds',
    'creditNotes',
    'disputes',
    'orders',
    'answered',
  ] as const),
] as const

/** An invoice item as it is written: its decimal is text. */
export type WrittenItem = Omit<Stripe.InvoiceItem, 'quantity_decimal'> & { quantity_decimal: string }

/** The saved data as plain JSON. */
export interface WrittenWorld {
  seed: string
  count: number
  objects: { [Name in (typeof OBJECTS)[number]]?: [id: string, object: unknown][] }
}

export interface AnsweredOnce {
  request: string
  answer: { status: number; body: string }
}

export type SimulatedEvent = Stripe.EventBase & { data: { object: { id: string; object: string } } }

/** The price that a checkout sells, and the metadata that it writes. */
export interface CheckoutOrderOf {
  priceId: string
  /** Prices that it sells besides the first one. */
  others?: readonly string[]
  /** Whether its payment gets an invoice. */
  hasInvoice?: boolean
  /** Metadata of the subscription or payment that the checkout creates. */
  metadata: Stripe.Metadata
  trialDays: number
}

/** The object with this id. Throws when it does not exist, for a script must name only objects that it created. */
export function getFrom<Kind>(objects: ReadonlyMap<string, Kind>, id: string): Kind {
  const object = objects.get(id)
  if (!object) throw new RangeError(`The payment stand-in has no ${id}`)
  return object
}
