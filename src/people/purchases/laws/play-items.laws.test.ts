import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkLawAsync, LAW_PATIENCE_MS, SEED, SEEDED } from '../../../../test/support/laws'
import { isRelease, moreInRelease } from '../../../../test/support/release'
import { DAY } from '../../../base/lib/clock'
import type { Item } from '../../../test-store/stores/android'
import { statusAt } from '../status'
import { type Arrival, anyArrival, arrive } from './arrivals.fixtures'
import type { HeldLine } from './chains.fixtures'
import {
  anyPlayItemsScript,
  livePlayItems,
  PLAY_ITEM_TURNS,
  PLAY_ITEMS_START,
  type PlayItemsScript,
  type PlayItemTurn,
} from './play-items-life.fixtures'
import {
  expectedAccess,
  expectedItemCoins,
  expectedMoney,
  expectedMrr,
  expectedStatus,
  periodOrders,
} from './play-items-oracle.fixtures'
import { PlayItemsRecorder } from './play-items-recorder.fixtures'
import { ownedItems, PlayItemsWorld } from './play-items-world.fixtures'

/** A fraction of the usual number of runs. Before a release all count. */
const SHARE = moreInRelease(0.2, 1)
const IN_ORDER: Arrival = { ranks: [0], again: [] }

const instantsOf = ({ now }: PlayItemsWorld): number[] => [0, 3, 20, 500].map((days) => now + days * DAY)

/** A life of which each turn is told at once, in some order. */
async function hear(script: PlayItemsScript, arrival: Arrival, count?: (turn: PlayItemTurn) => void) {
  const world = new PlayItemsWorld(PLAY_ITEMS_START)
  const recorder = new PlayItemsRecorder(world)
  await livePlayItems(
    script,
    async (facts) => {
      for (const fact of facts.length > 0 ? arrive(facts, arrival) : []) await recorder.handle(fact)
    },
    { world, ...(count && { count }) },
  )
  return { world, chains: recorder.chains, recorder }
}

const anyLife = fc.record({ script: anyPlayItemsScript, arrivals: fc.tuple(anyArrival, anyArrival) })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life with several lines at Google Play ${SEEDED}`, () => {
  law('the facts of each turn in any order, and some of them twice, come to the same', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals }) => {
        const { world, chains } = await hear(script, IN_ORDER)
        const expected = chains.outcome(instantsOf(world))
        for (const arrival of arrivals)
          expect((await hear(script, arrival)).chains.outcome(instantsOf(world))).toBe(expected)
      },
      SHARE,
    ),
  )

  law('what is posted again, for each product that an order paid, changes no money, access and balance', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { world, chains, recorder } = await hear(script, arrival)
        const before = [chains.verdict(instantsOf(world)), chains.moneyLines()]
        for (const { token, charged } of world.orders)
          for (const { productId } of charged) await recorder.handle({ kind: 'POST', token, productId, at: world.now })
        expect([chains.verdict(instantsOf(world)), chains.moneyLines()]).toEqual(before)
      },
      SHARE,
    ),
  )

  law('money is what the orders charged and kept, and each order leads to its purchase', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { world, chains } = await hear(script, arrival)
        for (const { orderId, token, charged } of world.orders) {
          const own = chains.linesOf('ANDROID_STORE', token).flatMap(({ money }) => money)
          const lines = own.filter(({ key }) => key === `${orderId}:CHARGE`)
          const paid = charged.filter(({ micros }) => micros > 0)
          expect([orderId, lines.filter(({ price }) => price?.amountMicros).length]).toEqual([orderId, paid.length])
        }
        expect(chains.money()).toBe(expectedMoney(world))
      },
      SHARE,
    ),
  )

  law('status, access and recurring revenue are those of the store', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { world, chains } = await hear(script, arrival)
        for (const at of instantsOf(world)) {
          for (const chain of world.chains) {
            const lines = chains.linesOf('ANDROID_STORE', chain.token)
            for (const item of ownedItems(world, chain)) {
              const line = lines.find(({ lineKey }) => lineKey === item.productId)
              const status = line && statusAt(line.fold, at).status
              expect([item.productId, status]).toEqual([item.productId, expectedStatus(world, chain, item, at)])
            }
          }
          expect(chains.accessAt(at)).toEqual(expectedAccess(world, at))
          expect(chains.mrrAt(at, ({ lineKey }) => lineKey !== 'unsold')).toBe(expectedMrr(world, at))
        }
      },
      SHARE,
    ),
  )

  law('currency is that of the units that were kept and of charged periods', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { world, chains } = await hear(script, arrival)
        const periods = periodOrders(world)
        const booked = chains.ledger.booked()
        const isOfPeriod = ({ storeTransactionId }: { storeTransactionId: string }) => periods.has(storeTransactionId)
        for (const { reference } of booked) {
          const [kind, name = ''] = reference.split(':')
          const line = chains.lines.find(({ id }) => kind === 'purchase' && id === name)
          if (line) expect([reference, line.money.some(isOfPeriod)]).toEqual([reference, true])
          if (kind === 'renewal') expect([reference, periods.has(name.split('/')[0] ?? '')]).toEqual([reference, true])
        }
        const standing = booked.filter(({ reference, taken }) => !reference.startsWith('txn:') && taken === null)
        const ofPlans = standing.reduce(
          (sum, { currencyId, amount }) => sum + (currencyId === 'coins' ? Number(amount) : 0),
          0,
        )
        expect((chains.balances().coins ?? 0) - ofPlans).toBe(expectedItemCoins(world))
      },
      SHARE,
    ),
  )
})

const RULES = [
  ...(['INITIAL', 'TRIAL', 'TRIAL_CONVERSION', 'RENEWAL', 'PRODUCT_CHANGE', 'ADJUSTMENT'] as const),
  ...(['CREDIT_PURCHASE', 'NON_RENEWING_PURCHASE', 'REFUND'] as const),
  ...(['TRIALING', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY', 'PAUSED', 'EXPIRED', 'REFUNDED', 'REVOKED'] as const),
  ...(['SEVERAL_LINES', 'LINE_REPLACED', 'LINE_REFUNDED', 'NEXT_PRODUCT', 'UNITS_OF_SEVERAL', 'COMMITTED'] as const),
] as const
type Rule = (typeof RULES)[number] | `${PlayItemTurn}_TURN`

const isCommitted = ({ autoRenewingPlan }: Item): boolean => Boolean(autoRenewingPlan?.installmentDetails)

/** The rules that a life reaches. */
function rulesOf({ world, chains }: Awaited<ReturnType<typeof hear>>): Rule[] {
  const kinds = chains.lines.flatMap(({ money }) => money.map(({ kind }) => kind))
  const states = chains.lines.map(({ fold }) => statusAt(fold, world.now).status)
  const several = [...Map.groupBy(chains.lines, ({ chainKey }) => chainKey).values()].filter(({ length }) => length > 1)
  const isRefunded = (line: HeldLine) => line.fold.refundedAt !== null
  const seen: [Rule, boolean][] = [
    ['SEVERAL_LINES', several.length > 0],
    ['LINE_REPLACED', chains.lines.some(({ formerLineKeys }) => formerLineKeys !== null)],
    ['LINE_REFUNDED', several.some((lines) => lines.some(isRefunded) && !lines.every(isRefunded))],
    ['NEXT_PRODUCT', chains.lines.some(({ fold }) => fold.pendingStoreProductId !== null)],
    ['COMMITTED', world.chains.some((chain) => ownedItems(world, chain).some(isCommitted))],
    ['UNITS_OF_SEVERAL', world.orders.some(({ charged }) => charged.filter(({ returned }) => returned > 0).length > 1)],
  ]
  const found = seen.flatMap(([rule, isSeen]) => (isSeen ? [rule] : []))
  const names = states.map((status) => (status === 'TRIAL' ? 'TRIALING' : status))
  return RULES.filter((rule) => [...kinds, ...names, ...found].some((one) => one === rule))
}

law('the lives reach each rule', async () => {
  const counts = new Map<Rule, number>()
  for (const script of fc.sample(anyPlayItemsScript, { seed: SEED, numRuns: moreInRelease(10, 1000) })) {
    const turns = new Set<PlayItemTurn>()
    const heard = await hear(script, IN_ORDER, (turn) => turns.add(turn))
    for (const rule of [...rulesOf(heard), ...[...turns].map((turn): Rule => `${turn}_TURN`)])
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
  }
  expect(counts.get('SEVERAL_LINES')).toBeGreaterThan(0)
  if (!isRelease) return
  const turns = Object.keys(PLAY_ITEM_TURNS) as PlayItemTurn[]
  const wanted: Rule[] = [...RULES, ...turns.map((turn): Rule => `${turn}_TURN`)]
  console.log(wanted.map((rule) => `${rule} ${counts.get(rule) ?? 0}`).join(', '))
  expect(wanted.filter((rule) => !counts.has(rule))).toEqual([])
})
