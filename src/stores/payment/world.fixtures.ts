import { DAY } from '../../base/lib/clock'
import { addPrice } from '../../test-store/stores/payment-billing'
import { expand } from '../../test-store/stores/payment-expand'
import { PaymentWorld, type SimulatedEvent } from '../../test-store/stores/payment-world'
import type { Observation } from '../observation'
import { type DecodeResult, decodePayment, type PaymentFacts } from './decode'
import { readEvent } from './event'
import { gatherFacts, type PaymentReader } from './gather'
import { newsOf } from './news'
import type { ProviderFailure } from './provider'

export const START = Date.UTC(2026, 10, 20, 8)
export const GRACE_DAYS = 7
/** One month after START. */
export const MONTH_END = Date.UTC(2026, 11, 20, 8)

export class TestClock {
  at = START

  now(): number {
    return this.at
  }

  advance(ms: number): void {
    this.at += ms
  }

  goTo(at: number): void {
    this.at = at
  }
}

/** A simulated provider with a few prices, and the observations of its events so far. */
export class TestStore {
  readonly clock = new TestClock()
  readonly world: PaymentWorld
  readonly reader: PaymentReader
  readonly told: Observation[] = []
  /** Metadata of the next sales. */
  metadata: Record<string, string> = {}
  #taken = 0
  #fetchedAt = 0

  constructor(account: string | null = null, name = '') {
    this.world = new PaymentWorld(this.clock, account, name)
    this.reader = readerOf(this.world)
    addPrice(this.world, { id: 'price_monthly', amount: 999, interval: 'month' })
    addPrice(this.world, { id: 'price_monthly_plus', amount: 1999, interval: 'month' })
    addPrice(this.world, { id: 'price_yearly', amount: 9999, interval: 'year' })
    addPrice(this.world, { id: 'price_coins', amount: 499, interval: null })
    addPrice(this.world, { id: 'price_yen', amount: 1200, currency: 'jpy', interval: 'month' })
    addPrice(this.world, { id: 'price_dinar', amount: 5120, currency: 'kwd', interval: 'month' })
  }

  /** The instant of a fetch. Each one is later than the one before. */
  fetchAt(): number {
    this.#fetchedAt = Math.max(this.clock.now(), this.#fetchedAt + 1)
    return this.#fetchedAt
  }

  days(count: number): void {
    this.clock.advance(count * DAY)
  }

  /** Events since the last call. */
  takeEvents(): SimulatedEvent[] {
    const events = this.world.events.slice(this.#taken)
    this.#taken = this.world.events.length
    return events
  }

  /**
   * Decodes the events since the last call from the present objects, adds the new observations, and returns all of
   * them.
   */
  async tell(events: readonly SimulatedEvent[] = this.takeEvents()): Promise<Observation[]> {
    for (const event of events) {
      const fetched = await observationsOf(this.reader, event, this.fetchAt())
      add(this.told, newsOf(fetched, this.told, Number.POSITIVE_INFINITY))
    }
    return this.told
  }

  /** The decoded newest event of a type. */
  async decodeLast(type: string): Promise<DecodeResult> {
    const event = this.world.events.findLast((one) => one.type === type)
    if (!event) throw new RangeError(`There is no event ${type}`)
    return decodeEvent(this.reader, event, this.fetchAt())
  }
}

/** Like `addObservations`: of those with the same kind and id the first one stays. */
export function add(known: Observation[], fresh: readonly Observation[]): void {
  for (const one of fresh) if (!known.some(({ kind, id }) => kind === one.kind && id === one.id)) known.push(one)
}

/** The observations of all lines. The simulated sales have one. */
export async function observationsOf(reader: PaymentReader, event: object, fetchedAt: number): Promise<Observation[]> {
  const { subject } = readEvent(event) ?? { subject: null }
  if (!subject) return []
  const result = await decodeEvent(reader, event, fetchedAt)
  if (result.ok) return result.purchase.lines.flatMap(({ observations }) => observations)
  if (result.reason === 'ignored') return []
  throw new Error(`Not decoded: ${result.field}`)
}

export async function decodeEvent(reader: PaymentReader, value: object, fetchedAt: number): Promise<DecodeResult> {
  const event = readEvent(value)
  if (!event?.subject) return { ok: false, reason: 'ignored', why: 'no_product' }
  const facts = factsIn(await gatherFacts(reader, event.subject))
  if (!facts) return { ok: false, reason: 'ignored', why: 'no_product' }
  const settings = { providerGraceDays: GRACE_DAYS, pausedCollection: 'noAccess' } as const
  return decodePayment(facts, { fetchedAt, eventAt: event.createdAt, ...settings })
}

function factsIn(result: Awaited<ReturnType<typeof gatherFacts>>): PaymentFacts | null {
  if (result.ok) return result.facts
  throw new Error(`Not gathered: ${result.reason}`)
}

const MISSING: ProviderFailure = {
  ok: false,
  reason: 'rejected',
  status: 404,
  providerRequestId: 'req_1',
  providerErrorType: 'invalid_request_error',
  providerErrorCode: 'resource_missing',
}

/** Reads the simulated provider's objects as the client reads them from its server, without HTTP. */
export function readerOf(world: PaymentWorld): PaymentReader {
  const one = <Kind extends object>(objects: ReadonlyMap<string, Kind>, id: string, expanded: string[] = []) => {
    const object = objects.get(id)
    // Expanded members change from an id to an object, as the type allows.
    return Promise.resolve(object ? { ok: true as const, value: expand(world, object, expanded) as Kind } : MISSING)
  }
  const some = <Kind>(values: Kind) => Promise.resolve({ ok: true as const, value: structuredClone(values) })
  return {
    getSubscription: (id) => one(world.subscriptions, id, ['latest_invoice', 'items.data.discounts']),
    getSchedule: (id) => one(world.schedules, id, ['phases.items.price']),
    getInvoice: (id) => one(world.invoices, id, ['payments']),
    listPaidInvoices: (id) => some(paidInvoices(world, id)),
    findInvoiceOfPayment: (id) =>
      some(
        [...world.invoicePayments.values()].filter(({ payment }) => payment.payment_intent === id).map(invoiceOf)[0] ??
          null,
      ),
    getCheckoutSession: (id) => one(world.sessions, id, ['line_items']),
    findSessionOfPayment: async (id) => {
      const session = [...world.sessions.values()].find(({ payment_intent }) => payment_intent === id)
      return session ? one(world.sessions, session.id, ['line_items']) : { ok: true, value: null }
    },
    getPaymentIntent: (id) => one(world.intents, id, ['latest_charge']),
    getCharge: (id) => one(world.charges, id),
    listInvoiceItems: (id) => some([...world.invoiceItems.values()].filter(({ invoice }) => invoice === id).reverse()),
    listCreditNotes: (id) => some([...world.creditNotes.values()].filter(({ invoice }) => invoice === id).reverse()),
    listRefunds: (id) => some([...world.refunds.values()].filter(({ charge }) => charge === id).reverse()),
  }
}

const paidInvoices = ({ invoices }: PaymentWorld, subscription: string) =>
  [...invoices.values()]
    .filter(({ status, parent }) => status === 'paid' && parent?.subscription_details?.subscription === subscription)
    .reverse()
    .slice(0, 5)

const invoiceOf = ({ invoice }: { invoice: string | { id: string } }): string =>
  typeof invoice === 'string' ? invoice : invoice.id
