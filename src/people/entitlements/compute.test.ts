import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyInstant, anyLife, day, foldOf, sold } from '../purchases/lives.fixtures'
import type { PurchaseFold } from '../purchases/model'
import { computeEntitlements, type EntitlementGrant, entitlementsChangeAt, sandboxGrants, toAccessMap } from './compute'

const FOLD = foldOf([sold()])
const NOW = day(15)

const grant = (fold: Partial<PurchaseFold> = {}, members: Partial<EntitlementGrant> = {}): EntitlementGrant => ({
  purchaseId: 'pur_1',
  accessIdentifiers: ['pro'],
  productIdentifier: 'pro_monthly',
  store: 'IOS_STORE',
  environment: 'PRODUCTION',
  fold: { ...FOLD, ...fold },
  ...members,
})

const second = (fold: Partial<PurchaseFold> = {}, members: Partial<EntitlementGrant> = {}) =>
  grant(fold, { purchaseId: 'pur_2', ...members })

describe('one purchase', () => {
  const grace = { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) } as const
  const cases: [name: string, fold: Partial<PurchaseFold>, at: number, isActive: boolean, rule: string][] = [
    ['active before expiry', {}, 29, true, 'ACTIVE_BEFORE_END'],
    ['inactive at the exact expiry instant', {}, 30, false, 'PAST_END'],
    ['a trial gives access', { isTrial: true }, 5, true, 'TRIAL_BEFORE_END'],
    ['grace keeps access after expiry', grace, 40, true, 'GRACE_PERIOD_BEFORE_END'],
    ['refund beats grace', { ...grace, refundedAt: day(39) }, 40, false, 'REFUNDED'],
    ['retrying gives no access', { billingTrouble: 'RETRY' }, 40, false, 'BILLING_RETRY'],
    ['a paused purchase gives no access', { pausedAt: day(10) }, 15, false, 'PAUSED'],
    ['a revoked purchase gives no access', { revokedAt: day(10) }, 15, false, 'REVOKED'],
    ['a lifetime purchase gives access for ever', { expiresAt: null }, 36500, true, 'LIFETIME'],
  ]
  for (const [name, fold, at, isActive, rule] of cases)
    test(name, () => {
      const [entitlement] = computeEntitlements([grant(fold)], day(at), true)
      expect({ isActive: entitlement?.isActive, rule: String(entitlement?.rule) }).toEqual({ isActive, rule })
    })

  test('grace moves the end', () => {
    expect(computeEntitlements([grant(grace)], day(40), true)).toMatchObject([{ expiresAt: day(46) }])
  })

  test('gives every access of its product once, sorted', () => {
    const grants = [grant({}, { accessIdentifiers: ['pro', 'basic', 'pro'] })]
    expect(computeEntitlements(grants, NOW, true).map(({ access }) => access)).toEqual(['basic', 'pro'])
    expect(computeEntitlements(grants, NOW, true).flatMap(({ candidates }) => candidates)).toHaveLength(2)
  })

  test('without any access gives no entitlement', () => {
    expect(computeEntitlements([grant({}, { accessIdentifiers: [] })], NOW, true)).toEqual([])
  })
})

describe('the clock alone changes', () => {
  const at = (fold: Partial<PurchaseFold>, now: number) => entitlementsChangeAt([{ ...FOLD, ...fold }], day(now))
  const grace = { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) } as const
  const cases: [name: string, fold: Partial<PurchaseFold>, now: number, at: number | null][] = [
    ['a period at its end', {}, 29, day(30)],
    ['nothing at the end itself', {}, 30, null],
    ['a lifetime never', { expiresAt: null }, 15, null],
    ['grace at its end', grace, 31, day(46)],
    ['a pause when it begins', { pausedAt: day(20) }, 15, day(20)],
    ['retrying at its limit', { billingTrouble: 'RETRY' }, 40, day(90)],
    ['a refund never', { refundedAt: day(3) }, 15, null],
  ]
  for (const [name, fold, now, instant] of cases) test(name, () => expect(at(fold, now)).toBe(instant))

  test('several purchases when it changes the first of them', () => {
    expect(entitlementsChangeAt([{ ...FOLD, expiresAt: null }, FOLD, { ...FOLD, expiresAt: day(20) }], day(15))).toBe(
      day(20),
    )
    expect(entitlementsChangeAt([], day(15))).toBeNull()
  })
})

describe('of several purchases', () => {
  const decides = (grants: EntitlementGrant[]) => computeEntitlements(grants, NOW, true)[0]?.purchaseId

  const cases: [name: string, first: EntitlementGrant, other: EntitlementGrant][] = [
    ['the latest end decides', grant(), second({ expiresAt: day(40) })],
    ['one without end beats all', grant({ expiresAt: day(9999) }), second({ expiresAt: null })],
    ['what gives access beats a later end that does not', grant({ expiresAt: null, refundedAt: day(1) }), second()],
    ['equal ends go to the newest purchase', grant(), second({ purchaseDate: day(1) })],
    ['equal ends and dates go to the greater id', grant(), second()],
    [
      'two without end go to the newest purchase',
      grant({ expiresAt: null }),
      second({ expiresAt: null, purchaseDate: day(1) }),
    ],
    [
      'the end of grace counts',
      grant({ expiresAt: day(31) }),
      second({ billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) }),
    ],
  ]
  for (const [name, first, other] of cases)
    test(name, () => {
      expect(decides([first, other])).toBe('pur_2')
      expect(decides([other, first])).toBe('pur_2')
    })

  test('each is a candidate with its own rule, the deciding one first', () => {
    const [entitlement] = computeEntitlements([grant({ refundedAt: day(3) }), second()], NOW, true)
    expect(entitlement?.candidates).toEqual([
      { purchaseId: 'pur_2', grants: true, rule: 'ACTIVE_BEFORE_END', effectiveEnd: day(30) },
      { purchaseId: 'pur_1', grants: false, rule: 'REFUNDED', effectiveEnd: day(30) },
    ])
  })
})

describe('sandbox purchases', () => {
  const sandbox = grant({}, { environment: 'SANDBOX' })

  test('give access where the project lets them', () => {
    expect(computeEntitlements([sandbox], NOW, true)).toMatchObject([{ isActive: true }])
    expect(computeEntitlements([sandbox], NOW, false)).toMatchObject([
      { isActive: false, candidates: [{ grants: false }] },
    ])
  })

  test('never outdo a production purchase when they do not count', () => {
    const lasting = second({ expiresAt: null }, { environment: 'SANDBOX' })
    expect(computeEntitlements([grant(), lasting], NOW, false)).toMatchObject([{ isActive: true, purchaseId: 'pur_1' }])
  })

  const cases: [
    name: string,
    access: 'anybody' | 'allowList' | 'nobody',
    label: string | null,
    testers: string[],
    boolean,
  ][] = [
    ['count for anybody', 'anybody', null, [], true],
    ['count for nobody', 'nobody', 'ada', ['ada', 'device'], false],
    ['count for a label on the list', 'allowList', 'ada', ['ada'], true],
    ['count for a device on the list', 'allowList', null, ['device'], true],
    ['do not count for others', 'allowList', 'bo', ['ada'], false],
    ['do not count for those without a label', 'allowList', null, ['ada', ''], false],
  ]
  for (const [name, sandboxAccess, label, sandboxTesters, counts] of cases)
    test(name, () => expect(sandboxGrants({ sandboxAccess, sandboxTesters, label, deviceKey: 'device' })).toBe(counts))
})

describe('the access map', () => {
  test('holds what is live, in the words of the wire', () => {
    const grants = [
      grant(),
      second({ expiresAt: null }, { accessIdentifiers: ['lifetime'], store: 'MANUAL', productIdentifier: 'unknown' }),
      grant({ revokedAt: day(1) }, { purchaseId: 'pur_3', accessIdentifiers: ['gone'] }),
    ]
    expect(toAccessMap(computeEntitlements(grants, NOW, true))).toEqual({
      lifetime: { isActive: true, expiresDate: null, store: 'MANUAL', productIdentifier: 'unknown' },
      pro: {
        isActive: true,
        expiresDate: '2026-01-31T00:00:00.000Z',
        store: 'IOS_STORE',
        productIdentifier: 'pro_monthly',
      },
    })
  })

  test('is empty without purchases', () => expect(toAccessMap(computeEntitlements([], NOW, true))).toEqual({}))
})

describe('laws of the entitlements', () => {
  const anyGrants = fc
    .array(fc.record({ life: anyLife, access: fc.subarray(['pro', 'basic']), isSandbox: fc.boolean() }), {
      maxLength: 5,
    })
    .map((lives) =>
      lives.map(({ life, access, isSandbox }, index) =>
        grant(foldOf(life), {
          purchaseId: `pur_${index}`,
          accessIdentifiers: access,
          environment: isSandbox ? 'SANDBOX' : 'PRODUCTION',
        }),
      ),
    )

  test('order of grants never changes the answer', () => {
    fc.assert(
      fc.property(anyGrants, anyInstant, fc.boolean(), fc.nat(), (grants, now, counts, turn) => {
        const turned = [...grants.slice(turn % 5), ...grants.slice(0, turn % 5)].reverse()
        expect(computeEntitlements(turned, now, counts)).toEqual(computeEntitlements(grants, now, counts))
      }),
    )
  })

  test('nothing changes by itself before the instant told, and what is told of changes is none too late', () => {
    const folds = (grants: readonly EntitlementGrant[]) => grants.map(({ fold }) => fold)
    fc.assert(
      fc.property(anyGrants, anyInstant, anyInstant, fc.boolean(), fc.nat(), (grants, one, other, counts, part) => {
        const [now, later] = one < other ? [one, other] : [other, one]
        const before = computeEntitlements(grants, now, counts)
        const at = entitlementsChangeAt(folds(grants), now)
        const last = Math.min(later, at === null ? later : at - 1)
        for (const then of [now, now + (part % (last - now + 1)), last])
          expect(computeEntitlements(grants, then, counts)).toEqual(before)
        if (JSON.stringify(computeEntitlements(grants, later, counts)) !== JSON.stringify(before))
          expect(at ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(later)
        if (at !== null) expect(at).toBeGreaterThan(now)
      }),
    )
  })

  test('an access is held exactly when one candidate grants, and no granting candidate ends later', () => {
    fc.assert(
      fc.property(anyGrants, anyInstant, fc.boolean(), (grants, now, counts) => {
        for (const { isActive, expiresAt, candidates } of computeEntitlements(grants, now, counts)) {
          const granting = candidates.filter((candidate) => candidate.grants)
          expect(isActive).toBe(granting.length > 0)
          const latest = Math.max(...granting.map(({ effectiveEnd }) => effectiveEnd ?? Number.POSITIVE_INFINITY))
          if (isActive) expect(expiresAt ?? Number.POSITIVE_INFINITY).toBe(latest)
        }
      }),
    )
  })
})
