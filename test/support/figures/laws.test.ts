import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foldObservations } from '../../../src/people/purchases/fold'
import { isCharge, transactionLines } from '../../../src/people/purchases/lines'
import { statusAt } from '../../../src/people/purchases/status'
import type { Observation } from '../../../src/stores/observation'
import { DAY_MS, type History, type Rate } from './history'
import type { Value, Values } from './metric'
import * as oracle from './oracle'
import { anyHistory, EARLIEST, historyOf, instantsIn, LATEST } from './projects'
import { stateAt } from './state'
import { type Asked, momentAt, type World, worldOf } from './world'

const GRAINS = ['day', 'week', 'month', 'total'] as const
const GROUPS = ['store', 'product', 'country', 'platform'] as const

const FIRST = EARLIEST + 20 * DAY_MS

/** A history, and a window whose borders often lie on an instant at which something happens. */
const anyQuestion: fc.Arbitrary<{ history: History; asked: Asked }> = anyHistory({ max: 8 }).chain((history) => {
  const border = fc.oneof(
    fc.constantFrom(...instantsIn(history)),
    fc.integer({ min: FIRST, max: FIRST + 600 * DAY_MS }),
  )
  return fc
    .record({
      borders: fc.tuple(border, border),
      grain: fc.constantFrom(...GRAINS),
      knownAt: fc.oneof(fc.constant(null), border),
      groupBy: fc.constantFrom(...GROUPS),
    })
    .map(({ borders: [a, b], ...rest }) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      // A window of some weeks is enough, and quick to reckon by brute force.
      return { history, asked: { from, to: Math.min(to, from + 100 * DAY_MS) + 1, now: LATEST, ...rest } }
    })
})

const holds = (runs: number, law: (history: History, asked: Asked) => void): void =>
  fc.assert(
    fc.property(anyQuestion, ({ history, asked }) => law(history, asked)),
    { numRuns: runs },
  )

/** A count or an amount, exactly. */
const money = (value: Value | undefined): bigint => BigInt(String(value))

type Names = [metric: oracle.MetricName, value: string][]

const ADDED: Names = [
  ...(['gross', 'refunds', 'net'] as const).map((name): Names[number] => ['revenue', name]),
  ...(['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const).map((name): Names[number] => [
    'mrrMovement',
    name,
  ]),
  ...(['starts', 'converted', 'pending'] as const).map((name): Names[number] => ['trials', name]),
  ['proceeds', 'proceeds'],
  ['churn', 'churned'],
]

const STOCKS: Names = [
  ['mrr', 'mrr'],
  ['active', 'active'],
  ['active', 'trials'],
  ['mrrMovement', 'start'],
  ['mrrMovement', 'end'],
]

const added = (series: readonly { values: Values }[], name: string): bigint =>
  series.reduce((total, { values }) => total + money(values[name]), 0n)

describe('laws of the figures', () => {
  test('start and movements come to the end, in every cell and group', () => {
    holds(60, (history, asked) => {
      const { groups = [], ...all } = oracle.mrrMovement(history, asked)
      for (const { cells, totals } of [all, ...groups])
        for (const values of [...cells.map((cell) => cell.values), totals]) {
          const of = (name: string) => money(values[name])
          const more = of('new') + of('reactivation') + of('expansion')
          expect(of('start') + more - of('contraction') - of('churn')).toBe(of('end'))
        }
    })
  })

  test('so do subscriptions and trials, by number', () => {
    holds(40, (history, asked) => {
      const { activeMovement, trialMovement, active, statuses } = oracle.allFigures(history, asked)
      activeMovement.cells.forEach(({ values }, index) => {
        const of = (name: string) => money(values[name])
        expect(of('start') + of('new') + of('reactivated') - of('churned')).toBe(of('end'))
        expect(of('end')).toBe(money(active.cells[index]?.values.active))
      })
      trialMovement.cells.forEach(({ values }, index) => {
        const of = (name: string) => money(values[name])
        expect(of('start') + of('started') - of('ended')).toBe(of('end'))
        expect(of('end')).toBe(money(active.cells[index]?.values.trials))
        expect(of('end')).toBe(money(statuses.cells[index]?.values.TRIAL ?? 0))
      })
    })
  })

  test('cells come to the window, and groups to all', () => {
    holds(60, (history, asked) => {
      const figures = oracle.allFigures(history, asked)
      for (const [metric, name] of ADDED) {
        const { cells, totals, groups = [] } = figures[metric]
        expect([metric, name, added(cells, name)]).toEqual([metric, name, money(totals[name])])
        const parts = groups.map((group) => ({ values: group.totals }))
        expect([metric, name, added(parts, name)]).toEqual([metric, name, money(totals[name])])
      }
      for (const [metric, name] of STOCKS) {
        const { totals, groups = [] } = figures[metric]
        const parts = groups.map((group) => ({ values: group.totals }))
        expect([metric, name, added(parts, name)]).toEqual([metric, name, money(totals[name])])
      }
    })
  })

  test('a cell ends as the next one starts', () => {
    holds(40, (history, asked) => {
      const { cells } = oracle.mrrMovement(history, asked)
      const mrr = oracle.mrr(history, asked).cells
      cells.forEach(({ values }, index) => {
        expect(values.end).toBe(cells[index + 1]?.values.start ?? values.end)
        expect(values.end).toBe(mrr[index]?.values.mrr)
      })
    })
  })

  test('gross minus refunds is net, and proceeds lie between', () => {
    holds(40, (history, asked) => {
      const { gross, refunds, net } = oracle.revenue(history, asked).totals
      expect(money(gross) - money(refunds)).toBe(money(net))
      const all = { ...asked, commissionRates: { IOS_STORE: '1', ANDROID_STORE: '1', PAYMENT: '1' } }
      expect(oracle.proceeds(history, all).totals.proceeds).toBe('0')
      const none = { ...asked, commissionRates: { IOS_STORE: '0', ANDROID_STORE: '0', PAYMENT: '0' } }
      expect(oracle.proceeds(history, none).totals.proceeds).toBe(net ?? null)
    })
  })

  test('the order of rows and repeated news change nothing', () => {
    holds(60, (history, asked) => {
      const turned = {
        ...history,
        rates: history.rates.toReversed(),
        purchases: history.purchases.toReversed().map((purchase) => {
          const { observations } = purchase
          const again = observations.map((one) => ({ ...one, recordedAt: one.recordedAt + DAY_MS }))
          return { ...purchase, observations: [...again, ...observations.toReversed()] }
        }),
      }
      expect(oracle.allFigures(turned, asked)).toEqual(oracle.allFigures(history, asked))
    })
  })

  test('what is not known yet is as if it had never happened', () => {
    holds(60, (history, asked) => {
      const knownAt = asked.knownAt ?? asked.to
      const purchases = history.purchases.map((purchase) => ({
        ...purchase,
        observations: purchase.observations.filter(({ recordedAt }) => recordedAt < knownAt),
      }))
      const then = { ...asked, knownAt: null, now: Math.min(knownAt, asked.now) }
      expect(oracle.allFigures(history, { ...asked, knownAt })).toEqual(
        oracle.allFigures({ ...history, purchases }, then),
      )
    })
  })
})

/** Every currency is worth a dollar, so that dollars are the micros of the line. */
const EVEN: Rate[] = ['EUR', 'GBP', 'TRY', 'XTS'].map((currency) => ({ day: '2000-01-01', currency, usdPerUnit: '1' }))

describe('the oracle and the product mean the same', () => {
  const law = (check: (world: World, at: number) => void) =>
    holds(120, (history, asked) => check(worldOf({ ...history, rates: EVEN }, { ...asked, knownAt: null }), asked.from))

  test('between two moments the state stays', () => {
    law((world, at) => {
      for (const chain of world.chains)
        expect(momentAt(chain, at)?.state ?? null).toEqual(stateAt(chain.known, chain.transactions, at))
    })
  })

  test('status', () => {
    law((world, at) => {
      for (const chain of world.chains) {
        const { known } = chain
        const { productType } = chain.purchase
        const fold = foldObservations(countedAt(known, at), productType)
        expect(momentAt(chain, at)?.state?.status).toBe(fold ? statusAt(fold, at).status : undefined)
        const last = foldObservations(known, productType)
        expect(momentAt(chain, LATEST * 2)?.state?.status).toBe(last ? statusAt(last, LATEST * 2).status : undefined)
      }
    })
  })

  test('money lines', () => {
    law((world) => {
      for (const chain of world.chains) {
        const { known } = chain
        const lines = transactionLines(known, chain.purchase.productType)
        const amounts = lines.flatMap((line) => {
          const isPaid = !line.isTrial && line.kind !== 'GRANT' && line.price !== null
          const name = isCharge(line) ? 'CHARGE' : line.kind === 'REFUND_REVERSAL' ? 'REVERSAL' : 'RETURN'
          return isPaid ? [`${line.storeTransactionId} ${name} ${line.occurredAt} ${line.price?.amountMicros}`] : []
        })
        const own = chain.lines.map(({ transactionId, kind, at, usd }) => `${transactionId} ${kind} ${at} ${usd}`)
        expect(own.sort()).toEqual(amounts.sort())
      }
    })
  })

  /** Of a report from later only the transaction counts, at the time of its purchase. */
  const countedAt = (known: readonly Observation[], at: number): Observation[] =>
    known.flatMap((one): Observation[] => {
      if (one.eventAt <= at) return [one]
      if (one.kind !== 'REPORT' || !one.transaction || one.transaction.purchaseDate > at) return []
      const { kind, id, transaction } = one
      return [{ kind, id, transaction, eventAt: transaction.purchaseDate }]
    })
})

describe('generated projects', () => {
  const all = Array.from({ length: 60 }, (_, seed) => historyOf(seed))

  test('a seed always gives the same project', () => {
    expect(historyOf(7)).toEqual(historyOf(7))
    expect(historyOf(7)).not.toEqual(historyOf(8))
  })

  test('everything is there that figures can be wrong about', () => {
    const purchases = all.flatMap((history) => history.purchases)
    const observations = purchases.flatMap((purchase) => purchase.observations)
    const reports = observations.flatMap((one) => (one.kind === 'REPORT' ? [one] : []))
    const parts = reports.flatMap(({ transaction }) => transaction ?? [])
    const states = all.flatMap((history) =>
      worldOf(history, { from: 0, to: 1, grain: 'total', now: 0 }).chains.flatMap(({ moments }) => moments),
    )
    const statuses = new Set(states.map(({ state }) => state?.status))
    expect([...statuses].sort()).toEqual([
      'ACTIVE',
      'BILLING_RETRY',
      'EXPIRED',
      'GRACE_PERIOD',
      'PAUSED',
      'REFUNDED',
      'REVOKED',
      'TRIAL',
      undefined,
    ])
    expect(new Set(purchases.map(({ store }) => store)).size).toBe(4)
    expect(new Set(purchases.map(({ productType }) => productType)).size).toBe(3)
    expect(new Set(parts.map(({ price }) => price?.currency)).size).toBe(6)
    expect(new Set(observations.map(({ kind }) => kind)).size).toBe(4)
    expect(new Set(all.map(({ timezone }) => timezone)).size).toBeGreaterThan(5)
    expect(Math.max(...all.map((history) => history.purchases.length))).toBeGreaterThan(20)
    expect(Math.min(...all.map((history) => history.purchases.length))).toBeLessThan(5)
    const late = observations.filter(({ eventAt, recordedAt }) => recordedAt > eventAt + 30 * DAY_MS)
    const dated = reports.filter(
      ({ transaction, eventAt }) => transaction && eventAt > transaction.purchaseDate + DAY_MS,
    )
    const early = reports.filter(({ transaction, eventAt }) => transaction && eventAt < transaction.purchaseDate)
    const charges = observations.filter((one) => one.kind === 'REFUND' && one.isChargeback)
    for (const some of [late, dated, early, charges]) expect(some.length).toBeGreaterThan(20)
    expect(parts.some(({ ownershipType }) => ownershipType === 'FAMILY_SHARED')).toBe(true)
    expect(states.some(({ isLeftOut }) => isLeftOut)).toBe(true)
  })

  test('a purchase begins with a transaction, and nothing has two meanings', () => {
    for (const { observations } of all.flatMap((history) => history.purchases)) {
      const [first] = observations
      const together = observations.filter(({ recordedAt }) => recordedAt === first?.recordedAt)
      expect(together.some((one) => one.kind === 'REPORT' && one.transaction)).toBe(true)
      const meanings = new Map(observations.map(({ recordedAt: _recordedAt, ...one }) => [one.id, JSON.stringify(one)]))
      for (const { recordedAt, ...one } of observations) {
        expect(JSON.stringify(one)).toBe(meanings.get(one.id) ?? '')
        expect(recordedAt).toBeGreaterThanOrEqual(one.eventAt)
        expect(recordedAt).toBeWithin(EARLIEST, LATEST)
      }
    }
  })
})
