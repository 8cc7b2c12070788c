import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { givesAccess } from '../../core/purchase/status'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import { decodeSubscription, itemFor } from '../../stores/android/decode'
import { type AndroidNotification, decodeNotification } from '../../stores/android/notification'
import { reportSubscription } from '../../stores/android/observe'
import type { Observation } from '../../stores/observation'
import type { SimulatedPlan } from './android'
import { pushBody, type SimulatedNotification } from './android-push'
import { AndroidStore } from './android-store'

const START = Date.UTC(2026, 0, 31, 8)
const monthly: SimulatedPlan = {
  productId: 'pro',
  basePlanId: 'monthly',
  period: 'P1M',
  price: { amountMicros: 9_990_000, currency: 'USD' },
  trialPeriod: 'P1W',
}

/** A stand-in whose clock the test sets, and all its notifications. */
function openStore(seed = 'life') {
  const clock = { time: START, now: () => clock.time }
  const told: AndroidNotification[] = []
  const tell = (notification: SimulatedNotification, now: number) => told.push(received(notification, now))
  return { clock, told, store: new AndroidStore(clock, seed, tell) }
}

/** A notification after it was sent in an envelope and read again. */
function received(notification: SimulatedNotification, now: number): AndroidNotification {
  const body = JSON.parse(pushBody('com.example.app', notification, { messageId: '1', now }))
  const result = decodeNotification(JSON.parse(Buffer.from(body.message.data, 'base64').toString()))
  if (!result.ok) throw new Error(result.field)
  return result.notification
}

/** Fetches the purchase as the notification requires (null: without one), with the observations so far. */
function look(
  { store, clock }: ReturnType<typeof openStore>,
  token: string,
  known: readonly Observation[],
  cause: AndroidNotification | null,
): Observation[] {
  if (cause?.action.kind === 'MARKER') return [cause.action.marker]
  const resource = JSON.parse(JSON.stringify(store.subscriptions.get(token)?.resource))
  const result = decodeSubscription(resource, token)
  if (!result.ok) throw new Error(JSON.stringify(result))
  const item = itemFor(result.subscription, monthly.productId)
  if (!item) throw new Error('no item')
  const times = cause?.action.kind === 'FETCH' ? cause.action : {}
  return reportSubscription(result.subscription, item, { ...times, fetchedAt: clock.now(), known })
}

const MOVES = {
  ACTIVE: ['renew', 'cancel', 'failPayment', 'hold', 'pause', 'defer', 'revoke', 'refund'],
  CANCELED: ['restart', 'expire', 'revoke'],
  IN_GRACE_PERIOD: ['renew', 'hold', 'expire'],
  ON_HOLD: ['renew', 'expire'],
  PAUSED: ['resume', 'expire'],
  EXPIRED: [],
} as const
type Move = (typeof MOVES)[keyof typeof MOVES][number]

/** Moves that are possible only at the end of the paid period. */
const AT_THE_END: readonly Move[] = ['renew', 'failPayment', 'hold', 'pause', 'expire']

interface Step {
  choice: number
  gapDays: number
  /** Whether the purchase is fetched after this turn. */
  isSeen: boolean
}

interface Life {
  /** Observations of a complete observer, and of one that misses the turns without `isSeen`. */
  full: Observation[]
  sparse: Observation[]
  /** Observations of one that receives all notifications after the last turn. */
  late: Observation[]
  endedAt: number
}

function live(withTrial: boolean, steps: readonly Step[]): Life {
  const open = openStore()
  const { store, clock, told } = open
  const token = store.subscribe(monthly, { withTrial })
  const causes = told.splice(0)
  const full = look(open, token, [], causes[0] ?? null)
  const sparse: Observation[] = []
  for (const step of steps) {
    if (!take(open, token, step)) break
    const fresh = told.splice(0)
    causes.push(...fresh)
    for (const cause of fresh) full.push(...look(open, token, full, cause))
    // Refunds reach each observer later, through the list of voided purchases.
    const heard = step.isSeen ? fresh : fresh.filter(isTakenBack)
    for (const cause of heard) sparse.push(...look(open, token, sparse, cause))
  }
  clock.time += 1
  sparse.push(...look(open, token, sparse, null))
  const late: Observation[] = []
  for (const cause of causes.toReversed()) {
    clock.time += 1
    late.push(...look(open, token, late, cause))
  }
  clock.time += 1
  late.push(...look(open, token, late, null))
  return { full, sparse, late, endedAt: clock.now() }
}

const isTakenBack = ({ action }: AndroidNotification): boolean =>
  action.kind === 'MARKER' || (action.kind === 'FETCH' && action.revokedAt !== null)

/** Takes one turn, at its time; false when no turn is possible. */
function take({ store, clock }: ReturnType<typeof openStore>, token: string, { choice, gapDays }: Step): boolean {
  const subscription = store.subscriptions.get(token)
  const state = subscription?.resource.subscriptionState?.replace('SUBSCRIPTION_STATE_', '') as keyof typeof MOVES
  const move = MOVES[state][choice % Math.max(1, MOVES[state].length)]
  if (!subscription || move === undefined) return false
  clock.time += gapDays * DAY + 1
  if (AT_THE_END.includes(move)) clock.time = Math.max(clock.time, subscription.paidUntil)
  // A period ends at its end date, and Google would have sent a notification about that first.
  else if (state === 'ACTIVE' || state === 'CANCELED') clock.time = Math.min(clock.time, subscription.paidUntil - 1)
  if (move === 'hold' && state === 'IN_GRACE_PERIOD') clock.time = Math.max(clock.time, endOf(store, token))
  if (move === 'defer') store.defer(token, 'P1W')
  else store[move](token)
  return true
}

const endOf = (store: AndroidStore, token: string): number =>
  Date.parse(store.subscriptions.get(token)?.resource.lineItems?.[0]?.expiryTime ?? '')

const anyLife = fc
  .record({
    withTrial: fc.boolean(),
    steps: fc.array(fc.record({ choice: fc.nat(7), gapDays: fc.integer({ min: 0, max: 12 }), isSeen: fc.boolean() }), {
      maxLength: 14,
    }),
  })
  .map(({ withTrial, steps }) => live(withTrial, steps))

function stateOf(observations: readonly Observation[], at: number) {
  const fold = foldObservations(observations, 'SUBSCRIPTION')
  if (!fold) throw new Error('nothing was bought')
  return statusAt(fold, at)
}

/** What must not depend on how much of a life was observed, nor when. */
function essence(observations: readonly Observation[], at: number) {
  const state = stateOf(observations, at)
  const hasAccess = givesAccess(state.status)
  return {
    status: state.status,
    hasAccess,
    order: state.storeTransactionId,
    end: hasAccess ? Math.max(state.expiresAt ?? 0, state.gracePeriodExpiresAt ?? 0) : null,
    willRenew: hasAccess && state.autoRenews,
    resumesAt: state.autoResumeAt,
  }
}

describe('laws of any life', () => {
  test('neither order nor repetition of what was observed matters', () => {
    const arrival = anyLife.chain(({ full, endedAt }) =>
      fc
        .tuple(fc.array(fc.constantFrom(...full), { maxLength: 5 }))
        .chain(([again]) => fc.shuffledSubarray([...full, ...again], { minLength: full.length + again.length }))
        .map((arrived) => ({ full, arrived, endedAt })),
    )
    fc.assert(
      fc.property(arrival, ({ full, arrived, endedAt }) => {
        expect(stateOf(arrived, endedAt)).toEqual(stateOf(full, endedAt))
        expect(transactionLines(arrived, 'SUBSCRIPTION')).toEqual(transactionLines(full, 'SUBSCRIPTION'))
      }),
      { numRuns: 300 },
    )
  })

  test('who missed some of it, or heard of it late and in reverse, comes to the same in the end', () => {
    fc.assert(
      fc.property(anyLife, fc.integer({ min: 0, max: 10 }), ({ full, sparse, late, endedAt }, days) => {
        const at = endedAt + days * DAY
        expect(essence(sparse, at)).toEqual(essence(full, at))
        expect(essence(late, at)).toEqual(essence(full, at))
      }),
      { numRuns: 500 },
    )
  })

  test('every charge seen is one line, whose kind fits its number', () => {
    fc.assert(
      fc.property(anyLife, ({ full }) => {
        const charges = transactionLines(full, 'SUBSCRIPTION').filter(({ key }) => key.endsWith(':CHARGE'))
        const orders = charges.map(({ storeTransactionId }) => storeTransactionId)
        expect(new Set(orders).size).toBe(orders.length)
        expect(orders.slice(1).every((order, index) => order.endsWith(`..${index}`))).toBe(true)
        for (const { kind, isTrial, price } of charges.slice(1)) {
          expect(['RENEWAL', 'TRIAL_CONVERSION']).toContain(kind)
          expect({ isTrial, price }).toEqual({ isTrial: false, price: monthly.price })
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('the stand-in', () => {
  test('makes the same tokens and orders of the same seed', () => {
    const [one, same, other] = ['a', 'a', 'b'].map((seed) => openStore(seed).store.subscribe(monthly))
    expect(one).toBe(same ?? '')
    expect(one).not.toBe(other ?? '')
  })
  test('writes orders as Google does', () => {
    const { store } = openStore()
    const token = store.subscribe(monthly)
    expect(store.subscriptions.get(token)?.orderId).toMatch(/^GPA\.\d{4}-\d{4}-\d{4}-\d{5}$/)
  })
  test('links an upgrade to the purchase that it ends', () => {
    const { store, told } = openStore()
    const old = store.subscribe(monthly)
    const next = store.upgrade(old, { ...monthly, productId: 'max' })
    expect(store.subscriptions.get(next)?.resource.linkedPurchaseToken).toBe(old)
    expect(store.subscriptions.get(old)?.resource.canceledStateContext).toEqual({ replacementCancellation: {} })
    expect(told.map(({ type }) => type)).toEqual([
      'SUBSCRIPTION_PURCHASED',
      'SUBSCRIPTION_PURCHASED',
      'SUBSCRIPTION_EXPIRED',
    ])
  })
  test('keeps a pending purchase to itself', () => {
    const { store, told } = openStore()
    const token = store.subscribePending(monthly)
    expect(decodeSubscription(store.subscriptions.get(token)?.resource, token)).toEqual({
      ok: false,
      reason: 'not_paid',
    })
    expect(told).toEqual([])
  })
  test('knows no turn of a purchase that it did not sell', () => {
    const { store } = openStore()
    expect(() => store.renew('other')).toThrow('sold no subscription')
    expect(() => store.refund('other')).toThrow('sold no product')
  })
})
