import { describe, expect, test } from 'bun:test'
import type { Marker, Report, TransactionPart } from '../../../src/stores/observation'
import { DAY_MS, type History, HOUR_MS, type Purchase, type Recorded } from './history'
import * as oracle from './oracle'
import type { Asked } from './world'

// Each figure in this file was reckoned by hand from the text of the definitions.

const START = Date.UTC(2026, 0, 1)
const day = (count: number): number => START + count * DAY_MS

const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
const eur = (amountMicros: number) => ({ amountMicros, currency: 'EUR' })

/** A report of a transaction that is known as soon as it is bought. */
function sold(members: Partial<TransactionPart> = {}, rest: Partial<Report> = {}, recordedAt?: number): Recorded {
  const transaction: TransactionPart = {
    transactionId: '1',
    storeProductId: 'monthly',
    purchaseDate: day(0),
    originalPurchaseDate: day(0),
    expiresAt: (members.purchaseDate ?? day(0)) + 30 * DAY_MS,
    isTrial: false,
    isIntroOffer: false,
    offerId: null,
    price: usd(10_000_000),
    quantity: 1,
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
    ...members,
  }
  const eventAt = rest.eventAt ?? transaction.purchaseDate
  const id = `${transaction.transactionId}@${eventAt}`
  return { kind: 'REPORT', id, transaction, ...rest, eventAt, recordedAt: recordedAt ?? eventAt }
}

const word = (at: number, rest: Partial<Report>, recordedAt = day(at)): Recorded => ({
  ...{ kind: 'REPORT', id: `word@${at}`, eventAt: day(at), recordedAt },
  ...rest,
})

const mark = (kind: Marker['kind'], at: number, members: Partial<Marker> = {}, recordedAt = day(at)): Recorded => ({
  ...{ kind, id: `${kind}@${at}`, eventAt: day(at), transactionId: '1', amount: null, recordedAt },
  ...members,
})

/** The period from day 30 to day 60. */
const renewal = (members: Partial<TransactionPart> = {}, rest: Partial<Report> = {}, recordedAt?: number): Recorded =>
  sold({ transactionId: '2', purchaseDate: day(30), reason: 'RENEWAL', ...members }, rest, recordedAt)

let count = 0
const purchase = (observations: Recorded[], members: Partial<Purchase> = {}): Purchase => ({
  id: `pur_${++count}`,
  subscriberId: `sub_${count}`,
  store: 'IOS_STORE',
  environment: 'PRODUCTION',
  productType: 'SUBSCRIPTION',
  storeProductId: 'monthly',
  productPeriod: 'P1M',
  country: 'DE',
  platform: 'ios',
  observations,
  ...members,
})

const RATES = [
  { day: '2025-12-31', currency: 'EUR', usdPerUnit: '1.1' },
  { day: '2026-01-20', currency: 'EUR', usdPerUnit: '1.234567' },
  { day: '2026-02-10', currency: 'GBP', usdPerUnit: '1.3' },
]

const history = (purchases: Purchase[], members: Partial<History> = {}): History => ({
  timezone: 'UTC',
  rates: RATES,
  purchases,
  ...members,
})

/** Asks about all days from the first to the last one, as one cell. */
const over = (from: number, to: number, rest: Partial<Asked> = {}): Asked => ({
  from: day(from),
  to: day(to),
  grain: 'total',
  now: day(1000),
  ...rest,
})

const of = (observations: Recorded[], members: Partial<Purchase> = {}): History =>
  history([purchase(observations, members)])

const revenueOf = (observations: Recorded[], from = 0, to = 100, members: Partial<Purchase> = {}) =>
  oracle.revenue(of(observations, members), over(from, to)).totals

const mrrAt = (observations: Recorded[], at: number, members: Partial<Purchase> = {}) =>
  oracle.mrr(of(observations, members), over(at - 1, at)).totals.mrr

describe('money', () => {
  test('a charge and its renewal are gross on their days', () => {
    const observations = [sold(), renewal({ price: usd(12_000_000) })]
    expect(revenueOf(observations, 0, 30)).toEqual({ gross: '10000000', refunds: '0', net: '10000000' })
    expect(revenueOf(observations, 30, 31)).toEqual({ gross: '12000000', refunds: '0', net: '12000000' })
    expect(revenueOf(observations, 31, 90)).toEqual({ gross: '0', refunds: '0', net: '0' })
  })

  test('a line at the end of a window is in the next one', () => {
    expect(revenueOf([sold()], -1, 0)).toEqual({ gross: '0', refunds: '0', net: '0' })
  })

  test('a rate counts until the next one', () => {
    // 10 EUR on 1 January at 1.1, and on 31 January at 1.234567.
    const observations = [sold({ price: eur(10_000_000) }), renewal({ price: eur(10_000_000) })]
    expect(revenueOf(observations, 0, 1).gross).toBe('11000000')
    expect(revenueOf(observations, 30, 31).gross).toBe('12345670')
  })

  test('a half micro goes away from zero', () => {
    // 5 × 1.1 = 5.5 and 3 × 1.1 = 3.3.
    expect(revenueOf([sold({ price: eur(5) })]).gross).toBe('6')
    expect(revenueOf([sold({ price: eur(3) })]).gross).toBe('3')
  })

  test('a refund is converted at the rate of its charge, on its own day', () => {
    const observations = [sold({ price: eur(9_990_000) }), mark('REFUND', 40)]
    expect(revenueOf(observations, 40, 41)).toEqual({ gross: '0', refunds: '10989000', net: '-10989000' })
    expect(revenueOf(observations)).toEqual({ gross: '10989000', refunds: '10989000', net: '0' })
  })

  test('refunds in parts come to the dollars of the charge', () => {
    // 10 micros of EUR are 11; 3 are 3.3 -> 3, 6 are 6.6 -> 7, 10 are 11: the parts are 3, 4 and 4.
    const part = (at: number) => mark('REFUND', at, { amount: eur(3) })
    const observations = [sold({ price: eur(10) }), part(1), part(2), mark('REFUND', 3)]
    expect([1, 2, 3].map((at) => revenueOf(observations, at, at + 1).refunds)).toEqual(['3', '4', '4'])
    expect(revenueOf(observations).net).toBe('0')
  })

  test('a reversal takes the refund from the refunds', () => {
    const observations = [sold(), mark('REFUND', 3), mark('REVERSAL', 5)]
    expect(revenueOf(observations, 4, 6)).toEqual({ gross: '0', refunds: '-10000000', net: '10000000' })
    expect(revenueOf(observations)).toEqual({ gross: '10000000', refunds: '0', net: '10000000' })
  })

  test('refund, revocation and chargeback of one charge return it once', () => {
    const observations = [sold(), mark('REFUND', 3), mark('REVOCATION', 4), mark('REFUND', 5, { isChargeback: true })]
    expect(revenueOf(observations).refunds).toBe('10000000')
    expect(revenueOf(observations, 4, 100).refunds).toBe('0')
  })

  test('no more is returned than was paid, and an amount in another currency means all', () => {
    expect(revenueOf([sold(), mark('REFUND', 3, { amount: usd(99_000_000) })]).refunds).toBe('10000000')
    expect(revenueOf([sold(), mark('REFUND', 3, { amount: eur(1) })]).refunds).toBe('10000000')
  })

  test('a reversal brings back what was returned, not the price', () => {
    const part = mark('REFUND', 3, { amount: usd(4_000_000) })
    expect(revenueOf([sold(), part, mark('REVERSAL', 5)], 4, 9).refunds).toBe('-4000000')
  })

  test('of a price that nobody told the amount returned counts once', () => {
    const part = (at: number) => mark('REFUND', at, { amount: usd(4_000_000) })
    const observations = [sold({ price: null }), part(3), part(4), mark('REVERSAL', 6, { amount: usd(1_000_000) })]
    expect([3, 4, 6].map((at) => revenueOf(observations, at, at + 1).refunds)).toEqual(['4000000', '0', '-1000000'])
    expect(revenueOf([...observations, mark('REVERSAL', 7), part(8)]).refunds).toBe('4000000')
  })

  test('what came back in part can be returned again', () => {
    const back = mark('REVERSAL', 4, { amount: usd(4_000_000) })
    const observations = [sold(), mark('REFUND', 3), back, mark('REFUND', 5, { amount: usd(1_000_000) })]
    expect([3, 4, 5].map((at) => revenueOf(observations, at, at + 1).refunds)).toEqual([
      '10000000',
      '-4000000',
      '1000000',
    ])
  })

  test('trials, grants, family shares and charges without a price are no money', () => {
    const untold = { price: null }
    const observations = [
      [sold({ isTrial: true })],
      [sold({ reason: 'GRANT' })],
      [sold({ ownershipType: 'FAMILY_SHARED' }), mark('REVOCATION', 3)],
      [sold(untold), mark('REFUND', 3)],
    ]
    const asked = oracle.revenue(history(observations.map((one) => purchase(one))), over(0, 100))
    expect(asked.totals).toEqual({ gross: '0', refunds: '0', net: '0' })
    expect(asked.unconverted).toBe(0)
  })

  test('a currency without a rate is counted and left out, with its refund', () => {
    const yen = { amountMicros: 5_000_000, currency: 'JPY' }
    const asked = oracle.revenue(of([sold({ price: yen }), mark('REFUND', 3)]), over(0, 100))
    expect(asked).toMatchObject({ totals: { gross: '0', refunds: '0', net: '0' }, unconverted: 2 })
  })

  test('a rate of a later day converts nothing', () => {
    const pounds = { price: { amountMicros: 10_000_000, currency: 'GBP' } }
    const early = oracle.revenue(of([sold(pounds)]), over(0, 100))
    expect(early).toMatchObject({ totals: { gross: '0' }, unconverted: 1 })
    expect(revenueOf([sold({ ...pounds, purchaseDate: day(40) })]).gross).toBe('13000000')
  })

  test('the newest report with a price decides the price', () => {
    const again = (at: number, price: TransactionPart['price']) => sold({ price }, { eventAt: day(at) })
    expect(revenueOf([sold(), again(5, usd(8_000_000)), again(9, null)]).gross).toBe('8000000')
  })

  test('sandbox purchases count only when they are asked for', () => {
    const sandbox = of([sold()], { environment: 'SANDBOX' })
    expect(oracle.revenue(sandbox, over(0, 100)).totals.gross).toBe('0')
    expect(oracle.revenue(sandbox, over(0, 100, { environment: 'SANDBOX' })).totals.gross).toBe('10000000')
  })

  test('one-time products are revenue, and never recurring', () => {
    const coins = { productType: 'CONSUMABLE', productPeriod: null } as const
    const observations = [sold({ expiresAt: null })]
    expect(revenueOf(observations, 0, 1, coins).gross).toBe('10000000')
    expect(mrrAt(observations, 1, coins)).toBe('0')
  })

  test('an observation that was recorded twice counts once', () => {
    const refund = mark('REFUND', 3, { amount: usd(2_000_000) })
    expect(revenueOf([sold(), refund, { ...refund, recordedAt: day(9) }]).refunds).toBe('2000000')
  })
})

describe('what was known', () => {
  const late = [sold(), mark('REFUND', 10, {}, day(50)), renewal({}, {}, day(70))]

  test('a late refund is not known on the day before it was recorded', () => {
    const asked = (knownAt: number | null) => oracle.revenue(of(late), over(0, 100, { knownAt })).totals
    expect(asked(day(50))).toEqual({ gross: '10000000', refunds: '0', net: '10000000' })
    expect(asked(day(51))).toEqual({ gross: '10000000', refunds: '10000000', net: '0' })
    expect(asked(null)).toEqual({ gross: '20000000', refunds: '10000000', net: '10000000' })
  })

  test('a renewal that became known late fills the gap of its time', () => {
    const observations = [sold(), renewal({}, {}, day(70))]
    const at = (knownAt: number | null) => oracle.mrr(of(observations), over(39, 40, { knownAt })).totals.mrr
    expect(at(day(70))).toBe('0')
    expect(at(day(71))).toBe('10000000')
  })

  test('of a report from later only the transaction counts before', () => {
    // Known from day 5 on: bought on day 0, and in a pause that the report of day 5 told.
    const paused = sold({}, { eventAt: day(5), renewal: { pausedAt: day(2) } })
    expect([1, 3, 5, 6].map((at) => mrrAt([paused], at))).toEqual(['10000000', '10000000', '10000000', '0'])
  })
})

describe('monthly recurring revenue', () => {
  const priced = (period: string | null, days: number, at = 1) =>
    mrrAt([sold({ expiresAt: day(days), price: usd(10_000_000) })], at, { productPeriod: period })

  test('a period of the catalogue is normalised to a month', () => {
    // 10 × 52/12 = 43.333…, ÷ 2; 10 × 365/12 = 304.1666…, ÷ 3; 10 ÷ 3, ÷ 12, ÷ 24.
    expect(priced('P1W', 7)).toBe('43333333')
    expect(priced('P2W', 14)).toBe('21666667')
    expect(priced('P1D', 1)).toBe('304166667')
    expect(priced('P3D', 3)).toBe('101388889')
    expect(priced('P1M', 30)).toBe('10000000')
    expect(priced('P3M', 90)).toBe('3333333')
    expect(priced('P1Y', 365)).toBe('833333')
    expect(priced('P2Y', 730)).toBe('416667')
  })

  test('without a period the days decide', () => {
    const lengths: [days: number, mrr: string][] = [
      ...([
        [4, '0'],
        [5, '43333333'],
        [9, '43333333'],
        [10, '0'],
      ] as const),
      ...([
        [25, '0'],
        [26, '10000000'],
        [32, '10000000'],
        [33, '0'],
      ] as const),
      ...([
        [57, '0'],
        [58, '5000000'],
        [63, '5000000'],
        [64, '0'],
      ] as const),
      ...([
        [87, '0'],
        [88, '3333333'],
        [94, '3333333'],
        [95, '0'],
      ] as const),
      ...([
        [177, '0'],
        [178, '1666667'],
        [187, '1666667'],
        [188, '0'],
      ] as const),
      ...([
        [359, '0'],
        [360, '833333'],
        [370, '833333'],
        [371, '0'],
      ] as const),
    ].map(([days, mrr]) => [days, mrr])
    expect(lengths.map(([days]) => [days, priced(null, days)])).toEqual(lengths)
  })

  test('a period that nobody knows is counted and left out', () => {
    const odd = of([sold({ expiresAt: day(45) })], { productPeriod: null })
    expect(oracle.mrr(odd, over(0, 1))).toMatchObject({ totals: { mrr: '0' }, unconverted: 1 })
    expect(oracle.active(odd, over(0, 1)).totals).toEqual({ active: 1, trials: 0 })
  })

  test('it ends at the instant of the end', () => {
    const atEnd = (to: number) => oracle.mrr(of([sold()]), { ...over(0, 1), to }).totals.mrr
    expect([day(30), day(30) + 1].map(atEnd)).toEqual(['10000000', '0'])
  })

  test('grace keeps it, retry does not, and recovery brings it back', () => {
    const trouble = word(30, { renewal: { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(36) } })
    const recovered = renewal({ purchaseDate: day(40), expiresAt: day(70) })
    expect([30, 31, 36, 37, 40, 41, 70, 71].map((at) => mrrAt([sold(), trouble, recovered], at))).toEqual([
      '10000000',
      '10000000',
      '10000000',
      '0',
      '0',
      '10000000',
      '10000000',
      '0',
    ])
  })

  test('a retry without a word of grace ends the grace', () => {
    const grace = word(30, { renewal: { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) } })
    const retry = word(35, { renewal: { billingTrouble: 'RETRY' } })
    expect([35, 36].map((at) => mrrAt([sold(), grace, retry], at))).toEqual(['10000000', '0'])
  })

  test('an extension moves the end, and undoes an earlier end', () => {
    const extended = word(12, { extendedTo: day(40) })
    expect([40, 41].map((at) => mrrAt([sold(), extended], at))).toEqual(['10000000', '0'])
    const ended = word(10, { ended: { at: day(20), reason: 'DEVELOPER' } })
    expect([20, 21].map((at) => mrrAt([sold(), ended], at))).toEqual(['10000000', '0'])
    expect([21, 40, 41].map((at) => mrrAt([sold(), ended, extended], at))).toEqual(['10000000', '10000000', '0'])
  })

  test('a pause, a refund and a revocation end it, a reversal gives it back', () => {
    expect(mrrAt([sold(), word(5, { renewal: { pausedAt: day(6) } })], 6)).toBe('10000000')
    expect(mrrAt([sold(), word(5, { renewal: { pausedAt: day(6) } })], 7)).toBe('0')
    expect(mrrAt([sold(), mark('REFUND', 5)], 6)).toBe('0')
    expect(mrrAt([sold(), mark('REVOCATION', 5), mark('REVERSAL', 8)], 8)).toBe('0')
    expect(mrrAt([sold(), mark('REVOCATION', 5), mark('REVERSAL', 8)], 9)).toBe('10000000')
  })

  test('refunds of parts end it when they have come to the whole price', () => {
    const part = (at: number) => mark('REFUND', at, { amount: usd(5_000_000) })
    expect([6, 8].map((at) => mrrAt([sold(), part(5), part(7)], at))).toEqual(['10000000', '0'])
  })

  test('a refund of an earlier transaction changes nothing', () => {
    expect(mrrAt([sold(), renewal(), mark('REFUND', 35)], 36)).toBe('10000000')
  })

  test('trials, family shares, grants and free periods have none', () => {
    for (const members of [
      { isTrial: true },
      { ownershipType: 'FAMILY_SHARED' },
      { reason: 'GRANT' },
      { price: usd(0) },
      { price: null },
    ] as const)
      expect(mrrAt([sold(members)], 1)).toBe('0')
  })

  test('another product has its own period', () => {
    const yearly = renewal({ storeProductId: 'yearly', price: usd(60_000_000), expiresAt: day(395) })
    expect(
      [30, 31].map((at) => mrrAt([sold(), yearly], at, { storeProductId: 'yearly', productPeriod: 'P1Y' })),
    ).toEqual(['10000000', '5000000'])
  })

  test('a product that was switched without a charge keeps the price and the period of the charge', () => {
    const switched = sold({ storeProductId: 'yearly', chargedStoreProductId: 'monthly' }, { eventAt: day(5) })
    const products = { monthly: 'P1M', yearly: 'P1Y' }
    const all = history([purchase([sold(), switched], { storeProductId: 'yearly', productPeriod: 'P1Y' })], {
      products,
    })
    expect(oracle.mrr(all, over(9, 10)).totals.mrr).toBe('10000000')
    expect(oracle.mrr({ ...all, products: {} }, over(9, 10)).totals.mrr).toBe('10000000')
  })

  test('the dollars are those of the day of the charge, rounded before they are normalised', () => {
    // 9.99 EUR × 1.1 = 10.989 on day 0, also on 25 January when the rate is another one; a year of it ÷ 12 = 0.91575.
    const euros = [sold({ price: eur(9_990_000), expiresAt: day(365) })]
    expect(mrrAt(euros, 25, { productPeriod: 'P1Y' })).toBe('915750')
    const again = sold({ price: eur(9_990_000), expiresAt: day(365) }, { eventAt: day(24) })
    expect(mrrAt([...euros, again], 25, { productPeriod: 'P1Y' })).toBe('915750')
  })
})

describe('movement', () => {
  const movement = (observations: Recorded[], from: number, to: number, rest: Partial<Asked> = {}) =>
    oracle.mrrMovement(of(observations), over(from, to, rest)).totals

  const none = { start: '0', new: '0', reactivation: '0', expansion: '0', contraction: '0', churn: '0', end: '0' }

  test('the first paid period is new', () => {
    expect(movement([sold()], 0, 1)).toEqual({ ...none, new: '10000000', end: '10000000' })
    expect(movement([sold()], -1, 0)).toEqual(none)
  })

  test('a renewal at the instant of the end is no movement', () => {
    expect(movement([sold(), renewal()], 20, 40)).toEqual({ ...none, start: '10000000', end: '10000000' })
  })

  test('the end is churn, on its day, and coming back is a reactivation', () => {
    const again = renewal({ purchaseDate: day(50) })
    expect(movement([sold(), again], 30, 31)).toEqual({ ...none, start: '10000000', churn: '10000000' })
    expect(movement([sold(), again], 31, 60)).toEqual({ ...none, reactivation: '10000000', end: '10000000' })
  })

  test('leaving and returning in one cell counts in both', () => {
    expect(movement([sold(), renewal({ purchaseDate: day(40) })], 20, 50)).toEqual({
      ...{ ...none, start: '10000000', churn: '10000000', reactivation: '10000000', end: '10000000' },
    })
  })

  test('a greater price is expansion, a smaller one contraction', () => {
    const more = renewal({ price: usd(15_000_000) })
    const less = sold({ transactionId: '3', purchaseDate: day(60), price: usd(4_000_000) })
    expect(movement([sold(), more, less], 30, 61)).toEqual({
      ...{ ...none, start: '10000000', expansion: '5000000', contraction: '11000000', end: '4000000' },
    })
  })

  test('the first paid period after a trial is new', () => {
    const trial = sold({ isTrial: true, expiresAt: day(7) })
    const paid = renewal({ purchaseDate: day(7) })
    expect(movement([trial, paid], 0, 7)).toEqual(none)
    expect(movement([trial, paid], 7, 8)).toEqual({ ...none, new: '10000000', end: '10000000' })
  })

  test('nothing moves from the horizon on', () => {
    expect(movement([sold()], 20, 40, { horizon: day(25) })).toEqual({ ...none, start: '10000000', end: '10000000' })
    expect(movement([sold()], 28, 40, { horizon: day(25) })).toEqual({ ...none, start: '10000000', end: '10000000' })
  })

  test('a purchase that comes into a currency without a rate leaves, and is counted', () => {
    const yen = renewal({ price: { amountMicros: 1, currency: 'JPY' } })
    const asked = oracle.mrrMovement(of([sold(), yen]), over(20, 40))
    expect(asked).toMatchObject({ totals: { churn: '10000000', end: '0' }, unconverted: 1 })
  })
})

describe('subscriptions', () => {
  test('active and trials are those at the end', () => {
    const purchases = [
      [sold()],
      [sold({ isTrial: true, expiresAt: day(7) })],
      [sold({ reason: 'GRANT' })],
      [sold({ price: usd(0) })],
    ]
    const all = history(purchases.map((one) => purchase(one)))
    expect(oracle.active(all, over(0, 1)).totals).toEqual({ active: 2, trials: 1 })
    expect(oracle.active(all, over(6, 8)).totals).toEqual({ active: 2, trials: 0 })
    expect(oracle.active(all, over(-2, 0)).totals).toEqual({ active: 0, trials: 0 })
    // The free week is over, and in grace it is neither a trial nor paid.
    const grace = word(7, { renewal: { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(20) } })
    const trial = of([sold({ isTrial: true, expiresAt: day(7) }), grace])
    expect(oracle.active(trial, over(9, 10)).totals).toEqual({ active: 0, trials: 0 })
    expect(oracle.trials(trial, over(0, 1, { now: day(10) })).totals.pending).toBe(1)
  })

  test('movement of subscriptions and of trials', () => {
    const trial = sold({ isTrial: true, expiresAt: day(7) })
    const paid = renewal({ purchaseDate: day(7), expiresAt: day(37) })
    const again = sold({ transactionId: '3', purchaseDate: day(50), expiresAt: day(80) })
    const all = of([trial, paid, again])
    const moved = (from: number, to: number) => oracle.activeMovement(all, over(from, to)).totals
    expect(moved(0, 7)).toEqual({ start: 0, new: 0, reactivated: 0, churned: 0, end: 0 })
    expect(moved(7, 40)).toEqual({ start: 0, new: 1, reactivated: 0, churned: 1, end: 0 })
    expect(moved(40, 60)).toEqual({ start: 0, new: 0, reactivated: 1, churned: 0, end: 1 })
    expect(oracle.trialMovement(all, over(0, 7)).totals).toEqual({ start: 0, started: 1, ended: 0, end: 1 })
    expect(oracle.trialMovement(all, over(7, 8)).totals).toEqual({ start: 1, started: 0, ended: 1, end: 0 })
    expect(oracle.statuses(all, over(0, 7)).totals).toEqual({ TRIAL: 1 })
    expect(oracle.statuses(all, over(0, 40)).totals).toEqual({ EXPIRED: 1 })
    expect(oracle.arr(all, over(0, 8)).totals).toEqual({ arr: '120000000' })
    expect(oracle.customers(all, over(0, 40)).totals).toEqual({ new: 1, paying: 1 })
    expect(oracle.customers(all, over(40, 60)).totals).toEqual({ new: 0, paying: 1 })
    expect(oracle.customers(all, over(60, 90)).totals).toEqual({ new: 0, paying: 0 })
  })

  test('churn is who left by who was paid at the start', () => {
    const all = history([
      purchase([sold()]),
      purchase([sold(), renewal()]),
      purchase([sold({ purchaseDate: day(20) })]),
    ])
    expect(oracle.churn(all, over(29, 31)).totals).toEqual({ start: 3, churned: 1, rate: 1 / 3 })
    expect(oracle.churn(all, over(-5, 10)).totals).toEqual({ start: 0, churned: 0, rate: null })
  })

  test('retry ends sixty days after the end', () => {
    // In retry a purchase is not paid; its trial is pending as long as the store tries.
    const trial = [sold({ isTrial: true, expiresAt: day(7) }), word(7, { renewal: { billingTrouble: 'RETRY' } })]
    const pending = (now: number) => oracle.trials(of(trial), over(0, 1, { now })).totals.pending
    expect([day(8), day(67) - 1, day(67)].map(pending)).toEqual([1, 1, 0])
  })

  test('a trial that the store gave up is not pending, and one that follows is no conversion', () => {
    const trial = sold({ isTrial: true, expiresAt: day(7) })
    const retry = word(7, { renewal: { billingTrouble: 'RETRY' } })
    const ended = word(9, { ended: { at: day(9), reason: 'BILLING_ERROR' } })
    const second = renewal({ isTrial: true })
    const asked = (observations: Recorded[]) => oracle.trials(of(observations), over(0, 1, { now: day(12) })).totals
    expect(asked([trial, retry])).toEqual({ starts: 1, converted: 0, pending: 1, conversion: 0 })
    expect(asked([trial, retry, ended])).toEqual({ starts: 1, converted: 0, pending: 0, conversion: 0 })
    expect(asked([trial, second])).toEqual({ starts: 1, converted: 0, pending: 0, conversion: 0 })
  })

  test('trials convert at any later time', () => {
    const trial = sold({ isTrial: true, expiresAt: day(7) })
    const all = history([purchase([trial]), purchase([trial, renewal({ purchaseDate: day(90) })])])
    const asked = (rest: Partial<Asked>) => oracle.trials(all, over(0, 1, rest)).totals
    expect(asked({})).toEqual({ starts: 2, converted: 1, pending: 0, conversion: 0.5 })
    expect(asked({ knownAt: day(5) })).toEqual({ starts: 2, converted: 0, pending: 2, conversion: 0 })
    expect(asked({ now: day(5) })).toEqual({ starts: 2, converted: 1, pending: 1, conversion: 0.5 })
    expect(oracle.trials(all, over(1, 90)).totals).toEqual({ starts: 0, converted: 0, pending: 0, conversion: null })
  })

  test('retention asks whether a subscription is paid so many months later', () => {
    // Bought on 31 January (day 30): the next instants are 28 February (day 58) and 31 March (day 89).
    const first = sold({ purchaseDate: day(30) })
    const second = sold({ transactionId: '2', purchaseDate: day(60) })
    const all = history([purchase([first, second]), purchase([first])])
    const asked = (now: number) => oracle.retention(all, over(0, 59, { grain: 'month', now }))
    expect(asked(day(100)).totals).toEqual({ size: 2, shares: [1, 1, 0.5] })
    expect(asked(day(58)).totals).toEqual({ size: 2, shares: [1, 1] })
    expect(asked(day(89) - 1).totals).toEqual({ size: 2, shares: [1, 1] })
    expect(asked(day(57)).cells.map(({ values }) => values)).toEqual([
      { size: 2, shares: [1] },
      { size: 0, shares: [] },
    ])
  })
})

describe('money for each', () => {
  test('a store keeps 30 % in the first year and 15 % later', () => {
    const later = renewal({ purchaseDate: day(364) })
    const year = sold({ transactionId: '3', purchaseDate: day(365) })
    const asked = (from: number, to: number, members: Partial<Purchase> = {}, rest: Partial<Asked> = {}) =>
      oracle.proceeds(of([sold(), later, year], members), over(from, to, rest)).totals.proceeds
    expect([asked(0, 1), asked(364, 365), asked(365, 366)]).toEqual(['7000000', '7000000', '8500000'])
    expect(asked(0, 1, { store: 'PAYMENT' })).toBe('10000000')
    expect(asked(0, 1, {}, { commissionRates: { IOS_STORE: '0.123' } })).toBe('8770000')
  })

  test('the year of a leap day ends on 28 February', () => {
    const leap = Date.UTC(2024, 1, 29)
    const year = Date.UTC(2025, 1, 28)
    const asked = (purchaseDate: number) => {
      const charges = [sold({ purchaseDate: leap }), renewal({ purchaseDate })]
      return oracle.proceeds(of(charges), { ...over(0, 1), from: leap + 1, to: year + 1 }).totals.proceeds
    }
    expect([asked(year - 1), asked(year)]).toEqual(['7000000', '8500000'])
  })

  test('a refund in parts gives the whole commission back', () => {
    // 30 % of 15 is 4.5 -> 5; of 5 is 1.5 -> 2; of 10 is 3; of 15 is 5.
    const part = (at: number) => mark('REFUND', at, { amount: usd(5) })
    const observations = [sold({ price: usd(15) }), part(1), part(2), part(3)]
    const asked = (from: number, to: number) => oracle.proceeds(of(observations), over(from, to)).totals.proceeds
    expect([asked(0, 1), asked(1, 2), asked(2, 3), asked(3, 4), asked(0, 9)]).toEqual(['10', '-3', '-4', '-3', '0'])
  })

  test('the refund rate belongs to the day of the charge', () => {
    const all = history([
      purchase([sold(), mark('REFUND', 50)]),
      purchase([sold(), mark('REFUND', 50), mark('REVERSAL', 60)]),
      purchase([sold(), mark('REFUND', 50, { amount: usd(1) })]),
      purchase([sold({ price: usd(0) }), mark('REFUND', 50)]),
    ])
    expect(oracle.refunds(all, over(0, 1)).totals).toEqual({ rate: 2 / 3 })
    expect(oracle.refunds(all, over(0, 1, { knownAt: day(55) })).totals).toEqual({ rate: 1 })
    expect(oracle.refunds(all, over(50, 61)).totals).toEqual({ rate: null })
  })

  test('lifetime value is net by payer', () => {
    const amounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]
    const payers = amounts.map((amount) => purchase([sold({ price: usd(amount) })]))
    const second = purchase([sold({ transactionId: '9', price: usd(1000), purchaseDate: day(300) })], {
      subscriberId: payers[0]?.subscriberId ?? '',
    })
    const returned = purchase([sold({ price: usd(7) }), mark('REFUND', 9)])
    // 0 (returned), 2 ... 9, 100, 1001: eleven payers, 1145 in all.
    const asked = oracle.ltv(history([...payers, second, returned]), over(0, 1))
    expect(asked.totals).toEqual({ mean: '104', median: '6', p90: '100' })
    expect(oracle.ltv(history(payers), over(0, 1)).totals).toEqual({ mean: '15', median: '6', p90: '9' })
    expect(oracle.ltv(history(payers), over(1, 2)).totals).toEqual({ mean: null, median: null, p90: null })
  })

  test('revenue by user divides by those who were paid at any time, revenue by payer by those who paid', () => {
    const all = history([
      purchase([sold()]),
      purchase([sold({ purchaseDate: day(-20) })]),
      purchase([sold({ isTrial: true })]),
    ])
    // Both subscriptions were paid on day 0; only one paid in the window.
    expect(oracle.perUser(all, over(0, 5)).totals).toEqual({ arpu: '5000000', arppu: '10000000' })
    expect(oracle.perUser(all, over(10, 11)).totals).toEqual({ arpu: '0', arppu: null })
    expect(oracle.perUser(all, over(40, 50)).totals).toEqual({ arpu: null, arppu: null })
    expect(oracle.perUser(of([sold()]), over(-5, 0)).totals).toEqual({ arpu: null, arppu: null })
  })
})

describe('cells', () => {
  const starts = (timezone: string, from: number, to: number, grain: Asked['grain']) =>
    oracle.revenue(history([], { timezone }), { from, to, grain, now: to }).cells.map(({ start }) => start)

  test('first and last cell are cut to the window', () => {
    expect(starts('UTC', day(0) + HOUR_MS, day(2) + HOUR_MS, 'day')).toEqual([
      '2026-01-01T01:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
      '2026-01-03T00:00:00.000Z',
    ])
    expect(starts('UTC', day(0), day(1), 'day')).toHaveLength(1)
  })

  test('weeks begin on Monday', () => {
    expect(starts('UTC', day(0), day(13), 'week')).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-05T00:00:00.000Z',
      '2026-01-12T00:00:00.000Z',
    ])
  })

  test('a zone of half an hour', () => {
    expect(starts('Asia/Kolkata', day(0), day(1), 'day')).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T18:30:00.000Z',
    ])
  })

  test('days of 23 and 25 hours', () => {
    // New York: 8 March 2026 has 23 hours, 1 November 2026 has 25.
    const march = Date.UTC(2026, 2, 7, 5)
    expect(starts('America/New_York', march, march + 3 * DAY_MS, 'day').slice(1)).toEqual([
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T04:00:00.000Z',
      '2026-03-10T04:00:00.000Z',
    ])
    const november = Date.UTC(2026, 10, 1, 4)
    expect(starts('America/New_York', november, november + 2 * DAY_MS, 'day')).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ])
  })

  test('a change of half an hour', () => {
    // Lord Howe: from UTC+11 to UTC+10:30 on 5 April 2026.
    expect(starts('Australia/Lord_Howe', Date.UTC(2026, 3, 4, 13), Date.UTC(2026, 3, 6, 13), 'day')).toEqual([
      '2026-04-04T13:00:00.000Z',
      '2026-04-05T13:30:00.000Z',
    ])
  })

  test('a day that begins at one o’clock', () => {
    // Beirut: the clock goes from midnight to one o'clock on 29 March 2026, from UTC+2 to UTC+3.
    expect(starts('Asia/Beirut', Date.UTC(2026, 2, 27, 22), Date.UTC(2026, 2, 29, 21), 'day')).toEqual([
      '2026-03-27T22:00:00.000Z',
      '2026-03-28T22:00:00.000Z',
    ])
  })

  test('months of a leap year', () => {
    expect(starts('UTC', Date.UTC(2024, 0, 15), Date.UTC(2024, 2, 2), 'month')).toEqual([
      '2024-01-15T00:00:00.000Z',
      '2024-02-01T00:00:00.000Z',
      '2024-03-01T00:00:00.000Z',
    ])
    expect(starts('UTC', Date.UTC(2024, 1, 28), Date.UTC(2024, 2, 2), 'day')).toHaveLength(3)
  })

  test('a change at the instant of a border belongs to the cell that begins', () => {
    const asked = oracle.mrrMovement(of([sold(), renewal({ purchaseDate: day(31) })]), over(29, 32, { grain: 'day' }))
    expect(asked.cells.map(({ values }) => [values.start, values.churn, values.reactivation, values.end])).toEqual([
      ['10000000', '0', '0', '10000000'],
      ['10000000', '10000000', '0', '0'],
      ['0', '0', '10000000', '10000000'],
    ])
  })

  test('groups are by the value of the purchase, without a value last', () => {
    const all = history([
      purchase([sold()]),
      purchase([sold()], { country: null }),
      purchase([sold()], { country: 'AT' }),
    ])
    const { groups } = oracle.revenue(all, over(0, 1, { groupBy: 'country' }))
    expect(groups?.map(({ key, totals }) => [key, totals.gross])).toEqual([
      ['AT', '10000000'],
      ['DE', '10000000'],
      [null, '10000000'],
    ])
  })

  test('a line is of the product that was charged', () => {
    const replaced = sold({ storeProductId: 'yearly', chargedStoreProductId: 'monthly' })
    const { groups } = oracle.revenue(of([replaced], { storeProductId: 'yearly' }), over(0, 1, { groupBy: 'product' }))
    expect(groups?.map(({ key, totals }) => [key, totals.gross])).toEqual([
      ['monthly', '10000000'],
      ['yearly', '0'],
    ])
  })
})
