import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { givesAccess, type PurchaseStatus } from '../../core/purchase/status'
import cases from './lifecycle.cases.json'
import { anyInstant, anyLife, day, foldOf, mark, sold, word } from './lives.fixtures'
import type { PurchaseFold } from './model'
import { effectiveEnd, nextStatusChangeAt, statusAt, statusReason } from './status'

const INSTANTS = [
  'purchaseDate',
  'originalPurchaseDate',
  'expiresAt',
  'gracePeriodExpiresAt',
  'pausedAt',
  'autoResumeAt',
  'cancelledAt',
  'refundedAt',
  'revokedAt',
  'storeEventAt',
]

/** The completed fold of a case, with days changed into instants. */
const readFold = (members: object): PurchaseFold =>
  JSON.parse(JSON.stringify({ ...cases.fold, ...members }), (name, value) =>
    INSTANTS.includes(name) && typeof value === 'number' ? day(value) : value,
  )

describe('the status table', () => {
  for (const { name, fold, at, status, access, rule, ...rest } of cases.statuses)
    test(name, () => {
      const state = statusAt(readFold(fold), day(at))
      expect(state).toMatchObject({ status, ...rest })
      expect(givesAccess(state.status)).toBe(access)
      expect(String(statusReason(state, day(at)))).toBe(rule)
    })

  const access: [PurchaseStatus, boolean][] = [
    ['TRIAL', true],
    ['ACTIVE', true],
    ['GRACE_PERIOD', true],
    ['BILLING_RETRY', false],
    ['PAUSED', false],
    ['EXPIRED', false],
    ['REFUNDED', false],
    ['REVOKED', false],
  ]
  for (const [status, gives] of access)
    test(`${status} gives ${gives ? '' : 'no '}access`, () => expect(givesAccess(status)).toBe(gives))

  test('before the first report nothing was bought', () => expect(statusReason(null, day(0))).toBe('NOT_YET_BOUGHT'))

  test('paused purchase gives no access', () => {
    const { status } = statusAt(foldOf([sold(), word(10, { pausedAt: day(10) })]), day(11))
    expect(status).toBe('PAUSED')
    expect(givesAccess(status)).toBe(false)
  })

  test('partial refund keeps access', () => {
    const partial = mark('REFUND', 5, { amount: { amountMicros: 1, currency: 'USD' } })
    expect(statusAt(foldOf([sold(), partial]), day(6)).status).toBe('ACTIVE')
  })

  test('a refund of the whole price, told as an amount, ends access', () => {
    const full = mark('REFUND', 5, { amount: { amountMicros: 9_990_000, currency: 'USD' } })
    expect(statusAt(foldOf([sold(), full]), day(6)).status).toBe('REFUNDED')
  })
})

describe('the effective end', () => {
  const ends: [string, Partial<PurchaseFold>, number | null][] = [
    ['is the end of the paid period', {}, day(30)],
    ['is the end of grace when that is later', { gracePeriodExpiresAt: day(46) }, day(46)],
    ['is not an earlier end of grace', { gracePeriodExpiresAt: day(20) }, day(30)],
    ['never comes without an end', { expiresAt: null, gracePeriodExpiresAt: day(46) }, null],
  ]
  for (const [name, members, end] of ends)
    test(name, () => expect(effectiveEnd({ ...foldOf([sold()]), ...members })).toBe(end))
})

describe('the next change by the clock', () => {
  const grace = { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) } as const
  const changes: [string, Partial<PurchaseFold>, now: number, number | null][] = [
    ['a running purchase ends', {}, 5, 30],
    ['an ended one stays ended', {}, 30, null],
    ['a lifetime purchase never changes', { expiresAt: null }, 5, null],
    ['grace ends, not the paid period', grace, 5, 46],
    ['retrying ends after sixty days', grace, 46, 90],
    ['a pause begins', { pausedAt: day(20) }, 5, 20],
    ['the nearest of several changes comes first', { pausedAt: day(40) }, 5, 30],
    ['a refund is final', { refundedAt: day(5) }, 6, null],
  ]
  for (const [name, members, now, next] of changes)
    test(name, () => {
      const fold = { ...foldOf([sold()]), ...members }
      expect(nextStatusChangeAt(fold, day(now))).toBe(next === null ? null : day(next))
    })

  test('between now and the next change the status stands, and at it changes', () => {
    fc.assert(
      fc.property(anyLife, anyInstant, fc.double({ min: 0, max: 0.999, noNaN: true }), (life, now, share) => {
        const fold = foldOf(life)
        const status = statusAt(fold, now).status
        const next = nextStatusChangeAt(fold, now)
        const between = now + Math.floor(((next ?? now + 1000 * DAY) - now) * share)
        expect(statusAt(fold, between).status).toBe(status)
        if (next !== null) expect(statusAt(fold, next).status).not.toBe(status)
      }),
      { numRuns: 500 },
    )
  })
})

describe('laws of the status', () => {
  test('access implies a time before the effective end, and a rule that says so', () => {
    fc.assert(
      fc.property(anyLife, anyInstant, (life, now) => {
        const state = statusAt(foldOf(life), now)
        const end = effectiveEnd(state)
        if (givesAccess(state.status) && end !== null) expect(now).toBeLessThan(end)
        const rule = statusReason(state, now)
        expect(rule.endsWith('_BEFORE_END') || rule === 'LIFETIME').toBe(givesAccess(state.status))
      }),
      { numRuns: 500 },
    )
  })

  test('a state asked again is the same state', () => {
    fc.assert(
      fc.property(anyLife, anyInstant, (life, now) => {
        const state = statusAt(foldOf(life), now)
        expect(statusAt(state, now)).toEqual(state)
      }),
    )
  })
})
