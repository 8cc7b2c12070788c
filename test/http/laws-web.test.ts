import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { canonicalJson } from '../../src/base/lib/hash'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { statusAt } from '../../src/people/purchases/status'
import { signEvent } from '../../src/test-store/stores/payment-events'
import type { SimulatedEvent } from '../../src/test-store/stores/payment-world'
import { NOW } from '../support/context'
import { balances, changeSettings, rowOf } from '../support/facts'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'
import { type PaymentStage, paymentStage } from '../support/payment'
import { anyWebScript, beginLife, takeTurn, type WebLife, type WebScript, waitFor } from '../support/web-lives'

/** Other tests check the lives at the provider. Here a part of the events comes late, and several come at once. */
const SHARE = WITH_DATABASE / 2

let s: PaymentStage
beforeAll(async () => {
  s = await paymentStage()
  await changeSettings(s, { clawback: 'full' })
})
afterAll(() => s.close())

/**
 * The delivery to a twin: which events at once, the others in which order, which of them twice, and which together with
 * the next.
 */
interface DeliveryOrder {
  atOnce: boolean[]
  ranks: number[]
  isTwice: boolean[]
  isTogether: boolean[]
}

const flags = fc.array(fc.boolean(), { minLength: 3, maxLength: 9 })
const ranks = fc.array(fc.nat({ max: 99 }), { minLength: 5, maxLength: 25 })
const anyDeliveryOrder = fc.record({ atOnce: flags, ranks, isTwice: flags, isTogether: flags })
const LATE = { atOnce: [false] }
const PROMPT: DeliveryOrder = { atOnce: [true], ranks: [0], isTwice: [false], isTogether: [false] }

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]

let count = 0

/** One of two customers with the same purchases at the same instants, whose events are delivered in different ways. */
class Twin {
  readonly device = `svc_${++count}`
  readonly #waiting: SimulatedEvent[] = []
  #seen = 0

  constructor(
    readonly life: WebLife,
    readonly order: DeliveryOrder,
  ) {}

  /** Runs a step. Its events are delivered at once or wait. */
  async take(deed: (life: WebLife) => void): Promise<void> {
    const before = s.world.events.length
    deed(this.life)
    for (const event of s.world.events.slice(before)) {
      if (pick(this.order.atOnce, this.#seen++)) await deliver(event)
      else this.#waiting.push(event)
    }
  }

  async deliverTheRest(): Promise<void> {
    for (const moment of this.#moments()) {
      const isTaken = await Promise.all(moment.map(deliver))
      // An event that arrived while its duplicate was in processing comes again, as from the provider.
      for (const [index, event] of moment.entries()) if (!isTaken[index]) await deliver(event)
    }
  }

  #moments(): SimulatedEvent[][] {
    const { ranks, isTwice, isTogether } = this.order
    const deliveries = this.#waiting.flatMap((event, index) => (pick(isTwice, index) ? [event, event] : [event]))
    const ranked = deliveries.map((event, index) => ({ event, rank: pick(ranks, index) ?? 0 }))
    const moments: SimulatedEvent[][] = []
    for (const [index, { event }] of ranked.sort((a, b) => a.rank - b.rank).entries()) {
      const last = moments.at(-1)
      if (last && pick(isTogether, index)) last.push(event)
      else moments.push([event])
    }
    return moments
  }
}

/** Whether the event is processed; false when its duplicate was in processing. */
async function deliver(event: SimulatedEvent): Promise<boolean> {
  const { status, body } = await s.deliver(await signEvent(event, { secret: s.secret, now: s.ctx.clock.now() }))
  const isHeld = status === 409 && body.error.code === 'WEBHOOK_IN_PROGRESS'
  if (status !== 200 && !isHeld) throw new Error(`${event.type}: ${status} ${JSON.stringify(body)}`)
  return !isHeld
}

async function newTwin(order: DeliveryOrder): Promise<Twin> {
  const twin = new Twin({ metadata: {}, sale: '' }, order)
  twin.life.metadata = { svc_subscriber_id: (await s.get('/v1/me', twin.device)).body.data.subscriber.id }
  return twin
}

/** Runs a script with two twins on the one stage, and returns the result of each. */
async function live(
  script: WebScript,
  orders: [DeliveryOrder, DeliveryOrder],
  unlike: readonly string[],
): Promise<string[]> {
  s.ctx.clock.set(NOW)
  // The earlier lives are over, and each request would search through them.
  const { world, server } = s
  const { subscriptions, invoices, invoicePayments, intents, charges, refunds, disputes, sessions } = world
  for (const objects of [subscriptions, invoices, invoicePayments, intents, charges, refunds, disputes, sessions])
    objects.clear()
  server.requests.length = 0
  const twins = [await newTwin(orders[0]), await newTwin(orders[1])]
  for (const twin of twins) await twin.take((life) => beginLife(s.world, script, life))
  for (const step of script.steps) {
    const [first] = twins
    if (first) s.ctx.clock.set(waitFor(s.world, first.life, step))
    for (const twin of twins) await twin.take((life) => takeTurn(s.world, life, step))
  }
  s.ctx.clock.advance(HOUR)
  for (const twin of twins) await twin.deliverTheRest()
  await sweepPurchases(s.ctx)
  return Promise.all(twins.map((twin) => outcome(twin, unlike)))
}

const OWN = ['id', 'projectId', 'subscriberId', 'purchaseId', 'createdAt', 'updatedAt', 'cause']

/** What a twin has, as text without ids. */
async function outcome({ device }: Twin, unlike: readonly string[]): Promise<string> {
  const { purchases: p, transactions: t, events: e } = s.ctx.tables
  const { id, toldAccess } = await rowOf(s, device)
  const bare = (row: object): string =>
    canonicalJson(
      JSON.parse(JSON.stringify(row, (name, value) => ([...OWN, ...unlike].includes(name) ? undefined : value))),
    )
  const rows = await s.ctx.db.select({ seq: e.seq }).from(e).where(eq(e.subscriberId, id)).orderBy(e.seq)
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
  const held = await s.ctx.db.select().from(p).where(eq(p.subscriberId, id))
  const lines = await s.ctx.db.select().from(t).where(eq(t.subscriberId, id))
  const revenue = lines.reduce((sum, { amountMicros }) => sum + (amountMicros ?? 0), 0)
  const purchases = held.map(({ fold, ...row }) => {
    const states = [0, 3, 20, 500].map((days) => statusAt(fold, s.ctx.clock.now() + days * DAY))
    return bare({ ...row, states })
  })
  const { access } = (await s.get('/v1/me/access', device)).body.data
  // A currency that was granted and taken back counts like one that was never granted.
  const owed = Object.entries(await balances(s, device)).filter(([, balance]) => balance !== 0)
  return renumbered(
    canonicalJson({
      ...{ purchases: purchases.sort(), lines: lines.map(bare).sort(), revenue },
      ...{ toldAccess, access, balances: owed },
    }),
  )
}

/** Replaces the provider's ids by numbers in their order. */
function renumbered(text: string): string {
  const ids = [...new Set(text.match(/(?<=_sim)\d+/g))].sort()
  return text.replace(/(?<=_sim)\d+/g, (id) => String(ids.indexOf(id)).padStart(3, '0'))
}

const anyLife = fc.record({ script: anyWebScript, orders: fc.tuple(anyDeliveryOrder, anyDeliveryOrder) })

// An event only names what to fetch, so events depend on when the server fetches. Only charges, refunds and ends have
// dates of the provider. "The same" therefore means all columns of purchases and their state now and later, all money
// lines and their sum, access in the tables and over HTTP, and balances. Observations and events are not compared.
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of whole lives at the payment provider, by HTTP ${SEEDED}`, () => {
  law('all asked about in the end: any order, repetition and concurrence of deliveries comes to the same', () =>
    checkLawAsync(
      anyLife,
      async ({ script, orders: [one, other] }) => {
        const late: [DeliveryOrder, DeliveryOrder] = [
          { ...one, ...LATE },
          { ...other, ...LATE },
        ]
        const [first, second] = await live(script, late, [])
        expect(second).toBe(first ?? '')
      },
      SHARE,
    ),
  )

  law('some of it asked about late, mixed up: the same, but for the dates of the questions', () =>
    checkLawAsync(
      anyLife,
      async ({ script, orders: [mixed] }) => {
        const [first, second] = await live(script, [PROMPT, mixed], ['cancelledAt', 'recheckAt', 'storeEventAt'])
        expect(second).toBe(first ?? '')
      },
      SHARE,
    ),
  )
})
