import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { DAY, HOUR } from '../../base/lib/clock'
import { givesAccess } from '../../core/purchase/status'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { itemOf, subscribe } from '../../test-store/stores/payment-billing'
import {
  chargeOfInvoice,
  closeDispute,
  failRefund,
  openDispute,
  refundCharge,
} from '../../test-store/stores/payment-returns'
import {
  beginPeriod,
  cancelAtPeriodEnd,
  changePrice,
  endNow,
  failPayment,
  giveUp,
  pauseCollection,
  renew,
  resume,
  settle,
  undoCancel,
} from '../../test-store/stores/payment-turns'
import { getFrom } from '../../test-store/stores/payment-world'
import type { Observation } from '../observation'
import { add, observationsOf, START, TestStore } from './world.fixtures'

const SEED = 20261120

const TURNS = [
  'RENEW',
  'DRAFT',
  'FAIL',
  'SETTLE',
  'GIVE_UP',
  'CANCEL',
  'UNDO',
  'END',
  'PAUSE',
  'RESUME',
  'CHANGE',
  'SWITCH',
  'REFUND',
  'REFUND_PART',
  'FAIL_REFUND',
  'LOSE',
  'WIN',
] as const
type Turn = (typeof TURNS)[number]

interface Step {
  turn: Turn
  /** Hours since the previous step, within the period. */
  gap: number
}

const anySteps = fc.array(
  fc.record({
    turn: fc.constantFrom(...TURNS),
    gap: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 24 * 20 })),
  }),
  { minLength: 1, maxLength: 9 },
)

/**
 * Takes a turn if the subscription can take it. Before a turn that begins a period the clock is set to the period's end
 * or later.
 */
function take(store: TestStore, id: string, turn: Turn): void {
  const { world } = store
  const subscription = getFrom(world.subscriptions, id)
  const { status } = subscription
  const newest = getFrom(world.invoices, String(subscription.latest_invoice))
  const isUnpaid = newest.status !== 'paid'
  if (status === 'canceled') return
  switch (turn) {
    case 'RENEW':
      if (!isUnpaid && !subscription.cancel_at_period_end) renew(world, atPeriodEnd(store, id))
      return
    case 'DRAFT':
      if (!isUnpaid && !subscription.cancel_at_period_end) beginPeriod(world, atPeriodEnd(store, id))
      return
    case 'FAIL':
      if (newest.status === 'draft') failPayment(world, id)
      else if (!isUnpaid && !subscription.cancel_at_period_end) failPayment(world, atPeriodEnd(store, id))
      return
    case 'SETTLE':
      if (isUnpaid) settle(world, id)
      return
    case 'GIVE_UP':
      if (status === 'past_due') giveUp(world, id, newest.created % 2 === 0 ? 'unpaid' : 'canceled')
      return
    case 'CANCEL':
      if (!subscription.cancel_at_period_end) cancelAtPeriodEnd(world, id)
      return
    case 'UNDO':
      if (subscription.cancel_at_period_end) undoCancel(world, id)
      return
    case 'END':
      endNow(world, id)
      return
    case 'PAUSE':
      pauseCollection(world, id)
      return
    case 'RESUME':
      resume(world, id)
      return
    case 'SWITCH':
      if (!isUnpaid) changePrice(world, id, otherPrice(subscription), false)
      return
    case 'FAIL_REFUND':
      failNewest(store)
      return
    case 'CHANGE':
      if (!isUnpaid) changePrice(world, id, otherPrice(subscription))
      return
    default:
      giveBack(store, turn)
  }
}

const otherPrice = (subscription: Stripe.Subscription): string =>
  itemOf(subscription).price.id === 'price_monthly' ? 'price_yearly' : 'price_monthly'

/** Makes the newest refund of the newest charge fail, if no dispute came in between. */
function failNewest({ world }: TestStore): void {
  const refund = [...world.refunds.values()].at(-1)
  const isDisputed = [...world.disputes.values()].some(({ charge }) => charge === refund?.charge)
  if (refund?.status === 'succeeded' && !isDisputed) failRefund(world, refund.id)
}

function giveBack({ world }: TestStore, turn: 'REFUND' | 'REFUND_PART' | 'LOSE' | 'WIN'): void {
  const invoice = [...world.invoices.values()].findLast(({ amount_paid }) => amount_paid > 0)
  const charge = invoice && getFrom(world.charges, chargeOfInvoice(world, invoice.id))
  if (!charge || charge.refunded) return
  const opened = () =>
    [...world.disputes.values()].find((one) => one.charge === charge.id) ?? openDispute(world, charge.id)
  if (turn === 'REFUND') refundCharge(world, charge.id)
  if (turn === 'REFUND_PART') refundCharge(world, charge.id, Math.ceil(charge.amount / 4))
  if (turn === 'LOSE') closeDispute(world, opened().id, 'lost')
  if (turn === 'WIN') closeDispute(world, opened().id, 'won')
}

function atPeriodEnd(store: TestStore, id: string): string {
  const end = itemOf(getFrom(store.world.subscriptions, id)).current_period_end * 1000
  store.clock.goTo(Math.max(store.clock.now(), end))
  return id
}

/** Runs a life. After each turn its events are decoded at once. */
async function live(steps: readonly Step[], hasTrial: boolean): Promise<{ store: TestStore; heard: Observation[][] }> {
  const store = new TestStore()
  const { id } = subscribe(store.world, { priceId: 'price_monthly', trialDays: hasTrial ? 7 : 0 })
  const heard: Observation[][] = []
  const hear = async () => {
    for (const event of store.takeEvents()) heard.push(await observationsOf(store.reader, event, store.fetchAt()))
  }
  await hear()
  for (const { turn, gap } of steps) {
    wait(store, id, gap * HOUR)
    take(store, id, turn)
    await hear()
  }
  return { store, heard }
}

/** Waits. As at the provider, the next period begins before the end of a period is passed. */
function wait(store: TestStore, id: string, ms: number): void {
  const subscription = getFrom(store.world.subscriptions, id)
  const isOver = subscription.status === 'canceled'
  const end = isOver ? Number.POSITIVE_INFINITY : itemOf(subscription).current_period_end * 1000
  store.clock.goTo(Math.max(store.clock.now(), Math.min(store.clock.now() + ms, end - HOUR)))
}

const anyLife = fc.record({ steps: anySteps, hasTrial: fc.boolean(), order: fc.infiniteStream(fc.nat({ max: 999 })) })

/** The stored observations after the batches arrived: of those with the same kind and id the first one stays. */
function arrived(batches: readonly Observation[][]): Observation[] {
  const known: Observation[] = []
  for (const batch of batches) add(known, batch)
  return known
}

function shuffled<Item>(items: readonly Item[], order: Iterator<number>): Item[] {
  return items
    .map((item) => ({ item, rank: order.next().value ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

const outcome = (told: readonly Observation[]) => ({
  fold: foldObservations(told, 'SUBSCRIPTION'),
  lines: transactionLines(told, 'SUBSCRIPTION'),
})

describe(`laws of a life at the provider (seed ${SEED})`, () => {
  test('any order of its events, some of them twice, gives the same fold and lines', async () => {
    const law = fc.asyncProperty(anyLife, async ({ steps, hasTrial, order }) => {
      const { heard } = await live(steps, hasTrial)
      const inOrder = outcome(arrived(heard))
      const draws = order[Symbol.iterator]()
      const mixed = shuffled([...heard, ...heard.filter((_, index) => index % 2 === 0)], draws)
      expect(outcome(arrived(mixed))).toEqual(inOrder)
      // One event gives several observations, which may arrive separately.
      expect(
        outcome(
          arrived(
            shuffled(
              heard.flat().map((one) => [one]),
              draws,
            ),
          ),
        ),
      ).toEqual(inOrder)
    })
    await fc.assert(law, { seed: SEED, numRuns: 400 })
  })

  test('news fetched late, and in any order, ends in the same status, access, end and money', async () => {
    const law = fc.asyncProperty(anyLife, async ({ steps, hasTrial, order }) => {
      // A price changed without an invoice may or may not apply to the charge before it, depending on the time of the
      // fetch.
      const billed = steps.filter(({ turn }) => turn !== 'SWITCH')
      const { store, heard } = await live(billed, hasTrial)
      const events = shuffled(store.world.events, order[Symbol.iterator]())
      const late: Observation[][] = []
      for (const event of events) late.push(await observationsOf(store.reader, event, store.fetchAt()))
      for (const at of [store.clock.now(), store.clock.now() + 3 * DAY, store.clock.now() + 400 * DAY]) {
        expect(verdict(arrived(late), at)).toEqual(verdict(arrived(heard), at))
      }
    })
    await fc.assert(law, { seed: SEED, numRuns: 400 })
  })

  test('what the provider keeps active has access, and what it ended has none', async () => {
    const law = fc.asyncProperty(anyLife, async ({ steps, hasTrial }) => {
      const { store, heard } = await live(steps, hasTrial)
      const [subscription] = store.world.subscriptions.values()
      const fold = foldObservations(arrived(heard), 'SUBSCRIPTION')
      if (!subscription || !fold) throw new Error('A life begins with a subscription')
      const { status } = statusAt(fold, store.clock.now())
      if (subscription.status === 'canceled') expect(givesAccess(status)).toBe(false)
      const isTakenBack = status === 'REFUNDED' || status === 'REVOKED'
      const isKept = subscription.status === 'active' || subscription.status === 'trialing'
      const runsOn = itemOf(subscription).current_period_end * 1000 > store.clock.now()
      if (isKept && runsOn && !subscription.pause_collection && !isTakenBack) expect(givesAccess(status)).toBe(true)
    })
    await fc.assert(law, { seed: SEED, numRuns: 400 })
  })

  test('the lines of a charge never give back more than was paid', async () => {
    const law = fc.asyncProperty(anyLife, async ({ steps, hasTrial }) => {
      const { store, heard } = await live(steps, hasTrial)
      const sums = new Map<string, number>()
      for (const { storeTransactionId: id, price } of outcome(arrived(heard)).lines)
        sums.set(id, (sums.get(id) ?? 0) + (price?.amountMicros ?? 0))
      for (const [id, sum] of sums) {
        expect(sum).toBeGreaterThanOrEqual(0)
        expect(sum).toBeLessThanOrEqual((store.world.invoices.get(id)?.amount_paid ?? 0) * 10_000)
      }
    })
    await fc.assert(law, { seed: SEED, numRuns: 400 })
  })
})

function verdict(told: readonly Observation[], at: number) {
  const { fold, lines } = outcome(told)
  if (!fold) return null
  const { status, expiresAt, autoRenews, expiryReason } = statusAt(fold, at)
  const money = lines.map(({ key, kind, price }) => [key, kind, price?.amountMicros])
  return { status, access: givesAccess(status), expiresAt, autoRenews, expiryReason, money }
}

test('a life begins where the test says', () => expect(new TestStore().clock.now()).toBe(START))
