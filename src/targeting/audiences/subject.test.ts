import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR } from '../../base/lib/clock'
import { anonymousSubject, withContext } from '../../core/audience/subject'
import { compileAudience } from '../../core/rules/compile'
import { BUILT_INS, type BuiltIn } from '../../core/rules/model'
import { computeEntitlements } from '../../people/entitlements/compute'
import { anyInstant, anyLife, day, foldOf } from '../../people/purchases/lives.fixtures'
import type { PurchaseFold } from '../../people/purchases/model'
import { statusAt } from '../../people/purchases/status'
import { builtInReader, builtInsChangeAt, createSubject, type SubjectFacts, type SubjectPurchase } from './built-ins'

const NOW = Date.UTC(2026, 10, 20, 8)

const person = {
  appUserId: 'user_1',
  deviceKey: 'svc_a',
  firstSeenAt: NOW - 10 * DAY,
  lastSeenAt: NOW - HOUR,
  platform: 'ios',
}

const facts = (differing: Partial<SubjectFacts> = {}): SubjectFacts => ({
  now: NOW,
  person,
  attributes: {},
  entitlements: [],
  purchases: [],
  spentUsdMicros: 0,
  ...differing,
})

const fold = (differing: Partial<PurchaseFold>): PurchaseFold => ({
  productType: 'SUBSCRIPTION',
  storeProductId: 'monthly',
  storeTransactionId: '1',
  purchaseDate: NOW - 5 * DAY,
  originalPurchaseDate: NOW - 5 * DAY,
  expiresAt: NOW + 25 * DAY,
  gracePeriodExpiresAt: null,
  isTrial: false,
  isIntroOffer: false,
  offerId: null,
  price: null,
  quantity: 1,
  ownershipType: 'PURCHASED',
  autoRenews: true,
  pendingStoreProductId: null,
  billingTrouble: 'NONE',
  pausedAt: null,
  autoResumeAt: null,
  priceConsent: null,
  cancelledAt: null,
  refundedAt: null,
  revokedAt: null,
  expiryReason: null,
  storeEventAt: NOW - 5 * DAY,
  ...differing,
})

const purchase = (id: string, differing: Partial<PurchaseFold>, store: SubjectPurchase['store'] = 'IOS_STORE') => ({
  id,
  store,
  fold: fold(differing),
})

const trial = (endsIn: number) => facts({ purchases: [purchase('a', { isTrial: true, expiresAt: NOW + endsIn })] })

const ended = purchase('z', { expiresAt: NOW - DAY }, 'ANDROID_STORE')
const active = purchase('a', { expiresAt: NOW + DAY })
const lifetime = purchase('b', { expiresAt: null }, 'PAYMENT')

const texts: [name: string, builtIn: BuiltIn, facts: SubjectFacts, text: string | undefined][] = [
  ['the label', 'svc.appUserId', facts(), 'user_1'],
  ['no label', 'svc.appUserId', facts({ person: { ...person, appUserId: null } }), undefined],
  ['the device key', 'svc.deviceKey', facts(), 'svc_a'],
  ['the first time', 'svc.firstSeenAt', facts(), '2026-11-10T08:00:00.000Z'],
  ['the last time', 'svc.lastSeenAt', facts(), '2026-11-20T07:00:00.000Z'],
  ['the platform', 'svc.platform', facts(), 'ios'],
  ['no platform', 'svc.platform', facts({ person: { ...person, platform: null } }), undefined],
  ['no access', 'svc.access', facts(), '[]'],
  [
    'active access only, in order',
    'svc.access',
    facts({ entitlements: held('pro', '-old', 'coach') }),
    '["coach","pro"]',
  ],
  ['something active', 'svc.hasActive', facts({ entitlements: held('-old', 'pro') }), 'true'],
  ['nothing active', 'svc.hasActive', facts({ entitlements: held('-old') }), 'false'],
  ['no purchase, no store', 'svc.store', facts(), undefined],
  ['no purchase, no status', 'svc.status', facts(), undefined],
  ['no purchase, no trial', 'svc.isTrial', facts(), 'false'],
  ['what gives access leads', 'svc.store', facts({ purchases: [ended, active] }), 'IOS_STORE'],
  ['what never ends leads', 'svc.store', facts({ purchases: [active, lifetime, ended] }), 'PAYMENT'],
  ['what ended still has a status', 'svc.status', facts({ purchases: [ended] }), 'EXPIRED'],
  ['a refund without an end does not lead', 'svc.status', facts({ purchases: [refunded(), active] }), 'ACTIVE'],
  ['grace is a status', 'svc.status', facts({ purchases: [inGrace()] }), 'GRACE_PERIOD'],
  ['the end is exclusive', 'svc.status', facts({ purchases: [purchase('a', { expiresAt: NOW })] }), 'EXPIRED'],
  ['a trial', 'svc.isTrial', trial(DAY), 'true'],
  ['a trial at its end', 'svc.isTrial', trial(0), 'false'],
  ['two days left', 'svc.trialDaysLeft', trial(2 * DAY), '2'],
  ['a day begun counts', 'svc.trialDaysLeft', trial(2 * DAY + 1), '3'],
  ['the last millisecond is a day', 'svc.trialDaysLeft', trial(1), '1'],
  ['no days left of a trial that ended', 'svc.trialDaysLeft', trial(0), undefined],
  ['no days left without a trial', 'svc.trialDaysLeft', facts({ purchases: [active] }), undefined],
  ['whole days since the first time', 'svc.daysSinceFirstSeen', facts(), '10'],
  ['a day not over does not count', 'svc.daysSinceFirstSeen', facts({ now: NOW - 1 }), '9'],
  ['a clock behind counts no days', 'svc.daysSinceFirstSeen', facts({ now: NOW - 20 * DAY }), '0'],
  ['nothing spent', 'svc.lifetimeSpendUsd', facts(), '0'],
  ['dollars', 'svc.lifetimeSpendUsd', facts({ spentUsdMicros: 9_990_000 }), '9.99'],
  ['whole dollars', 'svc.lifetimeSpendUsd', facts({ spentUsdMicros: 120_000_000 }), '120'],
  ['one micro', 'svc.lifetimeSpendUsd', facts({ spentUsdMicros: 1 }), '0.000001'],
  ['more given back than paid', 'svc.lifetimeSpendUsd', facts({ spentUsdMicros: -500_000 }), '-0.5'],
  ['no purchase, no country', 'svc.country', facts(), undefined],
  [
    'the country of the newest purchase, whatever its status',
    'svc.country',
    facts({
      purchases: [
        purchase('a', { country: 'DE', purchaseDate: NOW - 2 * DAY }),
        purchase('b', { country: 'TR', purchaseDate: NOW - DAY, expiresAt: NOW - 1 }),
      ],
    }),
    'TR',
  ],
  [
    'no country of an older purchase',
    'svc.country',
    facts({ purchases: [purchase('a', { country: 'DE', purchaseDate: NOW - 9 * DAY }), active] }),
    undefined,
  ],
  [
    'every product once, in order',
    'svc.everPurchased',
    facts({
      purchases: [
        { ...ended, product: 'pro' },
        { ...active, product: 'gems' },
        { ...lifetime, product: 'pro' },
      ],
    }),
    '["gems","pro"]',
  ],
  ['the time', 'svc.now', facts(), '2026-11-20T08:00:00.000Z'],
  ['not known in dollars', 'svc.lifetimeSpendUsd', facts({ spentUsdMicros: null }), undefined],
]

function held(...names: string[]): SubjectFacts['entitlements'] {
  return names.map((name) => ({ access: name.replace('-', ''), isActive: !name.startsWith('-') }))
}

function refunded(): SubjectPurchase {
  return purchase('y', { expiresAt: null, refundedAt: NOW - 1 })
}

function inGrace(): SubjectPurchase {
  return purchase('a', { billingTrouble: 'GRACE', expiresAt: NOW - 1, gracePeriodExpiresAt: NOW + DAY })
}

describe('built-in names', () => {
  for (const [name, builtIn, given, text] of texts)
    test(`${builtIn}: ${name}`, () => {
      const subject = createSubject(given)
      expect(subject.builtIn(builtIn)).toBe(text)
      expect(subject.builtIn(builtIn)).toBe(text)
    })
})

test('the purchase that leads is the one that decides entitlements, whatever the order', () => {
  const instant = fc.constantFrom(NOW - 2 * DAY, NOW - DAY, NOW, NOW + DAY, NOW + 2 * DAY)
  const purchases = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      store: fc.constantFrom('IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL'),
      fold: fc
        .record({
          purchaseDate: instant,
          expiresAt: fc.option(instant),
          refundedAt: fc.option(instant, { freq: 4 }),
          isTrial: fc.boolean(),
        })
        .map(fold),
    }),
    { minLength: 1, selector: ({ id }) => id },
  )
  const property = fc.property(purchases, (given) => {
    const grants = given.map(({ id, ...rest }) => ({ ...rest, purchaseId: id, ...GRANT }))
    const [deciding] = computeEntitlements(grants, NOW, true)
    const leading = given.find(({ id }) => id === deciding?.purchaseId)
    const subject = createSubject(facts({ purchases: given }))
    expect(subject.builtIn('svc.store')).toBe(leading?.store)
    expect(subject.builtIn('svc.status')).toBe(leading && statusAt(leading.fold, NOW).status)
  })
  fc.assert(property, { seed: 20261120, numRuns: 500 })
})

const GRANT = { accessIdentifiers: ['pro'], productIdentifier: 'pro_monthly', environment: 'PRODUCTION' } as const

test('every built-in wins over the custom attribute of its name, with a value or without', () => {
  const attributes = Object.fromEntries(BUILT_INS.map((name) => [name, 'forged']))
  const subject = createSubject(facts({ attributes, spentUsdMicros: null }))
  for (const name of BUILT_INS) expect(compileAudience({ [name]: 'forged' }).matches(subject)).toBe(false)
  for (const name of BUILT_INS)
    expect(compileAudience({ [name]: 'forged' }).matches(anonymousSubject(attributes))).toBe(false)
})

test('what no rule asks for is never computed, and what many ask for once', () => {
  let reads = 0
  const given = facts()
  const watched = {
    ...given,
    get purchases() {
      reads++
      return [active]
    },
  }
  const subject = createSubject(watched)
  compileAudience({ plan: 'gold', 'svc.hasActive': 'true' }).matches(subject)
  expect(reads).toBe(0)
  for (let time = 0; time < 3; time++) compileAudience({ 'svc.status': 'ACTIVE' }).matches(subject)
  compileAudience({ 'svc.store': 'IOS_STORE', 'svc.isTrial': false, 'svc.trialDaysLeft': null }).matches(subject)
  expect(reads).toBe(1)
})

test('a time compares by instant with any offset, and its text is the one of the wire', () => {
  const subject = createSubject(facts())
  expect(compileAudience({ 'svc.firstSeenAt': '2026-11-10T11:00:00+03:00' }).matches(subject)).toBe(true)
  expect(compileAudience({ 'svc.lastSeenAt': { $gt: '2026-11-20T09:59:59+03:00' } }).matches(subject)).toBe(true)
  expect(compileAudience({ 'svc.lastSeenAt': { $gt: '2026-11-20T10:00:00+03:00' } }).matches(subject)).toBe(false)
})

test('names that objects inherit are missing until somebody sets them', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(createSubject(facts()).custom(name)).toBeUndefined()
    expect(anonymousSubject().custom(name)).toBeUndefined()
    expect(createSubject(facts({ attributes: withContext({}, JSON.parse(`{"${name}":1}`)) })).custom(name)).toBe('1')
  }
})

test('somebody whom we do not know has nothing but what the call brings', () => {
  const nobody = anonymousSubject({ plan: 'gold' })
  for (const name of BUILT_INS) expect(nobody.builtIn(name)).toBeUndefined()
  expect(compileAudience({ plan: 'gold', 'svc.firstSeenAt': null }).matches(nobody)).toBe(true)
  expect(compileAudience({ 'svc.firstSeenAt': { $gt: 0 } }).matches(nobody)).toBe(false)
})

test('of a context texts, numbers and booleans join, and win over what is saved', () => {
  const saved = { plan: 'gold', mood: 'good' }
  const context = {
    targetingKey: 'svc_a',
    plan: 'silver',
    age: 5.5,
    vip: false,
    big: 1e21,
    none: null,
    list: ['a'],
    object: { a: 1 },
  }
  expect(withContext(saved, context)).toEqual({
    plan: 'silver',
    mood: 'good',
    age: '5.5',
    vip: 'false',
    big: '1e+21',
  })
  expect(saved).toEqual({ plan: 'gold', mood: 'good' })
})

describe('the clock alone gives another text', () => {
  const changesIn = (name: BuiltIn, known: SubjectFacts) => {
    const at = builtInsChangeAt(known, [name])
    return at === null ? null : at - NOW
  }
  const some = (...purchases: SubjectPurchase[]) => facts({ purchases })
  const cases: [what: string, name: BuiltIn, known: SubjectFacts, ms: number | null][] = [
    ['at the end of a purchase', 'svc.hasActive', some(active, purchase('b', { expiresAt: NOW + 9 * DAY })), DAY],
    ['at the end of a trial', 'svc.isTrial', trial(HOUR), HOUR],
    ['when a pause begins', 'svc.status', some(purchase('a', { pausedAt: NOW + HOUR })), HOUR],
    ['never for a lifetime', 'svc.access', some(lifetime, ended), null],
    ['when the last hours of a day of a trial have passed', 'svc.trialDaysLeft', trial(2 * DAY + HOUR), HOUR],
    ['a whole day later where a day has just begun', 'svc.trialDaysLeft', trial(2 * DAY), DAY],
    [
      'when a trial is paused',
      'svc.trialDaysLeft',
      some(purchase('a', { isTrial: true, expiresAt: NOW + DAY, pausedAt: NOW + HOUR })),
      HOUR,
    ],
    ['when a day of acquaintance is full', 'svc.daysSinceFirstSeen', facts(), DAY],
    ['never for what the row tells', 'svc.firstSeenAt', trial(HOUR), null],
    ['never for the app user', 'svc.appUserId', trial(HOUR), null],
  ]
  for (const [what, name, known, ms] of cases) test(`${what}: ${name}`, () => expect(changesIn(name, known)).toBe(ms))

  test('of several names at the soonest, of none never', () => {
    expect(builtInsChangeAt(trial(DAY + HOUR), ['svc.trialDaysLeft', 'svc.hasActive', 'svc.platform'])).toBe(NOW + HOUR)
    expect(builtInsChangeAt(trial(HOUR), [])).toBeNull()
  })

  test('law: before the instant told every name reads as it does now', () => {
    const MOVING: readonly BuiltIn[] = ['svc.lastSeenAt', 'svc.lifetimeSpendUsd', 'svc.now']
    const STEADY = BUILT_INS.filter((name) => !MOVING.includes(name))
    const msOf = fc.integer({ min: -20, max: 20 * 24 }).map((hours) => day(1) + hours * HOUR)
    fc.assert(
      fc.property(
        fc.array(anyLife, { maxLength: 4 }),
        fc.constantFrom(...STEADY),
        fc.oneof(anyInstant, msOf),
        fc.integer({ min: 1, max: 40 * 24 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lives, name, now, hours, part) => {
          const purchases = lives.map((life, index) => ({
            id: `p${index}`,
            store: index % 2 === 0 ? ('IOS_STORE' as const) : ('PAYMENT' as const),
            fold: foldOf(life),
          }))
          const at = (then: number): SubjectFacts => {
            const grants = purchases.map((one) => ({
              ...{ purchaseId: one.id, accessIdentifiers: ['pro'], productIdentifier: 'x', store: one.store },
              ...{ environment: 'PRODUCTION' as const, fold: one.fold },
            }))
            return facts({ now: then, purchases, entitlements: computeEntitlements(grants, then, true) })
          }
          const next = builtInsChangeAt(at(now), [name])
          if (next !== null) expect(next).toBeGreaterThan(now)
          const last = Math.min(next === null ? Number.POSITIVE_INFINITY : next - 1, now + hours * HOUR)
          for (const then of [last, now + Math.floor((last - now) * part)])
            expect(builtInReader(at(then))(name)).toBe(builtInReader(at(now))(name))
        },
      ),
      { numRuns: 1000 },
    )
  })
})
