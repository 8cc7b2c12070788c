import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkLaw, LAW_PATIENCE_MS, SEED, SEEDED } from '../../../../test/support/laws'
import { isRelease, moreInRelease } from '../../../../test/support/release'
import { DAY } from '../../../base/lib/clock'
import { givesAccess } from '../../../core/purchase/status'
import { isCharge } from '../lines'
import type { TransactionLine } from '../model'
import { statusAt } from '../status'
import { type Arrival, anyArrival, arrive, permutations } from './arrivals.fixtures'
import { accessOf, Book, type ObservationBatch } from './book.fixtures'
import { batchesOfFact, joined } from './histories.fixtures'
import { anyIosScript, liveIos } from './ios-life.fixtures'
import {
  expectedAccess,
  expectedCoins,
  expectedCourse,
  expectedMoney,
  expectedMrr,
  expectedStatus,
  hasAccess,
  heardAt,
} from './ios-oracle.fixtures'
import { IOS_TURNS, type IosTurn } from './ios-turns.fixtures'
import { IOS_SHOP, type IosFact, type IosSale, type IosWorld, isCommitted, isShared } from './ios-world.fixtures'
import { mrrOfBook } from './revenue.fixtures'
import { SHOP } from './shop.fixtures'

const instantsOf = ({ now }: IosWorld): number[] => [now, now + 3 * DAY, now + 40 * DAY, now + 500 * DAY]

function bookOf(batches: readonly ObservationBatch[], now: number): Book {
  const book = new Book(SHOP)
  for (const one of batches) book.record(one, now)
  return book
}

const anyLife = fc.record({ script: anyIosScript, arrivals: fc.tuple(anyArrival, anyArrival) })

/** Coins are bought, then refunded and reversed by turns. */
const anyReturns = fc.array(fc.nat({ max: 11 }), { minLength: 2, maxLength: 6 }).map((picks) =>
  [0, ...picks].map((pick, index) => {
    const turn: IosTurn = index === 0 ? 'COINS' : index % 2 === 1 ? 'REFUND' : 'REVERSE'
    return { turn, pick, gap: 1, isShared: false }
  }),
)

const law = (name: string, body: () => void) => test(name, body, LAW_PATIENCE_MS)

describe(`laws of any life at the App Store ${SEEDED}`, () => {
  law('its facts in any order, and some of them twice, come to the same', () => {
    checkLaw(anyLife, ({ script, arrivals }) => {
      const world = liveIos(script, { hasPasses: true })
      const batches = world.facts.flatMap(batchesOfFact)
      const instants = instantsOf(world)
      const expected = bookOf(batches, world.now).outcome(instants)
      for (const arrival of arrivals)
        expect(bookOf(arrive(batches, arrival), world.now).outcome(instants)).toBe(expected)
      expect(bookOf(batches.toReversed(), world.now).outcome(instants)).toBe(expected)
    })
  })

  law('a short life comes to the same in each of its orders', () => {
    checkLaw(
      anyIosScript.map((script) => ({ ...script, steps: script.steps.slice(0, 3) })),
      (script) => {
        const world = liveIos(script, { hasPasses: true })
        const batches = world.facts.flatMap(batchesOfFact).slice(0, 5)
        const outcomes = permutations(batches).map((order) => bookOf(order, world.now).outcome([world.now]))
        expect(new Set(outcomes).size).toBe(1)
      },
      0.1,
    )
  })

  law('two halves come to the whole, whatever each is told in and when', () => {
    checkLaw(anyLife, ({ script, arrivals: [first, second] }) => {
      const world = liveIos(script, { hasPasses: true })
      const batches = world.facts.flatMap(batchesOfFact)
      const instants = instantsOf(world)
      const halves = toHalves(batches, first)
      const whole = bookOf(joined(batches), world.now)
      const book = new Book(SHOP)
      for (const one of joined(halves[0])) book.record(one, world.now - 20 * DAY)
      for (const one of joined(arrive(halves[1].length > 0 ? halves[1] : batches, second))) book.record(one, world.now)
      expect(book.outcome(instants)).toBe(whole.outcome(instants))
      const sum = book.ledger.entries.reduce((total, { amount }) => total + Number(amount), 0)
      expect(sum).toBe(Object.values(whole.balances()).reduce((total, balance) => total + balance, 0))
    })
  })

  law('what is told again changes nothing and is no event', () => {
    checkLaw(anyLife, ({ script, arrivals: [order] }) => {
      const world = liveIos(script, { hasPasses: true })
      const batches = world.facts.flatMap(batchesOfFact)
      const book = bookOf(arrive(batches, order), world.now)
      const before = book.outcome([world.now])
      for (const one of batches) expect(book.record(one, world.now + 90 * DAY)).toEqual([])
      expect(book.outcome([world.now])).toBe(before)
    })
  })

  law('status, access and course are those of the table, by what the store knows', () => {
    checkLaw(anyLife, ({ script, arrivals: [order] }) => {
      const world = liveIos(script, { hasNoTies: true, hasPasses: true })
      const book = bookOf(arrive(world.facts.flatMap(batchesOfFact), order), world.now)
      for (const at of instantsOf(world)) {
        for (const chain of world.chains) {
          expect(statusOf(book, chain, at)).toEqual(expectedOf(world, chain, at))
          expect(foldOf(book, chain)).toMatchObject(expectedCourse(chain))
        }
        expect(accessOf(book, at)).toEqual(expectedAccess(world, at))
      }
    })
  })

  law('a new period ends the billing problem of the one before, though only a receipt reports it', () => {
    checkLaw(anyLife, ({ script, arrivals: [order] }) => {
      const world = liveIos(script, { hasNoTies: true, hasPasses: true })
      world.facts.splice(0, world.facts.length, ...world.facts.map(asReceipt))
      const book = bookOf(arrive(world.facts.flatMap(batchesOfFact), order), world.now)
      for (const at of instantsOf(world))
        for (const chain of world.chains) expect(statusOf(book, chain, at)).toEqual(expectedOf(world, chain, at))
    })
  })

  law('recurring revenue is the sum of the prices', () => {
    checkLaw(anyLife, ({ script, arrivals: [order] }) => {
      const world = liveIos(script, { hasNoTies: true, hasPasses: true })
      const book = bookOf(arrive(world.facts.flatMap(batchesOfFact), order), world.now)
      for (const at of instantsOf(world)) expect([at, mrrOfBook(book, SHOP, at)]).toEqual([at, expectedMrr(world, at)])
    })
  })

  law('each id of a sale leads to its one charge, and no currency is granted without one', () => {
    checkLaw(anyLife, ({ script, arrivals: [order] }) => {
      const world = liveIos(script, { hasNoTies: true, hasPasses: true })
      const book = bookOf(arrive(world.facts.flatMap(batchesOfFact), order), world.now)
      const charges = [...book.purchases.values()].flatMap(({ lines }) => [...lines.values()].filter(isCharge))
      const namesOf = (one: TransactionLine) => [one.storeTransactionId, ...(one.aliases ?? [])]
      const reported = (id: string) => world.facts.some((fact) => transactionOf(fact)?.transactionId === id)
      for (const sale of [
        ...world.chains.filter((chain) => !isShared(chain)).flatMap(({ sales }) => sales),
        ...world.items,
      ])
        for (const id of sale.ids.filter(reported)) {
          const own = charges.filter((one) => namesOf(one).includes(id))
          const others = sale.ids.filter(reported).filter((other) => !own.some((one) => namesOf(one).includes(other)))
          expect([id, own.length, others]).toEqual([id, 1, []])
        }
      for (const { reference } of book.ledger.booked()) {
        const name = reference.split(':').at(-1) ?? ''
        const isCharged = charges.some((one) => namesOf(one).includes(name)) || book.purchases.get(name)?.lines.size
        expect([reference, Boolean(isCharged)]).toEqual([reference, true])
      }
    })
  })

  law('money and coins are what was paid and kept', () => {
    checkLaw(anyLife, ({ script, arrivals: [order] }) => {
      const world = liveIos(script, { hasNoTies: true, hasPasses: true })
      const book = bookOf(arrive(world.facts.flatMap(batchesOfFact), order), world.now)
      expect(book.money().USD ?? 0).toBe(expectedMoney(world))
      expect(book.balances().coins ?? 0).toBe(expectedCoins(world))
    })
  })

  law('coins that are refunded again and again, in part or as a whole, are what was kept', () => {
    checkLaw(
      fc.record({ steps: anyReturns, arrival: anyArrival }),
      ({ steps, arrival }) => {
        const world = liveIos({ opening: 'TRIAL', steps }, { hasNoTies: true })
        const batches = world.facts.flatMap(batchesOfFact)
        for (const order of [arrive(batches, arrival), batches.toReversed()])
          expect(bookOf(order, world.now).balances().coins ?? 0).toBe(expectedCoins(world))
      },
      0.3,
    )
  })
})

type Chain = IosWorld['chains'][number]

const transactionOf = (fact: IosFact) => (fact.kind === 'RECEIPT' ? fact.payload : fact.order.transaction)

const keyOf = ({ sales: [first] }: Chain): string => {
  const { originalTransactionId = '', inAppOwnershipType } = first?.payload ?? {}
  return inAppOwnershipType === 'FAMILY_SHARED' ? `${originalTransactionId}:me` : originalTransactionId
}

/** The device sends the transaction that the store's notification would have contained. */
function asReceipt(fact: IosFact): IosFact {
  const isOfPeriod = fact.kind === 'NOTIFICATION' && BEGINNINGS.includes(fact.order.kind[0])
  const payload = isOfPeriod ? fact.order.transaction : null
  return payload ? { kind: 'RECEIPT', at: fact.at, payload: { ...payload, signedDate: fact.at } } : fact
}

const BEGINNINGS = ['SUBSCRIBED', 'DID_RENEW', 'OFFER_REDEEMED']

function foldOf(book: Book, chain: Chain) {
  const [, fold] = book.folds().find(([key]) => key === keyOf(chain)) ?? []
  if (!fold) throw new Error('The chain is unknown')
  return fold
}

function statusOf(book: Book, chain: Chain, at: number) {
  const { status } = statusAt(foldOf(book, chain), at)
  return { status, access: givesAccess(status) }
}

function expectedOf(world: IosWorld, chain: Chain, at: number) {
  const status = expectedStatus(chain, at, heardAt(world, chain))
  return { status, access: hasAccess(status) }
}

/** The first half by the ranks of an arrival, and the rest. */
function toHalves<Fact>(facts: readonly Fact[], { ranks }: Arrival): [Fact[], Fact[]] {
  const isFirst = (_: Fact, index: number) => (ranks[index % ranks.length] ?? 0) < 50
  return [facts.filter(isFirst), facts.filter((fact, index) => !isFirst(fact, index))]
}

const RULES = [
  ...(['INITIAL', 'TRIAL', 'TRIAL_CONVERSION', 'RENEWAL', 'REACTIVATION', 'PRODUCT_CHANGE'] as const),
  ...(['CREDIT_PURCHASE', 'NON_RENEWING_PURCHASE', 'REFUND', 'REFUND_REVERSAL'] as const),
  ...(['TRIALING', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY', 'EXPIRED', 'REFUNDED', 'REVOKED'] as const),
  ...(['COPIES', 'COPY_REFUNDED', 'PART_REFUNDED', 'UPGRADED_REFUNDED', 'NEXT_PRODUCT', 'PASSES'] as const),
  ...(['COMMITTED', 'COMMITTED_AGAIN', 'COMMITMENT_REFUNDED'] as const),
] as const
type Rule = (typeof RULES)[number] | `${IosTurn}_TURN`

/** The rules that a life reaches. */
function rulesOf(world: IosWorld, book: Book): Rule[] {
  const lines = [...book.purchases.values()].flatMap((one) => [...one.lines.values()])
  const folds = book.folds().map(([, fold]) => fold)
  const copied = lines.filter(({ aliases = [] }) => aliases.length > 0)
  const isUpgraded = ({ payload, returned }: IosSale) => payload.isUpgraded === true && returned !== null
  const committed = world.chains.flatMap(({ sales }) => sales.filter(({ payload }) => isCommitted(payload)))
  const seen: [Rule, boolean][] = [
    ['COPIES', copied.length > 0],
    ['COPY_REFUNDED', copied.some((line) => line.kind === 'REFUND')],
    ['PART_REFUNDED', lines.some(({ kind, share = 100_000 }) => kind === 'REFUND' && share < 100_000)],
    ['UPGRADED_REFUNDED', world.chains.some(({ sales }) => sales.some(isUpgraded))],
    ['NEXT_PRODUCT', folds.some(({ pendingStoreProductId }) => pendingStoreProductId !== null)],
    ['COMMITTED', committed.length > 0],
    ['COMMITTED_AGAIN', committed.some(({ how }) => how === 'RENEWAL')],
    ['COMMITMENT_REFUNDED', committed.some(({ returned }) => returned !== null)],
    ['PASSES', folds.some(({ storeProductId }) => storeProductId === IOS_SHOP.pass.productId)],
  ]
  const found = seen.flatMap(([rule, isSeen]) => (isSeen ? [rule] : []))
  const names = folds.map((fold) => statusAt(fold, world.now).status).map((one) => (one === 'TRIAL' ? 'TRIALING' : one))
  return RULES.filter((rule) => [...lines.map(({ kind }) => kind), ...names, ...found].some((one) => one === rule))
}

law('the lives reach each rule', () => {
  const counts = new Map<Rule, number>()
  for (const script of fc.sample(anyIosScript, { seed: SEED, numRuns: moreInRelease(20, 1000) })) {
    const turns = new Set<IosTurn>()
    const world = liveIos(script, { hasPasses: true, count: (turn) => turns.add(turn) })
    const book = bookOf(world.facts.flatMap(batchesOfFact), world.now)
    for (const rule of [...rulesOf(world, book), ...[...turns].map((turn): Rule => `${turn}_TURN`)])
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
  }
  expect(counts.get('COPIES')).toBeGreaterThan(0)
  if (!isRelease) return
  const turns = Object.keys(IOS_TURNS) as IosTurn[]
  const wanted: Rule[] = [...RULES, ...turns.map((turn): Rule => `${turn}_TURN`)]
  console.log(wanted.map((rule) => `${rule} ${counts.get(rule) ?? 0}`).join(', '))
  expect(wanted.filter((rule) => !counts.has(rule))).toEqual([])
})
