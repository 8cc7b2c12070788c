import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkLawAsync, LAW_PATIENCE_MS, SEED, SEEDED } from '../../../../test/support/laws'
import { isRelease, moreInRelease } from '../../../../test/support/release'
import { DAY } from '../../../base/lib/clock'
import { isCharge } from '../lines'
import { statusAt } from '../status'
import { type Arrival, anyArrival, arrive } from './arrivals.fixtures'
import { Chains, type HeldLine } from './chains.fixtures'
import {
  anyItemsScript,
  ITEMS_SHOP,
  type ItemsScript,
  type ItemsStaging,
  liveItems,
  wordOfEvent,
} from './payment-items-life.fixtures'
import {
  expectedAccess,
  expectedMoney,
  expectedMrr,
  expectedStatus,
  hasClassicGone,
  periodInvoices,
} from './payment-items-oracle.fixtures'
import { ITEM_TURNS, type ItemsStore, type ItemTurn } from './payment-items-turns.fixtures'

/** A fraction of the usual number of runs, for each event is decoded from complete objects. Before a release all kinds count. */
const SHARE = moreInRelease(0.12, 1)
const IN_ORDER: Arrival = { ranks: [0], again: [] }

const instantsOf = ({ clock }: ItemsStore): number[] => [0, 3, 20, 500].map((days) => clock.now() + days * DAY)

interface Heard {
  store: ItemsStore
  chains: Chains
}

/** A life of which each turn is told at once, in some order. */
async function hear(script: ItemsScript, arrival: Arrival, staging: ItemsStaging = {}): Promise<Heard> {
  const chains = new Chains(ITEMS_SHOP)
  const store = await liveItems(
    script,
    async (events, world) => {
      for (const event of events.length > 0 ? arrive(events, arrival) : []) {
        const word = await wordOfEvent(event, world)
        if (word) chains.record(word)
      }
    },
    staging,
  )
  return { store, chains }
}

/** A life of which everything is told after its end, in some order. */
async function hearLate(script: ItemsScript, arrival: Arrival, staging: ItemsStaging = {}): Promise<Chains> {
  const chains = new Chains(ITEMS_SHOP)
  const store = await liveItems(script, () => undefined, staging)
  for (const event of arrive(store.world.events, arrival)) {
    const word = await wordOfEvent(event, store)
    if (word) chains.record(word)
  }
  return chains
}

const anyLife = fc.record({ script: anyItemsScript, arrivals: fc.tuple(anyArrival, anyArrival) })
const law = (name: string, body: () => Promise<void>) => test(name, body, LAW_PATIENCE_MS)

/** The line of a subscription that an item is. */
function lineOf({ chains }: Heard, { id }: { id: string }) {
  const line = chains.lines.find(({ lineKey }) => lineKey === id)
  if (!line) throw new Error(`The item ${id} is unknown`)
  return line
}

describe(`laws of any life with several lines at the payment provider ${SEEDED}`, () => {
  law('the events of each turn in any order, and some of them twice, come to the same', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals }) => {
        const { store, chains } = await hear(script, IN_ORDER)
        const expected = chains.outcome(instantsOf(store))
        for (const arrival of arrivals)
          expect((await hear(script, arrival)).chains.outcome(instantsOf(store))).toBe(expected)
      },
      SHARE,
    ),
  )

  law('what is told again changes nothing', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, chains } = await hear(script, arrival)
        const before = [chains.verdict(instantsOf(store)), chains.moneyLines()]
        const tellAgain = async () => {
          const words = await Promise.all(store.world.events.map((event) => wordOfEvent(event, store)))
          return words.flatMap((word) => (word ? [chains.record(word)] : []))
        }
        // A state that is told again after a while is recorded as told again, once.
        await tellAgain()
        expect(new Set(await tellAgain())).toEqual(new Set([false]))
        expect([chains.verdict(instantsOf(store)), chains.moneyLines()]).toEqual(before)
      },
      SHARE,
    ),
  )

  law('told after its end and in any order, it comes to the same access, revenue, money and balances', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const taken = new Set<ItemTurn>()
        const { store, chains } = await hear(script, IN_ORDER, { count: (turn) => taken.add(turn) })
        const late = await hearLate(script, arrival)
        const [found, expected] = [late.verdict(instantsOf(store)), chains.verdict(instantsOf(store))]
        // Which item another one replaced is only seen in time. An item that replaces another one is no new purchase.
        const { balances } = taken.has('SWAP') ? expected : found
        expect({ ...found, balances }).toEqual(expected)
      },
      SHARE,
    ),
  )

  law('money is what was paid and kept', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, chains } = await hear(script, arrival)
        expect(chains.money()).toBe(expectedMoney(store))
      },
      SHARE,
    ),
  )

  law('status, access and recurring revenue are those of the provider', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        // With parts of a charge returned both by credit notes and without, only the total is certain.
        const heard = await hear(script, arrival, { without: ['REFUND_PART'] })
        const { store, chains } = heard
        for (const at of instantsOf(store)) {
          const heardAt = (_: unknown, item: { id: string }) => lineOf(heard, item).fold.storeEventAt
          for (const sale of store.world.subscriptions.values())
            for (const item of sale.items.data)
              expect([item.id, statusAt(lineOf(heard, item).fold, at).status]).toEqual([
                item.id,
                expectedStatus(store, sale, item, at, heardAt(sale, item)),
              ])
          expect(chains.accessAt(at)).toEqual(expectedAccess(store, at, heardAt))
          expect(chains.mrrAt(at)).toBe(expectedMrr(store, at, heardAt))
        }
      },
      SHARE,
    ),
  )

  law('every object of a sale leads to it, and says nothing new', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, chains } = await hear(script, arrival)
        const money = chains.moneyLines()
        emitAll(store)
        for (const event of store.takeEvents()) {
          const word = await wordOfEvent(event, store)
          if (word)
            expect([event.type, chains.linesOf(word.store, word.chainKey).length > 0]).toEqual([event.type, true])
          if (word) chains.record(word)
        }
        expect(chains.moneyLines()).toEqual(money)
      },
      SHARE,
    ),
  )

  law('a renewal sells what the charge before it sold, and a change of product by the provider grants nothing', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        // An item that takes the place of another one has that one's charges too.
        const { chains } = await hear(script, arrival, { without: ['SWAP'] })
        for (const { money } of chains.lines) {
          const charges = money.filter((line) => isCharge(line) && line.kind !== 'ADJUSTMENT')
          for (const [index, { kind, storeProductId, storeTransactionId, changedFrom }] of charges.entries()) {
            const before = charges[index - 1]?.storeProductId
            if (kind === 'RENEWAL')
              expect([storeTransactionId, storeProductId]).toEqual([storeTransactionId, before ?? storeProductId])
            if (changedFrom === undefined) continue
            expect([kind, changedFrom]).toEqual(['PRODUCT_CHANGE', before ?? ''])
            const granted = chains.ledger
              .booked()
              .filter(({ reference }) => reference.startsWith(`renewal:${storeTransactionId}`))
            expect(granted).toEqual([])
          }
        }
      },
      SHARE,
    ),
  )

  law('no currency is granted without the charge of a period, but for what is sold once', () =>
    checkLawAsync(
      anyLife,
      async ({ script, arrivals: [arrival] }) => {
        const { store, chains } = await hear(script, arrival)
        const periods = periodInvoices(store)
        const sold = chains.lines.filter(({ type }) => type === 'SUBSCRIPTION')
        const isOfPeriod = ({ storeTransactionId }: { storeTransactionId: string }) => periods.has(storeTransactionId)
        for (const { reference } of chains.ledger.booked()) {
          const [kind, name = ''] = reference.split(':')
          const line = sold.find(({ id }) => kind === 'purchase' && id === name)
          if (line) expect([reference, line.money.some(isOfPeriod)]).toEqual([reference, true])
          if (kind === 'renewal') expect([reference, periods.has(name.split('/')[0] ?? '')]).toEqual([reference, true])
        }
      },
      SHARE,
    ),
  )
})

/** An event about each object that a sale of the provider has. */
function emitAll({ world }: ItemsStore): void {
  for (const one of world.subscriptions.values()) world.emit('customer.subscription.updated', one)
  for (const one of world.invoices.values()) world.emit('invoice.paid', one)
  for (const one of world.intents.values()) world.emit('payment_intent.succeeded', one)
  for (const one of world.charges.values()) world.emit('charge.refunded', one)
  for (const one of world.sessions.values()) world.emit('checkout.session.completed', one)
}

const RULES = [
  ...(['INITIAL', 'TRIAL', 'TRIAL_CONVERSION', 'RENEWAL', 'PRODUCT_CHANGE', 'ADJUSTMENT'] as const),
  ...(['CREDIT_PURCHASE', 'NON_RENEWING_PURCHASE', 'REFUND', 'REFUND_REVERSAL', 'CHARGEBACK'] as const),
  ...(['TRIALING', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY', 'PAUSED', 'EXPIRED', 'REFUNDED'] as const),
  ...([
    'SEVERAL_LINES',
    'LINE_REPLACED',
    'LINE_REFUNDED',
    'SEATS_HELD',
    'NEXT_PRODUCT',
    'CHANGED_BY_RENEWAL',
    'PAID_BY_BALANCE',
    'CLASSIC_GONE',
  ] as const),
] as const
type Rule = (typeof RULES)[number] | `${ItemTurn}_TURN`

/** The rules that a life reaches. */
function rulesOf({ store, chains }: Heard): Rule[] {
  const kinds = chains.lines.flatMap(({ money }) => money.map(({ kind }) => kind))
  const states = chains.lines.map(({ fold }) => statusAt(fold, store.clock.now()).status)
  const several = [...Map.groupBy(chains.lines, ({ chainKey }) => chainKey).values()].filter(({ length }) => length > 1)
  const isRefunded = (line: HeldLine) => line.fold.refundedAt !== null
  const seen: [Rule, boolean][] = [
    ['SEVERAL_LINES', several.length > 0],
    ['LINE_REPLACED', chains.lines.some(({ formerLineKeys }) => formerLineKeys !== null)],
    ['LINE_REFUNDED', several.some((lines) => lines.some(isRefunded) && !lines.every(isRefunded))],
    ['SEATS_HELD', [...store.world.subscriptions.values()].some(({ items }) => items.data.some(hasSeats))],
    ['NEXT_PRODUCT', chains.lines.some(({ fold }) => fold.pendingStoreProductId !== null)],
    [
      'CHANGED_BY_RENEWAL',
      chains.lines.some(({ money }) => money.some(({ changedFrom }) => changedFrom !== undefined)),
    ],
    ['CLASSIC_GONE', hasClassicGone(store)],
    ['PAID_BY_BALANCE', [...store.world.invoices.values()].some(isPaidByBalance)],
  ]
  const found = seen.flatMap(([rule, isSeen]) => (isSeen ? [rule] : []))
  return RULES.filter((rule) => [...kinds, ...states.map(nameOf), ...found].includes(rule))
}

const nameOf = (status: string) => (status === 'TRIAL' ? 'TRIALING' : status) as Rule
const hasSeats = ({ quantity = 1 }: { quantity?: number }): boolean => quantity > 1
const isPaidByBalance = ({
  status,
  total,
  amount_paid,
}: {
  status: string | null
  total: number
  amount_paid: number
}) => status === 'paid' && total > 0 && amount_paid === 0

law('the lives reach each rule', async () => {
  const counts = new Map<Rule, number>()
  const add = (rule: Rule) => counts.set(rule, (counts.get(rule) ?? 0) + 1)
  for (const script of fc.sample(anyItemsScript, { seed: SEED, numRuns: moreInRelease(10, 1000) })) {
    const turns = new Set<ItemTurn>()
    const heard = await hear(script, IN_ORDER, { count: (turn) => turns.add(turn) })
    for (const rule of [...rulesOf(heard), ...[...turns].map((turn): Rule => `${turn}_TURN`)]) add(rule)
  }
  expect(counts.get('SEVERAL_LINES')).toBeGreaterThan(0)
  if (!isRelease) return
  const wanted: Rule[] = [...RULES, ...(Object.keys(ITEM_TURNS) as ItemTurn[]).map((turn): Rule => `${turn}_TURN`)]
  console.log(wanted.map((rule) => `${rule} ${counts.get(rule) ?? 0}`).join(', '))
  expect(wanted.filter((rule) => !counts.has(rule))).toEqual([])
})
