import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { type Arrival, anyArrival, arrive } from '../../src/people/purchases/laws/arrivals.fixtures'
import {
  anyPaymentScript,
  livePayment,
  type PaymentScript,
} from '../../src/people/purchases/laws/payment-life.fixtures'
import { ensureSubscriber } from '../../src/people/subscribers/service'
import { DEVICE_KEY } from '../../src/stores/payment/metadata'
import { TestStore } from '../../src/stores/payment/world.fixtures'
import { signEvent } from '../../src/test-store/stores/payment-events'
import type { PaymentWorld, SimulatedEvent } from '../../src/test-store/stores/payment-world'
import type { Answer } from '../support/cast'
import { type Outcome, outcomeOf } from '../support/law-outcome'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'
import { type PaymentStage, paymentStage } from '../support/payment'

// An event contains only an object id, and the server then reads the present state from the provider. All payments and
// refunds can still be read later. So events of one step give the same rows in any order, and late events give the same
// money, balances and access.

let s: PaymentStage
beforeAll(async () => {
  s = await paymentStage({ settings: { clawback: 'full' } })
})
afterAll(() => s.close())

let count = 0

type Word = () => Promise<Answer>
type Listener = (words: readonly Word[], isOver: boolean) => Promise<void>

/** Runs a life for its own device; returns what this device has at the end. */
async function live(script: PaymentScript, listen: Listener): Promise<Outcome> {
  const name = `law${String(++count).padStart(6, '0')}x`
  const device = `svc_${name}`
  const store = new TestStore(null, name)
  store.metadata = { [DEVICE_KEY]: device }
  await s.ctx.write((tx) => ensureSubscriber(tx, s.project.id, device, null))
  const deliverAll = async (events: readonly SimulatedEvent[]) => {
    showWorld(store.world)
    s.ctx.clock.set(store.clock.now())
    await sweepPurchases(s.ctx)
    await listen(events.map(wordOf), false)
  }
  // Whether a changed price is in force depends on the time of the read (see the law without a database).
  await livePayment(script, deliverAll, { leastGapMs: 2000, without: ['SWITCH'], store })
  await listen([], true)
  return outcomeOf(s, device, (text) => text.replaceAll(name, '<life>').replaceAll(HASH, ':hash"'))
}

/** A hash of an event's content, which contains ids of the life. */
const HASH = /:[0-9a-f]{12}"/g

const KINDS = [
  'customers',
  'sessions',
  'subscriptions',
  'invoices',
  'invoicePayments',
  'intents',
  'charges',
  'refunds',
  'disputes',
  'orders',
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

/** Everything is delivered at the end. */
function afterwards(arrival: Arrival): Listener {
  const waiting: Word[] = []
  return async (words, isOver) => {
    waiting.push(...words)
    if (isOver) for (const word of arrive(waiting, arrival)) await say(word)
  }
}

const IN_ORDER: Arrival = { ranks: [0], again: [] }
const anyLife = fc.record({ script: anyPaymentScript, arrival: anyArrival })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at the payment provider, in the database ${SEEDED}`, () => {
  law('the events of each turn, in any order and some of them twice, come to the same rows', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival }) => {
        expect(await live(script, oneByOne(arrival))).toEqual(await live(script, oneByOne(IN_ORDER)))
      },
      WITH_DATABASE,
    ),
  )

  law('the events of each turn all at once come to the same rows', () =>
    checkLawAsync(
      anyPaymentScript,
      async (script) => expect(await live(script, atOnce)).toEqual(await live(script, oneByOne(IN_ORDER))),
      WITH_DATABASE / 2,
    ),
  )

  law('all of them after the end, in any order, come to the same money, balances and access', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrival }) => {
        const prompt = await live(script, oneByOne(IN_ORDER))
        const late = await live(script, afterwards(arrival))
        expect(essence(late)).toEqual(essence(prompt))
      },
      WITH_DATABASE / 2,
    ),
  )
})

const essence = ({ access, balances, revenue, transactions }: Outcome) => ({ access, balances, revenue, transactions })
