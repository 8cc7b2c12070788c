import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Observation, ProductType } from '../../stores/observation'
import { nthReference, planGrants } from './grant-plan'
import { type CurrencyGrantRow, currencyGrants, type GrantSource } from './grants'
import { permutations } from './laws/arrivals.fixtures'
import { type Clawback, Ledger } from './ledger.fixtures'
import { transactionLines } from './lines'
import { anyArrival, day, mark, renewal, sold, trial, usd } from './lives.fixtures'

const EVERY: CurrencyGrantRow[] = [{ currencyId: 'gems', amount: 500n, grantOn: 'BOTH' }]

/** The monthly product grants nothing, the yearly one 500 gems. */
const byProduct = (storeProductId: string) => (storeProductId === 'yearly' ? EVERY : [])

const source = (
  observations: readonly Observation[],
  rowsOf: GrantSource['rowsOf'] = () => EVERY,
  productType: ProductType = 'SUBSCRIPTION',
): GrantSource => ({
  purchaseId: 'pur_1',
  chargeScope: '',
  productType,
  lines: transactionLines(observations, productType),
  rowsOf,
})

/** A ledger of gems for one purchase. */
class Gems {
  private readonly ledger: Ledger
  private known: Observation[] = []

  constructor(
    private readonly rowsOf: GrantSource['rowsOf'] = () => EVERY,
    mode: Clawback = 'full',
    private readonly productType: ProductType = 'SUBSCRIPTION',
  ) {
    this.ledger = new Ledger(mode)
  }

  get balance(): number {
    return Number(this.ledger.balances.get('gems') ?? 0)
  }

  get entries(): number {
    return this.ledger.entries.length
  }

  spend(amount: number): this {
    this.ledger.spend('gems', BigInt(amount))
    return this
  }

  add(...observations: Observation[]): this {
    for (const observation of observations) {
      const before = this.#source()
      this.known = [...this.known, observation]
      const plan = planGrants(this.#source(), currencyGrants(before), this.ledger.booked(), before.lines)
      for (const { amount } of plan.due) expect(amount).toBeGreaterThan(0n)
      this.ledger.carryOut(plan)
    }
    return this
  }

  #source = (): GrantSource => source(this.known, this.rowsOf, this.productType)
}

const gemsOf = (...observations: Observation[]) => new Gems().add(...observations)

test('names count from the second time on', () => {
  expect([nthReference('purchase:pur_1', 1), nthReference('purchase:pur_1', 2)]).toEqual([
    'purchase:pur_1',
    'purchase:pur_1:2',
  ])
})

describe('a purchase', () => {
  test('is granted once, however often it is told', () => {
    const ledger = gemsOf(sold(), sold({}, day(1)), sold({}, day(2)))
    expect([ledger.balance, ledger.entries]).toEqual([500, 1])
  })

  test('refunded is taken back once, however often that is told', () => {
    const ledger = gemsOf(sold(), mark('REFUND', 5), mark('REFUND', 6), sold({}, day(7)))
    expect([ledger.balance, ledger.entries]).toEqual([0, 2])
  })

  test('whose refund is reversed is granted again, and taken again by the next refund', () => {
    const ledger = gemsOf(sold(), mark('REFUND', 5), mark('REVERSAL', 9))
    expect([ledger.balance, ledger.entries]).toEqual([500, 3])
    ledger.add(mark('REFUND', 12))
    expect([ledger.balance, ledger.entries]).toEqual([0, 4])
    ledger.add(mark('REVERSAL', 15))
    expect([ledger.balance, ledger.entries]).toEqual([500, 5])
  })

  test('of which 200 were spent gets back what the refund took, not more', () => {
    const ledger = new Gems(undefined, 'available').add(sold()).spend(200)
    ledger.add(mark('REFUND', 5))
    expect(ledger.balance).toBe(0)
    ledger.add(mark('REVERSAL', 9))
    expect(ledger.balance).toBe(300)
  })

  test('of which all was spent gets nothing back, and no empty entry', () => {
    const ledger = new Gems(undefined, 'available').add(sold())
    ledger.spend(500)
    ledger.add(mark('REFUND', 5), mark('REVERSAL', 9), mark('REFUND', 12))
    expect([ledger.balance, ledger.entries]).toEqual([0, 2])
  })

  test('keeps its grant when nothing is to be taken back', () => {
    const ledger = new Gems(undefined, 'none').add(sold(), mark('REFUND', 5), mark('REVERSAL', 9))
    expect([ledger.balance, ledger.entries]).toEqual([500, 1])
  })
})

test('a reversed refund returns nothing that was granted by mistake, before the first charge was known', () => {
  const again = sold({ transactionId: '2', purchaseDate: day(60), storeProductId: 'yearly' }, day(60))
  const facts = [sold(), again, mark('REFUND', 65), mark('REVERSAL', 70)]
  for (const order of permutations(facts))
    expect([new Gems(byProduct).add(...order).balance, order.map(({ id }) => id)]).toEqual([
      500,
      order.map(({ id }) => id),
    ])
})

describe('a consumable of which a part was refunded before the whole (purchases 5.2)', () => {
  const coins = (mode: Clawback, ...facts: Observation[]) => new Gems(undefined, mode, 'CONSUMABLE').add(...facts)
  const third = usd(3_330_000)
  const reversal = mark('REVERSAL', 5)
  const whole = mark('REFUND', 9)
  const parts: [name: string, part: Observation][] = [
    ['a stated share', mark('REFUND', 3, { amount: third, share: 33_333 })],
    ['an amount', mark('REFUND', 3, { amount: third })],
  ]
  for (const [name, part] of parts)
    for (const mode of ['full', 'available'] as const)
      test(`has nothing left in any order of the news: ${name}, clawback ${mode}`, () => {
        for (const order of permutations([sold(), part, reversal, whole])) {
          const ledger = coins(mode, ...order, ...order)
          expect([ledger.balance, order.map(({ id }) => id)]).toEqual([0, order.map(({ id }) => id)])
        }
      })

  test('has nothing left when the rest was refunded, though each part is rounded down', () => {
    for (const [, part] of parts)
      for (const order of permutations([sold(), part, mark('REFUND', 6, { amount: third }), whole]))
        expect(coins('full', ...order).balance).toBe(0)
  })

  test('is whole again when both were reversed, and lacks the last refund of a part', () => {
    const [, part] = parts[0] ?? ['', whole]
    const last = mark('REFUND', 13, { amount: usd(4_995_000), share: 50_000 })
    for (const order of permutations([part, reversal, whole, mark('REVERSAL', 11), last])) {
      const ledger = coins('full', sold(), ...order.filter((one) => one !== last))
      expect(ledger.balance).toBe(500)
      expect(ledger.add(last).balance).toBe(250)
      expect(coins('full', sold(), ...order).balance).toBe(250)
    }
  })

  test('lacks what the whole took, whatever is told of a part that nothing reversed', () => {
    for (const [, part] of parts) {
      const later = { ...part, id: 'later', eventAt: day(12) }
      for (const order of permutations([sold(), whole, later])) expect(coins('full', ...order).balance).toBe(0)
      for (const order of permutations([sold(), whole, mark('REVERSAL', 10), later]))
        expect(coins('full', ...order).balance).toBe(334)
    }
  })

  test('loses the part of what it was granted, whatever the product grants since', () => {
    let amount = 500n
    const ledger = new Gems(() => [{ currencyId: 'gems', amount, grantOn: 'BOTH' }], 'full', 'CONSUMABLE').add(sold())
    amount = 900n
    expect(ledger.add(mark('REFUND', 3, { amount: third, share: 33_333 })).balance).toBe(334)
    expect(ledger.add(whole).balance).toBe(0)
    expect(ledger.add(reversal).balance).toBe(0)
    expect(ledger.add(mark('REVERSAL', 11)).balance).toBe(500)
  })

  test('of which 400 were spent gives what it still had, and gets just that back', () => {
    const [, part] = parts[0] ?? ['', whole]
    const ledger = coins('available', sold()).spend(400).add(part, whole)
    expect(ledger.balance).toBe(0)
    expect(ledger.add(reversal).balance).toBe(0)
    expect(ledger.add(mark('REVERSAL', 11)).balance).toBe(100)
  })

  test('takes nothing when nothing is to be taken back', () => {
    for (const [, part] of parts) expect(coins('none', whole, part, sold(), reversal).entries).toBe(1)
  })
})

describe('late news', () => {
  const refundOfSecond = mark('REFUND', 35, { transactionId: '2' })

  test('that the refunded charge was a renewal gives the purchase its grant', () => {
    const ledger = gemsOf(trial(), renewal(), refundOfSecond)
    expect(ledger.balance).toBe(0)
    ledger.add(sold({ purchaseDate: day(7), transactionId: '3', reason: 'RENEWAL' }))
    expect(ledger.balance).toBe(500)
  })

  const month = sold({ expiresAt: day(30) })
  const year = sold({ storeProductId: 'yearly', transactionId: '2', purchaseDate: day(10), expiresAt: day(375) })

  test('that the year was an upgrade takes back what it had granted as a purchase', () => {
    const ledger = new Gems(byProduct).add(year)
    expect(ledger.balance).toBe(500)
    ledger.add(month)
    expect(ledger.balance).toBe(0)
    expect(new Gems(byProduct).add(month, year).entries).toBe(0)
  })

  test('that there was a year before the month gives what was taken once more', () => {
    const earlier = sold({ storeProductId: 'yearly', transactionId: '0', purchaseDate: day(-5), expiresAt: day(1) })
    const ledger = new Gems(byProduct).add(year, month, earlier)
    expect(ledger.balance).toBe(500)
    expect(new Gems(byProduct).add(earlier, month, year).balance).toBe(500)
  })
})

test('a product put in the place of the one that was charged changes no grant, whichever is told first', () => {
  const charged = sold({ storeProductId: 'yearly' })
  const switched = sold({ storeProductId: 'monthly', chargedStoreProductId: 'yearly' }, day(3))
  for (const order of [[charged, switched], [switched, charged], [switched]])
    expect(new Gems(byProduct).add(...order).balance).toBe(500)
  expect(transactionLines([charged, switched], 'SUBSCRIPTION').map((line) => line.storeProductId)).toEqual(['yearly'])
})

describe('a change of the catalogue', () => {
  test('that ends a grant takes nothing back', () => {
    const before = currencyGrants(source([sold()], () => []))
    const booked = [{ reference: 'purchase:pur_1', currencyId: 'gems', number: 1, amount: 500n, taken: null }]
    const plan = planGrants(
      source([sold(), sold({}, day(2))], () => []),
      before,
      booked,
    )
    expect(plan).toEqual({ lessened: [], wrong: [], due: [], refunded: [], parts: [] })
  })

  test('that begins a grant pays for new charges only', () => {
    const before = currencyGrants(source([sold()]))
    const plan = planGrants(source([sold(), renewal()]), before, [])
    expect(plan.due).toEqual([{ reference: 'renewal:2', currencyId: 'gems', amount: 500n, number: 1 }])
  })

  test('of the amount leaves what was granted', () => {
    const more = () => [{ currencyId: 'gems', amount: 700n, grantOn: 'BOTH' as const }]
    const before = currencyGrants(source([sold()], more))
    const booked = [{ reference: 'purchase:pur_1', currencyId: 'gems', number: 1, amount: 500n, taken: null }]
    const plan = planGrants(source([sold(), sold({}, day(2))], more), before, booked)
    expect(plan).toEqual({ lessened: [], wrong: [], due: [], refunded: [], parts: [] })
  })
})

const SEED = 20261120

/** No store sells one transaction as two products. */
const hasOneProductEach = (life: readonly Observation[]): boolean => {
  const parts = life.flatMap((one) => (one.kind === 'REPORT' && one.transaction ? [one.transaction] : []))
  const sales = parts.map(({ transactionId, storeProductId }) => `${transactionId} ${storeProductId}`)
  return new Set(sales).size === new Set(parts.map(({ transactionId }) => transactionId)).size
}

const rules: [name: string, rowsOf: GrantSource['rowsOf']][] = [
  ['every product grants alike', () => EVERY],
  ['only the year grants', byProduct],
  [
    'each product grants its own',
    (product) => [{ currencyId: 'gems', amount: BigInt(product.length * 10), grantOn: 'BOTH' }],
  ],
  [
    'purchases and renewals differ',
    () => [
      { currencyId: 'gems', amount: 500n, grantOn: 'PURCHASE' },
      { currencyId: 'gems', amount: 70n, grantOn: 'RENEWAL' },
    ],
  ],
]
for (const [name, rowsOf] of rules)
  for (const mode of ['full', 'none'] as const)
    test(`any arrival of any life ends in one balance: ${name}, clawback ${mode} (seed ${SEED})`, () => {
      const property = fc.property(anyArrival, ({ life, arrival }) => {
        fc.pre(hasOneProductEach(life))
        const balance = (observations: Observation[]) => new Gems(rowsOf, mode).add(...observations).balance
        expect(balance(arrival)).toBe(balance(life))
      })
      fc.assert(property, { seed: SEED, numRuns: Number(process.env.SVC_TEST_RUNS ?? 400) })
    })
