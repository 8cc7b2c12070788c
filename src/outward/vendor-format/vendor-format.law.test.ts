import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { vendorBodies } from './body'
import { hasEquivalent } from './equivalent'
import type { FormatEvent } from './event'
import type { VendorFacts } from './facts'
import { complaintsAbout } from './vendor-schema.fixtures'

const ALPHABET = [...'0123456789abcdefghjkmnpqrstvwxyz']
const tail = fc.array(fc.constantFrom(...ALPHABET), { minLength: 25, maxLength: 25 }).map((all) => all.join(''))
const id = (prefix: string) =>
  fc.tuple(fc.constantFrom(...'01234567'), tail).map(([head, rest]) => `${prefix}_${head}${rest}`)
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null })
const word = fc.string({ minLength: 1, maxLength: 20 })
const instant = fc.integer({ min: 1_500_000_000_000, max: 4_000_000_000_000 })
const iso = instant.map((at) => new Date(at).toISOString())
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 })
const productId = orNull(fc.constantFrom('prd_1', 'prd_2', 'prd_gone'))

/** Micros of an amount that goes one way, or is unknown. */
const micros = (sign: 1 | -1) =>
  orNull(fc.nat({ max: 2_000_000_000 }).map((amount) => (amount === 0 ? 0 : sign * amount)))
const money = (sign: 1 | -1) =>
  orNull(micros(sign).map((amount) => ({ amountMicros: amount ?? 0, currency: amount === null ? 'JPY' : 'EUR' })))

const store = fc.constantFrom('IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL')
const statuses = ['TRIAL', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY', 'PAUSED', 'EXPIRED', 'REFUNDED', 'REVOKED']

const image = (ofStore: string) =>
  fc.record({
    id: id('pur'),
    store: fc.constant(ofStore),
    productId,
    productIdentifier: word,
    storeProductId: word,
    originalTransactionId: word,
    storeTransactionId: fc.constantFrom('1', '2', 'GPA.1..0'),
    status: fc.constantFrom(...statuses),
    isTrial: fc.boolean(),
    isIntroOffer: fc.boolean(),
    offerId: orNull(word),
    ownershipType: fc.constantFrom('PURCHASED', 'FAMILY_SHARED'),
    purchaseDate: iso,
    originalPurchaseDate: iso,
    expiresAt: orNull(iso),
    gracePeriodExpiresAt: orNull(iso),
    price: money(1),
  })

const transaction = (sign: 1 | -1, kinds: string[]) =>
  orNull(
    fc.record({
      kind: fc.constantFrom(...kinds),
      price: money(sign),
      usdMicros: micros(sign),
      storeTransactionId: word,
      renewalNumber: fc.nat({ max: 500 }),
    }),
  )

const charge = transaction(1, [
  'INITIAL',
  'TRIAL',
  'TRIAL_CONVERSION',
  'RENEWAL',
  'REACTIVATION',
  'PRODUCT_CHANGE',
  'GRANT',
])
const refund = transaction(-1, ['REFUND', 'CHARGEBACK'])
const reasons = [
  'UNSUBSCRIBED',
  'BILLING_ERROR',
  'PRICE_INCREASE',
  'PRODUCT_UNAVAILABLE',
  'DEVELOPER',
  'REPLACED',
  'PAUSED',
  'UNKNOWN',
]
const reason = fc.constantFrom(...reasons)
const nothing = fc.constant(null)
const effective = fc.constantFrom('NOW', 'NEXT_PERIOD')

type Members = Record<string, fc.Arbitrary<unknown>>

/** The data of every event that our services write. */
const DATA: Record<string, Members> = {
  'purchase.initial': { transaction: charge, offerId: orNull(word) },
  'purchase.trial_started': { transaction: transaction(1, ['TRIAL']), trialEndsAt: orNull(iso) },
  'purchase.trial_converted': { transaction: charge },
  'purchase.renewed': { transaction: charge, reactivation: fc.boolean(), late: fc.boolean() },
  'purchase.non_renewing': { transaction: charge, quantity: fc.nat() },
  'purchase.cancelled': { transaction: nothing, endsAt: orNull(iso) },
  'purchase.uncancelled': { transaction: nothing, endsAt: orNull(iso) },
  'purchase.billing_issue': { transaction: nothing, phase: fc.constantFrom('GRACE', 'RETRY') },
  'purchase.grace_period': { transaction: nothing, gracePeriodExpiresAt: orNull(iso) },
  'purchase.recovered': { transaction: charge },
  'purchase.paused': { transaction: nothing, autoResumeAt: orNull(iso) },
  'purchase.resumed': { transaction: charge, autoResumeAt: orNull(iso) },
  'purchase.expired': { transaction: nothing, reason },
  'purchase.refunded': { transaction: refund, current: fc.boolean() },
  'purchase.refund_reversed': { transaction: transaction(1, ['REFUND_REVERSAL']), current: fc.boolean() },
  'purchase.revoked': { transaction: refund, reason },
  'purchase.product_changed': { transaction: charge, fromProductId: productId, toProductId: productId, effective },
  'purchase.price_increase_consent': {
    transaction: nothing,
    state: fc.constantFrom('PENDING', 'ACCEPTED', 'DECLINED'),
  },
  'purchase.extended': { transaction: nothing, fromExpiresAt: orNull(iso), toExpiresAt: orNull(iso) },
  'entitlement.granted': { access: word, purchaseId: id('pur') },
  'entitlement.revoked': { access: word, purchaseId: id('pur') },
  'subscriber.identified': { appUserId: word, previousAppUserId: nothing },
  'subscriber.transferred': {
    transferId: id('trf'),
    role: fc.constantFrom('FROM', 'TO'),
    fromSubscriberId: id('sub'),
    toSubscriberId: id('sub'),
    purchaseIds: fc.array(id('pur'), { maxLength: 2 }),
  },
  'currency.transaction': {
    code: word,
    amount: fc.integer(),
    balance: fc.integer(),
    ledgerType: fc.constantFrom('PURCHASE', 'SPEND', 'REFUND', 'BONUS', 'EXPIRE', 'TRANSFER_IN', 'TRANSFER_OUT'),
  },
  'experiment.exposed': { experimentId: fc.constantFrom('exp_1', 'exp_2'), variantId: word },
  'experiment.converted': { experimentId: fc.constantFrom('exp_1', 'exp_2'), variantId: word },
  'funnel.claimed': { sessionId: word, fromSubscriberId: id('sub') },
  'funnel.paid': { sessionId: word },
  'import.committed': { jobId: word, rows: fc.nat() },
}

const eventOf = (type: string, ofStore: string) => {
  const own = type.startsWith('purchase.')
  return fc.record({
    id: id('evt'),
    seq: fc.nat(),
    type: fc.constant(type),
    projectId: id('prj'),
    subscriberId: id('sub'),
    appUserId: orNull(word),
    environment: ofStore === 'MANUAL' ? fc.constant('PRODUCTION') : fc.constantFrom('PRODUCTION', 'SANDBOX'),
    occurredAt: instant,
    recordedAt: instant,
    cause: fc.record({ kind: fc.constantFrom('RECEIPT', 'API', 'DASHBOARD', 'CLI', 'SWEEP', 'UNDO') }),
    before: own ? fc.record({ purchase: orNull(image(ofStore)) }) : fc.constant({}),
    after: own ? fc.record({ purchase: image(ofStore) }) : fc.constant({}),
    data: fc.record(DATA[type] ?? {}),
  })
}

const person = fc.record({
  subscriberId: id('sub'),
  isErased: fc.boolean(),
  deviceKey: orNull(word),
  keys: fc.uniqueArray(word, { maxLength: 3 }),
  label: orNull(word),
  attributes: fc.dictionary(word, fc.record({ value: fc.string(), updatedAt: fc.nat() })),
  experiments: fc.array(
    fc.record({ experimentId: fc.constantFrom('exp_1', 'exp_2'), variantId: word, exposedAt: instant }),
  ),
})

const product = fc.record({
  displayName: word,
  isSubscription: fc.boolean(),
  iosId: orNull(word),
  androidId: orNull(word),
  androidBasePlanId: orNull(word),
  paymentId: orNull(word),
  access: fc.uniqueArray(word, { maxLength: 2 }),
})

const factsOf = (ofStore: string) =>
  fc.record({
    person: orNull(person),
    products: fc.record({ prd_1: product, prd_2: product }),
    purchase: orNull(
      fc.record({
        store: fc.constant(ofStore),
        environment: fc.constantFrom('PRODUCTION', 'SANDBOX'),
        productId,
        storeProductId: word,
        storeTransactionId: word,
        grantedAccess: orNull(words),
        offering: orNull(word),
        hasTrial: fc.boolean(),
        commission: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
      }),
    ),
    ledger: orNull(fc.record({ id: id('vtx'), currencyName: word, storeTransactionId: orNull(word) })),
    transfer: orNull(fc.record({ from: words, to: words })),
    offeringOfVariant: orNull(word),
  })

const SOLD_ONLY = ['currency.transaction', 'funnel.claimed', 'purchase.price_increase_consent', 'purchase.refunded']

const input = fc.tuple(fc.constantFrom(...Object.keys(DATA)), store).chain(([type, drawn]) => {
  const ofStore = SOLD_ONLY.includes(type) && drawn === 'MANUAL' ? 'IOS_STORE' : drawn
  return fc.record({ event: eventOf(type, ofStore), facts: factsOf(ofStore) })
})

/** A ledger entry of a purchase has one, and an entry by hand has none; other facts are wholly random. */
function consistent({
  event,
  facts,
}: {
  event: { type: string; data: Record<string, unknown> }
  facts: { purchase: unknown }
}) {
  if (event.type !== 'currency.transaction') return true
  const isOfPurchase = event.data.ledgerType === 'PURCHASE' || event.data.ledgerType === 'REFUND'
  return isOfPurchase === (facts.purchase !== null)
}

test('every event that we write gives nothing, or bodies that the published form accepts', () => {
  const sent = new Set<string>()
  fc.assert(
    fc.property(input.filter(consistent), (drawn) => {
      // The records have the members of events and facts; fast-check knows them as text and not as our unions.
      const { event, facts } = drawn as unknown as { event: FormatEvent; facts: VendorFacts }
      const bodies = vendorBodies(event, facts)
      for (const body of bodies) {
        expect(complaintsAbout(JSON.parse(JSON.stringify(body)))).toEqual([])
        expect(hasEquivalent(event.type)).toBe(true)
        expect(body.event.event_timestamp_ms).toBe(event.recordedAt)
        sent.add(body.event.type)
      }
      expect(new Set(bodies.map((body) => body.event.id)).size).toBe(bodies.length)
      expect(new Set(bodies.map((body) => body.event.type)).size).toBe(bodies.length)
      expect(JSON.stringify(vendorBodies(event, facts))).toBe(JSON.stringify(bodies))
    }),
    { numRuns: 2000 },
  )
  expect(sent.size).toBe(16) // Every type but TEST.
})

test('no key, label or attribute of an erased person is in any body', () => {
  const marked = person.map((one) => ({
    ...one,
    isErased: true,
    deviceKey: 'SECRET_1',
    keys: ['SECRET_1', 'SECRET_2'],
    label: 'SECRET_3',
    attributes: { SECRET_4: { value: 'SECRET_5', updatedAt: 1 } },
  }))
  fc.assert(
    fc.property(input.filter(consistent), marked, ({ event, facts }, erased) => {
      const own = { ...facts, person: erased, transfer: null }
      const bodies = vendorBodies(
        { ...event, appUserId: 'SECRET_3' } as unknown as FormatEvent,
        own as unknown as VendorFacts,
      )
      expect(JSON.stringify(bodies)).not.toContain('SECRET')
    }),
    { numRuns: 1000 },
  )
})
