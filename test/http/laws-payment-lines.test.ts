import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq, inArray, lte } from 'drizzle-orm'
import fc from 'fast-check'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { type Arrival, anyArrival, arrive } from '../../src/people/purchases/laws/arrivals.fixtures'
import {
  anyItemsScript,
  type ItemsScript,
  liveItems,
} from '../../src/people/purchases/laws/payment-items-life.fixtures'
import {
  expectedAccess,
  expectedMoney,
  expectedMrr,
} from '../../src/people/purchases/laws/payment-items-oracle.fixtures'
import type { ItemsStore } from '../../src/people/purchases/laws/payment-items-turns.fixtures'
import { ensureSubscriber } from '../../src/people/subscribers/service'
import { DEVICE_KEY } from '../../src/stores/payment/metadata'
import { TestStore } from '../../src/stores/payment/world.fixtures'
import { signEvent } from '../../src/test-store/stores/payment-events'
import type { PaymentWorld, SimulatedEvent } from '../../src/test-store/stores/payment-world'
import type { Answer } from '../support/cast'
import { access, rowOf } from '../support/facts'
import { type Outcome, outcomeOf } from '../support/law-outcome'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'
import { type PaymentStage, paymentStage } from '../support/payment'

// The lives of the laws without a database, with several items, seats, prorations, balances, credit notes and carts.

let s: PaymentStage
beforeAll(async () => {
  s = await paymentStage({ settings: { clawback: 'full', pausedCollection: 'noAccess' } })
  const { products: p } = s.ctx.tables
  const isTeam = and(eq(p.projectId, s.project.id), eq(p.identifier, 'pro_yearly'))
  await s.ctx.write((tx) => tx.db.update(p).set({ paymentId: 'price_team' }).where(isTeam))
  s.ctx.state.projects.forget(s.project.id)
})
afterAll(() => s.close())

let count = 0

type Word = () => Promise<Answer>
type Listener = (words: readonly Word[]) => Promise<void>

interface Lived {
  device: string
  store: ItemsStore
  outcome: Outcome
}

/** Runs a life for its own device; returns what this device has at the end. */
async function live(script: ItemsScript, listen: Listener): Promise<Lived> {
  const name = `lin${String(++count).padStart(6, '0')}x`
  const device = `svc_${name}`
  const empty = new TestStore(null, name)
  empty.metadata = { [DEVICE_KEY]: device }
  await s.ctx.write((tx) => ensureSubscriber(tx, s.project.id, device, null))
  const deliverAll = async (events: readonly SimulatedEvent[], { world, clock }: ItemsStore) => {
    showWorld(world)
    s.ctx.clock.set(clock.now())
    await sweepPurchases(s.ctx)
    await listen(events.map(wordOf))
  }
  const store = await liveItems(script, deliverAll, { store: empty, without: ['REFUND_PART'] })
  const rename = (text: string) => text.replaceAll(name, '<life>').replaceAll(HASH, ':hash"')
  return { device, store, outcome: await outcomeOf(s, device, rename) }
}

/** A hash of an event's content, which contains ids of the life. */
const HASH = /:[0-9a-f]{12}"/g

const KINDS = [
  ...(['customers', 'prices', 'sessions', 'subscriptions', 'discounts', 'schedules', 'invoices'] as const),
  ...(['invoicePayments', 'intents', 'charges', 'refunds', 'creditNotes', 'disputes', 'orders'] as const),
] as const satisfies (keyof PaymentWorld)[]

/** Puts the state of this life's world into the server of the test store. */
function showWorld(world: PaymentWorld): void {
  for (const kind of KINDS)
    for (const [id, object] of world[kind]) (s.world[kind] as Map<string, unknown>).set(id, object)
}

const wordOf = (event: SimulatedEvent): Word => {
  return async () => s.deliver(await signEvent(event, { secret: s.secret, now: s.ctx.clock.now() }))
}

async function say(word: Word): Promise<void> {
  const { status, body } = await word()
  expect([status, body.error]).toEqual([200, undefined])
}

const oneByOne =
  (arrival: Arrival): Listener =>
  async (words) => {
    if (words.length > 0) for (const word of arrive(words, arrival)) await say(word)
  }

const atOnce: Listener = async (words) => {
  const answers = await Promise.all([...words, ...words.toReversed()].map((word) => word()))
  for (const { status } of answers) expect([200, 409]).toContain(status)
  for (const word of words) await say(word)
}

/** Expects what the provider has at the end: money, access and recurring revenue; each charge on a line of its own. */
async function expectLikeProvider({ device, store, outcome }: Lived): Promise<void> {
  const now = store.clock.now()
  const rows = await purchasesOf(device)
  const heardAt = (_: unknown, { id }: { id: string }) =>
    rows.find(({ lineKey }) => lineKey === id)?.fold.storeEventAt ?? now
  expect(outcome.revenue.USD ?? 0).toBe(expectedMoney(store))
  expect(Object.keys(await access(s, device)).sort()).toEqual(expectedAccess(store, now, heardAt))
  expect(await mrrOf(rows.map(({ id }) => id))).toBe(expectedMrr(store, now, heardAt))
}

async function purchasesOf(device: string) {
  const { purchases: p } = s.ctx.tables
  const { id } = await rowOf(s, device)
  return s.ctx.db.select().from(p).where(eq(p.subscriberId, id))
}

/** The monthly recurring revenue of purchases by the figures, in micros. */
async function mrrOf(ids: readonly string[]): Promise<number> {
  const { figureEntries: t } = s.ctx.tables
  const isOwn = and(inArray(t.purchaseId, [...ids]), lte(t.at, s.ctx.clock.now()))
  const entries = await s.ctx.db.select().from(t).where(isOwn)
  return entries.reduce(
    (sum, one) => sum + one.mrrNew + one.mrrReactivation + one.mrrExpansion - one.mrrContraction - one.mrrChurn,
    0,
  )
}

const IN_ORDER: Arrival = { ranks: [0], again: [] }
const anyLife = fc.record({ script: anyItemsScript, arrival: anyArrival })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life with several lines at the payment provider, in the database ${SEEDED}`, () => {
  law(
    'the events of each turn, in any order and some of them twice, come to the same rows, which are the provider’s',
    () =>
      checkLawAsync(
        anyLife,
        async ({ script, arrival }) => {
          const mixed = await live(script, oneByOne(arrival))
          await expectLikeProvider(mixed)
          expect(mixed.outcome).toEqual((await live(script, oneByOne(IN_ORDER))).outcome)
        },
        WITH_DATABASE,
      ),
  )

  law('the events of each turn all at once come to the same rows', () =>
    checkLawAsync(
      anyItemsScript,
      async (script) =>
        expect((await live(script, atOnce)).outcome).toEqual((await live(script, oneByOne(IN_ORDER))).outcome),
      WITH_DATABASE / 4,
    ),
  )
})
