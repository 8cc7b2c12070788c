import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Observation, ProductType } from '../../stores/observation'
import { isCharge, transactionLines } from './lines'
import { anyArrival, anyLife, day, mark, PRICE, renewal, sold, trial, usd, word } from './lives.fixtures'
import type { TransactionLine } from './model'

type Summary = [key: string, kind: string, amountMicros: number | null]

const summary = ({ key, kind, price }: TransactionLine): Summary => [key, kind, price?.amountMicros ?? null]

const linesOf = (observations: readonly Observation[], productType: ProductType = 'SUBSCRIPTION'): Summary[] =>
  transactionLines(observations, productType).map(summary)

const sum = (lines: readonly TransactionLine[]): number =>
  lines.reduce((total, { price }) => total + (price?.amountMicros ?? 0), 0)

const FULL = PRICE.amountMicros

const second = { transactionId: '2', storeProductId: 'monthly', purchaseDate: day(30), expiresAt: day(60) }

describe('the kind of a charge', () => {
  const cases: [name: string, observations: Observation[], kinds: string[]][] = [
    ['the first buying is INITIAL', [sold()], ['INITIAL']],
    ['the store charging again is RENEWAL', [sold(), renewal()], ['INITIAL', 'RENEWAL']],
    ['a RENEWAL seen first, after a reinstall, stays RENEWAL', [renewal()], ['RENEWAL']],
    ['a free trial is TRIAL', [trial()], ['TRIAL']],
    [
      'the first charge after access that nothing was charged for is INITIAL',
      [sold({ isUncharged: true }), renewal()],
      ['INITIAL'],
    ],
    [
      'a later one is not',
      [sold(), sold({ transactionId: 'added', purchaseDate: day(9), isUncharged: true }), renewal()],
      ['INITIAL', 'RENEWAL'],
    ],
    [
      'the store charging for another product, which the period before did not sell, is PRODUCT_CHANGE',
      [sold(), renewal({ storeProductId: 'yearly', mayChangeProduct: true })],
      ['INITIAL', 'PRODUCT_CHANGE'],
    ],
    [
      'so it is when the product was in force before its charge',
      [
        sold(),
        sold({ storeProductId: 'yearly', chargedStoreProductId: 'monthly' }, day(30)),
        renewal({ storeProductId: 'yearly', mayChangeProduct: true }),
      ],
      ['INITIAL', 'PRODUCT_CHANGE'],
    ],
    [
      'and when another one came without a charge later',
      [
        sold(),
        renewal({ storeProductId: 'yearly', mayChangeProduct: true }),
        renewal({ storeProductId: 'monthly', chargedStoreProductId: 'yearly', mayChangeProduct: true }, day(40)),
      ],
      ['INITIAL', 'PRODUCT_CHANGE'],
    ],
    [
      'another product that an earlier period sold is RENEWAL, and so is one that a proration charged before',
      [
        sold(),
        renewal({ storeProductId: 'yearly' }),
        renewal({ transactionId: '3', purchaseDate: day(60), storeProductId: 'yearly', mayChangeProduct: true }),
      ],
      ['INITIAL', 'RENEWAL', 'RENEWAL'],
    ],
    [
      'the end of a trial is TRIAL_CONVERSION, also with another product',
      [trial(), renewal({ storeProductId: 'yearly', mayChangeProduct: true })],
      ['TRIAL', 'TRIAL_CONVERSION'],
    ],
    ['the first charge after a trial is TRIAL_CONVERSION', [trial(), renewal()], ['TRIAL', 'TRIAL_CONVERSION']],
    [
      'paying within the trial is TRIAL_CONVERSION',
      [trial(), sold({ ...second, purchaseDate: day(3) })],
      ['TRIAL', 'TRIAL_CONVERSION'],
    ],
    [
      'buying long after a trial is REACTIVATION',
      [trial(), sold({ ...second, purchaseDate: day(90) })],
      ['TRIAL', 'REACTIVATION'],
    ],
    [
      'buying after the end is REACTIVATION',
      [sold(), sold({ ...second, purchaseDate: day(50) })],
      ['INITIAL', 'REACTIVATION'],
    ],
    [
      'so it is with another product',
      [sold(), sold({ ...second, purchaseDate: day(50), storeProductId: 'yearly' })],
      ['INITIAL', 'REACTIVATION'],
    ],
    [
      'another product in the running period is PRODUCT_CHANGE',
      [sold(), sold({ ...second, purchaseDate: day(10), storeProductId: 'yearly' })],
      ['INITIAL', 'PRODUCT_CHANGE'],
    ],
    [
      'another product at the next renewal is RENEWAL',
      [sold(), renewal({ storeProductId: 'yearly' })],
      ['INITIAL', 'RENEWAL'],
    ],
    [
      'the same product in the running period is RENEWAL',
      [sold(), sold({ ...second, purchaseDate: day(10) })],
      ['INITIAL', 'RENEWAL'],
    ],
    [
      'buying after an early end is REACTIVATION',
      [
        sold(),
        word(5, { ended: { at: day(5), reason: 'DEVELOPER' } }),
        sold({ ...second, purchaseDate: day(10), storeProductId: 'yearly' }),
      ],
      ['INITIAL', 'REACTIVATION'],
    ],
    [
      'a period replaced at the instant of the change still ran',
      [
        sold(),
        sold({}, day(11), { ended: { at: day(10), reason: 'REPLACED' } }),
        sold({ ...second, purchaseDate: day(10), storeProductId: 'yearly' }),
      ],
      ['INITIAL', 'PRODUCT_CHANGE'],
    ],
  ]
  for (const [name, observations, kinds] of cases)
    test(name, () => {
      const lines = transactionLines(observations, 'SUBSCRIPTION')
      expect(lines.map(({ kind }): string => kind)).toEqual(kinds)
    })

  test('buying again after a refund is REACTIVATION', () => {
    const again = sold({ ...second, purchaseDate: day(10), storeProductId: 'yearly' })
    expect(linesOf([sold(), mark('REFUND', 5), again]).at(-1)).toEqual(['2:CHARGE', 'REACTIVATION', FULL])
  })

  test('a one-time product is NON_RENEWING_PURCHASE, a consumable CREDIT_PURCHASE', () => {
    expect(linesOf([sold({ expiresAt: null })], 'NON_CONSUMABLE')).toEqual([
      ['1:CHARGE', 'NON_RENEWING_PURCHASE', FULL],
    ])
    expect(linesOf([sold({ expiresAt: null })], 'CONSUMABLE')).toEqual([['1:CHARGE', 'CREDIT_PURCHASE', FULL]])
  })

  test('a purchase that replaces another one continues its period', () => {
    const running = { storeProductId: 'monthly', isTrial: false, isRunning: true }
    const bought = [sold({ storeProductId: 'yearly' })]
    expect(transactionLines(bought, 'SUBSCRIPTION', running).map(summary)).toEqual([
      ['1:CHARGE', 'PRODUCT_CHANGE', FULL],
    ])
    const lapsed = { ...running, isRunning: false }
    expect(transactionLines(bought, 'SUBSCRIPTION', lapsed).map(summary)).toEqual([['1:CHARGE', 'REACTIVATION', FULL]])
  })

  test('a renewal keeps its key when it turns out to be a conversion', () => {
    const [before] = transactionLines([renewal()], 'SUBSCRIPTION')
    const [, after] = transactionLines([renewal(), trial()], 'SUBSCRIPTION')
    expect([before?.key, before?.kind, after?.key, after?.kind]).toEqual([
      '2:CHARGE',
      'RENEWAL',
      '2:CHARGE',
      'TRIAL_CONVERSION',
    ])
  })
})

describe('the renewal number', () => {
  const third = renewal({ transactionId: '3', purchaseDate: day(60), expiresAt: day(90) })
  const numbers = (observations: Observation[]) =>
    transactionLines(observations, 'SUBSCRIPTION').map(({ renewalNumber }) => renewalNumber)

  test('counts the paid periods before', () => expect(numbers([sold(), renewal(), third])).toEqual([0, 1, 2]))
  test('does not count the trial', () => expect(numbers([trial(), renewal(), third])).toEqual([0, 0, 1]))
  test('is at least 1 when the store calls the first charge known a renewal', () => {
    expect(numbers([renewal(), third])).toEqual([1, 2])
  })
  test('of a refund is that of its charge', () => {
    expect(numbers([sold(), renewal(), mark('REFUND', 35, { transactionId: '2' })])).toEqual([0, 1, 1])
  })
  test('of a consumable is 0', () => {
    const lines = transactionLines([sold(), sold({ transactionId: '2' })], 'CONSUMABLE')
    expect(lines.map(({ renewalNumber }) => renewalNumber)).toEqual([0, 0])
  })
})

describe('money', () => {
  const CHARGE: Summary = ['1:CHARGE', 'INITIAL', FULL]
  const cases: [name: string, markers: Observation[], lines: Summary[]][] = [
    [
      'refund and revoke of one charge give one negative line',
      [mark('REFUND', 3), mark('REVOCATION', 4)],
      [['1:REFUND', 'REFUND', -FULL]],
    ],
    ['a revocation alone gives the charge back', [mark('REVOCATION', 4)], [['1:REFUND', 'REFUND', -FULL]]],
    [
      'a refund told by two markers counts once',
      [mark('REFUND', 3), mark('REFUND', 4)],
      [['1:REFUND', 'REFUND', -FULL]],
    ],
    [
      'a reversal gives one positive line',
      [mark('REFUND', 3), mark('REVERSAL', 4), mark('REVERSAL', 5)],
      [
        ['1:REFUND', 'REFUND', -FULL],
        ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', FULL],
      ],
    ],
    ['a reversal of nothing gives no line', [mark('REVERSAL', 4)], []],
    [
      'refund, reversal and refund again sum to nothing',
      [mark('REFUND', 3), mark('REVERSAL', 4), mark('REFUND', 5)],
      [
        ['1:REFUND', 'REFUND', -FULL],
        ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', FULL],
        ['1:REFUND:2', 'REFUND', -FULL],
      ],
    ],
    [
      'a partial refund gives its amount',
      [mark('REFUND', 3, { amount: usd(4_000_000) })],
      [['1:REFUND', 'REFUND', -4_000_000]],
    ],
    [
      'a full refund after a partial one gives the rest',
      [mark('REFUND', 3, { amount: usd(4_000_000) }), mark('REFUND', 4)],
      [
        ['1:REFUND', 'REFUND', -4_000_000],
        ['1:REFUND:2', 'REFUND', 4_000_000 - FULL],
      ],
    ],
    [
      'no more is given back than was paid',
      [mark('REFUND', 3, { amount: usd(99_000_000) })],
      [['1:REFUND', 'REFUND', -FULL]],
    ],
    [
      'a reversal takes again what was given, not the price',
      [mark('REFUND', 3, { amount: usd(4_000_000) }), mark('REVERSAL', 4)],
      [
        ['1:REFUND', 'REFUND', -4_000_000],
        ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', 4_000_000],
      ],
    ],
    [
      'what was taken again in part can be given back again',
      [mark('REFUND', 3), mark('REVERSAL', 4, { amount: usd(1_000_000) }), mark('REFUND', 5)],
      [
        ['1:REFUND', 'REFUND', -FULL],
        ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', 1_000_000],
        ['1:REFUND:2', 'REFUND', -1_000_000],
      ],
    ],
    [
      'an amount in another currency means the whole charge',
      [mark('REFUND', 3, { amount: { amountMicros: 1, currency: 'EUR' } })],
      [['1:REFUND', 'REFUND', -FULL]],
    ],
    [
      'a refund that a bank forced is a CHARGEBACK',
      [mark('REFUND', 3, { isChargeback: true })],
      [['1:REFUND', 'CHARGEBACK', -FULL]],
    ],
    ['a marker of an unknown transaction gives no line', [mark('REFUND', 3, { transactionId: '9' })], []],
    ['a revocation that returned nothing gives no line', [mark('REVOCATION', 3, { amount: usd(0) })], []],
  ]
  for (const [name, markers, lines] of cases)
    test(name, () => expect(linesOf([sold(), ...markers])).toEqual([CHARGE, ...lines]))

  test('family-shared chain makes no revenue', () => {
    const shared = { ownershipType: 'FAMILY_SHARED' } as const
    expect(linesOf([sold(shared), renewal(shared), mark('REVOCATION', 40, { transactionId: '2' })])).toEqual([])
  })

  test('a trial earns nothing, though the store names the price to come', () => {
    expect(linesOf([trial({ price: PRICE })])).toEqual([['1:CHARGE', 'TRIAL', 0]])
    expect(linesOf([trial({ price: null })])).toEqual([['1:CHARGE', 'TRIAL', null]])
    expect(linesOf([trial(), mark('REVOCATION', 3)])).toEqual([['1:CHARGE', 'TRIAL', 0]])
  })

  test('a price never told gives lines without a price, and never a nought', () => {
    const untold = [sold({ price: null }), mark('REFUND', 3), mark('REVERSAL', 4), mark('REFUND', 5)]
    expect(linesOf(untold)).toEqual([
      ['1:CHARGE', 'INITIAL', null],
      ['1:REFUND', 'REFUND', null],
      ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', null],
      ['1:REFUND:2', 'REFUND', null],
    ])
  })

  test('of a price never told the amount returned is still known', () => {
    const markers = [mark('REFUND', 3, { amount: usd(4_000_000) }), mark('REVOCATION', 4), mark('REVERSAL', 5)]
    expect(linesOf([sold({ price: null }), ...markers]).slice(1)).toEqual([
      ['1:REFUND', 'REFUND', -4_000_000],
      ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', 4_000_000],
    ])
  })

  test('a charge given back at the instant of the change still ran', () => {
    const change = sold({ ...second, purchaseDate: day(10), storeProductId: 'yearly' })
    expect(linesOf([sold(), mark('REFUND', 10), change]).at(-1)).toEqual(['2:CHARGE', 'PRODUCT_CHANGE', FULL])
  })

  test('of a price never told amounts return and come back in parts', () => {
    const back = [mark('REVERSAL', 4, { amount: usd(1_000_000) }), mark('REVERSAL', 5)]
    const untold = [sold({ price: null }), mark('REFUND', 3, { amount: usd(4_000_000) }), ...back, mark('REFUND', 6)]
    expect(transactionLines(untold, 'SUBSCRIPTION').at(-1)?.price).toBeNull()
    expect(linesOf(untold).slice(1)).toEqual([
      ['1:REFUND', 'REFUND', -4_000_000],
      ['1:REFUND_REVERSAL', 'REFUND_REVERSAL', 1_000_000],
      ['1:REFUND_REVERSAL:2', 'REFUND_REVERSAL', 3_000_000],
      ['1:REFUND:2', 'REFUND', null],
    ])
  })

  test('lines go by time, then by key', () => {
    const lines = transactionLines([renewal(), mark('REFUND', 30), sold()], 'SUBSCRIPTION')
    expect(lines.map(({ key, occurredAt }) => [key, occurredAt])).toEqual([
      ['1:CHARGE', day(0)],
      ['1:REFUND', day(30)],
      ['2:CHARGE', day(30)],
    ])
  })
})

describe('laws of the lines', () => {
  const net = (lines: readonly TransactionLine[], id: string) =>
    sum(lines.filter(({ storeTransactionId }) => storeTransactionId === id))

  test('revenue counts once: each charge is worth its price, nothing, or what lies between', () => {
    fc.assert(
      fc.property(anyArrival, ({ arrival }) => {
        const lines = transactionLines(arrival, 'SUBSCRIPTION')
        for (const charge of lines.filter(isCharge)) {
          const worth = net(lines, charge.storeTransactionId)
          expect(worth).toBeGreaterThanOrEqual(0)
          expect(worth).toBeLessThanOrEqual(charge.isTrial ? 0 : FULL)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('without partial refunds the newest marker says what a charge is worth', () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const whole = life.filter((item) => item.kind === 'REPORT' || item.amount === null)
        const lines = transactionLines(whole, 'SUBSCRIPTION')
        for (const { storeTransactionId: id, isTrial } of lines.filter(isCharge)) {
          expect(net(lines, id)).toBe(isTrial || endsTakenBack(whole, id) ? 0 : FULL)
        }
      }),
      { numRuns: 500 },
    )
  })

  // Written independently of the code under test: the last marker by time, where a reversal loses a tie.
  function endsTakenBack(observations: readonly Observation[], id: string): boolean {
    const weight = (item: Observation) => item.eventAt * 2 + (item.kind === 'REVERSAL' ? 0 : 1)
    const markers = observations.filter((item) => item.kind !== 'REPORT' && item.transactionId === id)
    const last = markers.toSorted((a, b) => weight(a) - weight(b)).at(-1)
    return last !== undefined && last.kind !== 'REVERSAL'
  }

  test('keys are unique, and each transaction has one charge', () => {
    fc.assert(
      fc.property(anyArrival, ({ arrival }) => {
        const lines = transactionLines(arrival, 'SUBSCRIPTION')
        expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length)
        const charges = lines.filter(isCharge).map(({ storeTransactionId }) => storeTransactionId)
        const ids = new Set(
          arrival.flatMap((item) => (item.kind === 'REPORT' && item.transaction?.transactionId) || []),
        )
        expect(new Set(charges)).toEqual(ids)
        expect(charges.length).toBe(ids.size)
      }),
    )
  })
})
