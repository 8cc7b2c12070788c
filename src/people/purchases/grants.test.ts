import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Observation, ProductType } from '../../stores/observation'
import {
  type CurrencyGrantRow,
  clawbackCandidates,
  currencyGrants,
  type GrantSource,
  unjustifiedReferences,
} from './grants'
import { transactionLines } from './lines'
import { anyArrival, day, mark, renewal, sold, trial, usd } from './lives.fixtures'

const row = (grantOn: CurrencyGrantRow['grantOn'], amount = 100, currencyId = 'gems'): CurrencyGrantRow => ({
  currencyId,
  amount: BigInt(amount),
  grantOn,
})

const source = (
  observations: readonly Observation[],
  rows: CurrencyGrantRow[],
  productType: ProductType = 'SUBSCRIPTION',
): GrantSource => ({
  purchaseId: 'pur_1',
  chargeScope: '',
  productType,
  lines: transactionLines(observations, productType),
  rowsOf: () => rows,
})

const grants = (...given: Parameters<typeof source>): [reference: string, amount: number][] =>
  currencyGrants(source(...given)).map(({ reference, amount }) => [reference, Number(amount)])

const lapsed = { transactionId: '2', purchaseDate: day(50), expiresAt: day(80) }

describe('what lines grant', () => {
  const cases: [
    name: string,
    observations: Observation[],
    grantOn: CurrencyGrantRow['grantOn'],
    references: string[],
  ][] = [
    ['a purchase grants on PURCHASE', [sold()], 'PURCHASE', ['purchase:pur_1']],
    ['a purchase grants on BOTH', [sold()], 'BOTH', ['purchase:pur_1']],
    ['a purchase does not grant on RENEWAL', [sold()], 'RENEWAL', []],
    ['a renewal grants on RENEWAL', [sold(), renewal()], 'RENEWAL', ['renewal:2']],
    ['a renewal does not grant on PURCHASE', [sold(), renewal()], 'PURCHASE', ['purchase:pur_1']],
    ['both grant on BOTH', [sold(), renewal()], 'BOTH', ['purchase:pur_1', 'renewal:2']],
    ['renewal re-posted grants no purchase currency', [renewal(), renewal({}, day(40))], 'PURCHASE', []],
    ['a renewal seen first, after a reinstall, is still a renewal', [renewal()], 'BOTH', ['renewal:2']],
    ['a trial start grants nothing', [trial()], 'BOTH', []],
    ['the conversion of a trial is a PURCHASE', [trial(), renewal()], 'PURCHASE', ['purchase:pur_1']],
    ['the conversion of a trial is no RENEWAL', [trial(), renewal()], 'RENEWAL', []],
    ['buying again after a lapse is a RENEWAL', [sold(), sold(lapsed)], 'BOTH', ['purchase:pur_1', 'renewal:2']],
    ['buying after a lapsed trial is the PURCHASE', [trial(), sold(lapsed)], 'BOTH', ['purchase:pur_1']],
    [
      'a change of product grants nothing',
      [sold(), sold({ ...lapsed, storeProductId: 'yearly', purchaseDate: day(10) })],
      'BOTH',
      ['purchase:pur_1'],
    ],
    ['a family share grants nothing', [sold({ ownershipType: 'FAMILY_SHARED' })], 'BOTH', []],
  ]
  for (const [name, observations, grantOn, references] of cases)
    test(name, () =>
      expect(grants(observations, [row(grantOn)])).toEqual(references.map((reference) => [reference, 100])),
    )

  test('a consumable grants once per transaction, times its quantity', () => {
    const bought = [sold({ quantity: 3 }), sold({ transactionId: '2', purchaseDate: day(1) })]
    expect(grants(bought, [row('PURCHASE')], 'CONSUMABLE')).toEqual([
      ['txn:1', 300],
      ['txn:2', 100],
    ])
    expect(grants(bought, [row('RENEWAL')], 'CONSUMABLE')).toEqual([])
  })

  test('a one-time product grants once per purchase', () => {
    const bought = [sold(), sold({ transactionId: '2', purchaseDate: day(1) })]
    expect(grants(bought, [row('BOTH')], 'NON_CONSUMABLE')).toEqual([['purchase:pur_1', 100]])
  })

  test('rows of one currency that both apply add up, for the reference is one', () => {
    expect(grants([sold()], [row('PURCHASE', 50), row('BOTH', 7), row('PURCHASE', 1, 'coins')])).toEqual([
      ['purchase:pur_1', 57],
      ['purchase:pur_1', 1],
    ])
  })

  test('of two charges of one instant the first by number is the PURCHASE', () => {
    const ninth = sold({ transactionId: '9' })
    const tenth = sold({ transactionId: '10', reason: 'RENEWAL' })
    expect(grants([tenth, ninth], [row('BOTH')]).map(([reference]) => reference)).toEqual([
      'purchase:pur_1',
      'renewal:10',
    ])
  })

  test('each charge grants by the rows of its own product', () => {
    const rowsOf = (storeProductId: string) => (storeProductId === 'yearly' ? [row('BOTH', 1200)] : [row('BOTH', 100)])
    const lines = transactionLines([sold(), renewal({ storeProductId: 'yearly' })], 'SUBSCRIPTION')
    const found = currencyGrants({ purchaseId: 'pur_1', chargeScope: '', productType: 'SUBSCRIPTION', lines, rowsOf })
    expect(found.map(({ amount }) => Number(amount))).toEqual([100, 1200])
  })
})

describe('what a refund may claw back', () => {
  const clawed = (observations: Observation[], productType: ProductType = 'SUBSCRIPTION') =>
    clawbackCandidates(source(observations, [row('BOTH')], productType)).map(({ reference }) => reference)

  test('the grant of the refunded charge, and no other', () => {
    expect(clawed([sold(), renewal(), mark('REFUND', 35)])).toEqual(['purchase:pur_1'])
    expect(clawed([sold(), renewal(), mark('REFUND', 35, { transactionId: '2' })])).toEqual(['renewal:2'])
    expect(clawed([sold({ quantity: 2 }), mark('REFUND', 5)], 'CONSUMABLE')).toEqual(['txn:1'])
  })
  test('nothing while nothing was refunded', () => expect(clawed([sold(), renewal()])).toEqual([]))
  test('nothing after a partial refund', () => {
    expect(clawed([sold(), mark('REFUND', 5, { amount: usd(1) })])).toEqual([])
  })
  test('nothing after a reversal', () => expect(clawed([sold(), mark('REFUND', 5), mark('REVERSAL', 6)])).toEqual([]))
  test('the grant of a charge whose price was never told', () => {
    const untold = sold({ price: null })
    expect(clawed([untold, mark('REFUND', 5)])).toEqual(['purchase:pur_1'])
    expect(clawed([untold, mark('REFUND', 5), mark('REVERSAL', 6)])).toEqual([])
  })
})

describe('grants that late news unsettles', () => {
  test('a renewal that turns out to be a conversion leaves its reference behind', () => {
    const first = source([renewal()], [row('BOTH')])
    const then = source([renewal(), trial()], [row('BOTH')])
    const granted = currencyGrants(first).map(({ reference }) => reference)
    expect(unjustifiedReferences(then, granted)).toEqual(['renewal:2'])
    expect(currencyGrants(then).map(({ reference }) => reference)).toEqual(['purchase:pur_1'])
  })

  test('rows that were removed since leave nothing unjustified', () => {
    expect(unjustifiedReferences(source([sold(), renewal()], []), ['purchase:pur_1', 'renewal:2'])).toEqual([])
  })
})

describe('laws of the grants', () => {
  const rows = [row('PURCHASE', 50), row('RENEWAL', 7), row('BOTH', 3, 'coins')]
  const types = fc.constantFrom<ProductType>('SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE')

  test('what was granted along the way, less what is unjustified, is what the whole grants', () => {
    fc.assert(
      fc.property(anyArrival, types, ({ arrival, life }, productType) => {
        const ledger = new Map<string, bigint>()
        for (const count of arrival.keys()) {
          const known = source(arrival.slice(0, count + 1), rows, productType)
          for (const grant of currencyGrants(known)) {
            const name = `${grant.currencyId} ${grant.reference}`
            if (!ledger.has(name)) ledger.set(name, grant.amount)
          }
        }
        const whole = source(life, rows, productType)
        const references = [...ledger.keys()].map((name) => name.split(' ')[1] ?? '')
        for (const reference of unjustifiedReferences(whole, references))
          for (const currencyId of ['gems', 'coins']) ledger.delete(`${currencyId} ${reference}`)
        const expected = currencyGrants(whole).map(
          (grant) => [`${grant.currencyId} ${grant.reference}`, grant.amount] as const,
        )
        expect(ledger).toEqual(new Map(expected))
      }),
      { numRuns: 300 },
    )
  })

  test('no charge grants twice, and no reference is given twice within a currency', () => {
    fc.assert(
      fc.property(anyArrival, types, ({ arrival }, productType) => {
        const found = currencyGrants(source(arrival, rows, productType))
        const charges = found.map(({ currencyId, storeTransactionId }) => `${currencyId} ${storeTransactionId}`)
        const references = found.map(({ currencyId, reference }) => `${currencyId} ${reference}`)
        expect(new Set(charges).size).toBe(found.length)
        expect(new Set(references).size).toBe(found.length)
      }),
    )
  })
})
