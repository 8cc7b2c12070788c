import fc from 'fast-check'
import type { Observation, Store } from '../../../src/stores/observation'
import { Calendar } from './calendar'
import { ONE_TIME, PERIODS, SUBSCRIPTIONS } from './catalog'
import { DAY_MS, type History, HOUR_MS, type Purchase, type Rate, type Recorded, utcDayOf } from './history'
import { DELAYS, type LifePlan, liveOf, STEPS, type Step, soldOnce } from './life'
import { compareObservations, comparePeriods } from './transactions'

/** Everything in a generated project is recorded from the one to the other. */
export const EARLIEST = Date.UTC(2023, 10, 1)
export const LATEST = Date.UTC(2026, 10, 1)

/** Purchases begin within this many days, which have a leap day and three changes of most clocks in them. */
const BEGINNINGS = 480

/** Half hours, three quarters, changes of the clock at midnight, on both hemispheres, and by half an hour. */
export const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Beirut',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const

/** Dollars; a currency with weekly rates, one with a rate a month, one whose rates begin late, and one without rates. */
const CURRENCIES = ['USD', 'USD', 'EUR', 'EUR', 'GBP', 'TRY', 'XTS'] as const

const anyStep: fc.Arbitrary<Step> = fc.record({
  step: fc.constantFrom(...STEPS),
  gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.constantFrom(0.25, 7, 28, 30, 31, 90)),
  isEarlier: fc.boolean(),
  product: fc.nat(SUBSCRIPTIONS.length - 1),
  delay: fc.constantFrom(...DELAYS),
  lag: fc.constantFrom(0, 0, 0, 2 * HOUR_MS, 9 * DAY_MS, -6 * HOUR_MS),
  again: fc.constantFrom(null, null, null, 0, DAY_MS),
})

/** How a purchase begins, before it is known to which project it belongs. */
interface Draft {
  kind: 'SUBSCRIPTION' | 'ONE_TIME' | 'GRANT'
  store: 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT'
  isSandbox: boolean
  isShared: boolean
  subscriber: number
  day: number
  /** Time of that day: to the millisecond, or midnight in UTC or in the project's zone. */
  time: number | 'UTC' | 'LOCAL'
  currency: (typeof CURRENCIES)[number]
  first: LifePlan['first']
  product: number
  delay: number
  steps: Step[]
}

const anyDraft = (people: number): fc.Arbitrary<Draft> =>
  fc.record({
    kind: fc.constantFrom(
      ...(['SUBSCRIPTION', 'SUBSCRIPTION', 'SUBSCRIPTION', 'SUBSCRIPTION', 'ONE_TIME', 'GRANT'] as const),
    ),
    store: fc.constantFrom('IOS_STORE', 'ANDROID_STORE', 'PAYMENT'),
    isSandbox: fc.constantFrom(false, false, false, false, false, true),
    isShared: fc.constantFrom(false, false, false, false, false, false, true),
    subscriber: fc.nat(people - 1),
    day: fc.nat(BEGINNINGS),
    time: fc.oneof(fc.nat(DAY_MS - 1), fc.constantFrom('UTC', 'LOCAL')),
    currency: fc.constantFrom(...CURRENCIES),
    first: fc.constantFrom('PAID', 'PAID', 'PAID', 'TRIAL', 'TRIAL', 'FREE', 'UNPRICED'),
    product: fc.nat(SUBSCRIPTIONS.length - 1),
    delay: fc.constantFrom(...DELAYS),
    steps: fc.array(anyStep, { maxLength: 14, size: 'max' }),
  })

export interface Sizes {
  min?: number
  max?: number
}

/** A project with 1 to 40 purchases, unless other numbers are given. */
export const anyHistory = ({ min = 1, max = 40 }: Sizes = {}): fc.Arbitrary<History> =>
  fc
    .record({
      timezone: fc.constantFrom(...ZONES),
      wiggle: fc.nat(9_999),
      drafts: fc.array(anyDraft(Math.max(2, Math.ceil(max / 2))), { minLength: min, maxLength: max, size: 'max' }),
    })
    .map(({ timezone, wiggle, drafts }) => {
      const calendar = new Calendar(timezone)
      const purchases = drafts.map((draft, index) => purchaseOf(draft, index, calendar))
      return { timezone, rates: ratesOf(wiggle, purchases), products: periodsOf(purchases), purchases }
    })

/** The project of a seed: the same one every time. */
export function historyOf(seed: number, sizes: Sizes = {}): History {
  const [history] = fc.sample(anyHistory(sizes), { seed, numRuns: 1 })
  if (!history) throw new Error('One sample was asked for')
  return history
}

const partsOf = (purchases: readonly Purchase[]) =>
  purchases.flatMap(({ observations }) =>
    observations.flatMap((one) => (one.kind === 'REPORT' && one.transaction ? [one.transaction] : [])),
  )

/** Of the products that were sold, so that a printed project is short. */
const periodsOf = (purchases: readonly Purchase[]): Record<string, string | null> =>
  Object.fromEntries(partsOf(purchases).map(({ storeProductId }) => [storeProductId, PERIODS[storeProductId] ?? null]))

/** Rates that go up and down with the week, another way for each `wiggle`; of the currencies that were paid in. */
function ratesOf(wiggle: number, purchases: readonly Purchase[]): Rate[] {
  const paid = new Set(partsOf(purchases).flatMap(({ price }) => price?.currency ?? []))
  const rates: Rate[] = []
  const weeks = (LATEST - EARLIEST) / (7 * DAY_MS)
  for (let week = 0; week < weeks; week++) {
    const at = EARLIEST + week * 7 * DAY_MS
    const drift = (week * 7919 + wiggle * 104_729) % 2000
    rates.push({ day: utcDayOf(at), currency: 'EUR', usdPerUnit: (1 + drift / 10_000).toFixed(4) })
    if (week % 4 === 0) rates.push({ day: utcDayOf(at), currency: 'GBP', usdPerUnit: (1.2 + drift / 7_000).toFixed(6) })
    if (week > 20) rates.push({ day: utcDayOf(at), currency: 'TRY', usdPerUnit: (0.03 + drift / 3_000_000).toFixed(9) })
  }
  return rates.filter(({ currency }) => paid.has(currency))
}

const PEOPLE: { country: string | null; platform: 'ios' | 'android' | 'web' | null }[] = [
  { country: 'DE', platform: 'ios' },
  { country: 'US', platform: 'android' },
  { country: null, platform: 'web' },
  { country: 'TR', platform: null },
  { country: 'DE', platform: 'web' },
]

function purchaseOf(draft: Draft, index: number, calendar: Calendar): Purchase {
  const { kind, subscriber } = draft
  const { country = null, platform = null } = PEOPLE[subscriber % PEOPLE.length] ?? {}
  const store: Store = kind === 'GRANT' ? 'MANUAL' : draft.store
  const id = `pur_${String(index + 1).padStart(26, '0')}`
  const name = store === 'MANUAL' ? id : store === 'IOS_STORE' ? `70000${1000 + index}` : `${store}-${1000 + index}..`
  // A family share has no trial.
  const isShared = draft.isShared && store === 'IOS_STORE' && kind === 'SUBSCRIPTION'
  const first = isShared && draft.first === 'TRIAL' ? 'PAID' : draft.first
  const start = startOf(draft, calendar)
  const kinds = kind === 'ONE_TIME' ? ONE_TIME : SUBSCRIPTIONS
  const [any] = kinds
  const product = kinds[draft.product % kinds.length] ?? any
  if (!product) throw new Error('There are products')
  const plan: LifePlan = { ...draft, name, store, start, first, isShared, product }
  const observations = inTheOrderOfRecords({ GRANT: grantOf, ONE_TIME: soldOnce, SUBSCRIPTION: liveOf }[kind](plan))
  return {
    id,
    subscriberId: `person_${subscriber}`,
    store,
    environment: draft.isSandbox ? 'SANDBOX' : 'PRODUCTION',
    productType: product.type,
    ...lastProductOf(observations),
    country,
    platform,
    observations,
  }
}

function startOf({ day, time }: Draft, calendar: Calendar): number {
  const midnight = EARLIEST + DAY_MS + day * DAY_MS
  if (time === 'UTC') return midnight
  return time === 'LOCAL' ? calendar.startOf(midnight / DAY_MS) : midnight + time
}

/** Access that was given for a period, without a price. */
function grantOf(plan: LifePlan): Recorded[] {
  const [first] = liveOf({ ...plan, first: 'UNPRICED', isShared: false, steps: [] })
  if (first?.kind !== 'REPORT' || !first.transaction) throw new Error('A life begins with a transaction')
  const transaction = { ...first.transaction, transactionId: plan.name, reason: 'GRANT' as const }
  return [{ ...first, transaction }]
}

/** The product of the newest period by its newest report, and the period of that product. */
function lastProductOf(observations: readonly Recorded[]) {
  const parts = observations
    .toSorted(compareObservations)
    .flatMap((one) => (one.kind === 'REPORT' && one.transaction ? [one.transaction] : []))
  const storeProductId = parts.sort(comparePeriods).at(-1)?.storeProductId ?? ''
  return { storeProductId, productPeriod: PERIODS[storeProductId] ?? null }
}

/**
 * Ids that follow the store's clock. A purchase is not recorded before its first transaction, so what came before that
 * is recorded with it.
 */
function inTheOrderOfRecords(told: readonly Recorded[]): Recorded[] {
  const begun = Math.min(...told.flatMap((one) => (one.kind === 'REPORT' && one.transaction ? [one.recordedAt] : [])))
  const byContent = new Map<string, Recorded[]>()
  for (const one of told.toSorted((a, b) => a.eventAt - b.eventAt)) {
    const content = contentOf(one)
    byContent.set(content, [...(byContent.get(content) ?? []), one])
  }
  return [...byContent.values()]
    .flatMap((same, index) =>
      same.map((one) => ({
        ...one,
        id: `news ${String(index).padStart(3, '0')}`,
        recordedAt: Math.max(one.recordedAt, begun),
      })),
    )
    .filter(({ recordedAt }) => recordedAt < LATEST)
    .sort((a, b) => a.recordedAt - b.recordedAt)
}

/** Two observations that say the same about the same instant are one observation that came twice. */
function contentOf(one: Recorded): string {
  const { recordedAt: _recordedAt, ...observation }: Recorded = one
  return JSON.stringify(observation satisfies Observation)
}

/** Every instant of a project at which something is dated or recorded: the borders that a window may lie on. */
export const instantsIn = ({ purchases }: History): number[] => [
  ...new Set(
    purchases.flatMap(({ observations }) =>
      observations.flatMap((one) => [
        one.eventAt,
        one.recordedAt,
        ...(one.kind === 'REPORT' && one.transaction
          ? [one.transaction.purchaseDate, one.transaction.expiresAt ?? one.eventAt]
          : []),
      ]),
    ),
  ),
]
