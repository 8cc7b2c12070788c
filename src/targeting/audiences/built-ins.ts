import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { ALONE, type Surroundings, subjectFrom } from '../../core/audience/subject'
import { toDecimal } from '../../core/money/money'
import { givesAccess, type PurchaseStatus } from '../../core/purchase/status'
import type { BuiltIn, Subject } from '../../core/rules/model'
import type { PurchaseFold } from '../../people/purchases/model'
import { effectiveEnd, nextStatusChangeAt, statusAt } from '../../people/purchases/status'
import type { Store } from '../../stores/observation'

/** What is known of a subscriber at an instant; times are milliseconds UTC. */
export interface SubjectFacts {
  now: number
  person: SubjectPerson
  /** Custom attributes, flat, with those of the context of the call (`withContext`). */
  attributes: Readonly<Record<string, string>>
  entitlements: readonly { access: string; isActive: boolean }[]
  /** Purchases that count for this subscriber; sandbox purchases only where the project counts them. */
  purchases: readonly SubjectPurchase[]
  /** What was paid less what was refunded; null when the amount of one part is not known in dollars. */
  spentUsdMicros: number | null
}

export interface SubjectPerson {
  appUserId: string | null
  deviceKey: string
  firstSeenAt: number
  lastSeenAt: number
  platform: string | null
}

export interface SubjectPurchase {
  id: string
  store: Store
  /** The identifier of the product; null while the catalogue does not have it. */
  product?: string | null
  fold: PurchaseFold
}

/** A subscriber as rules see them. */
export const createSubject = (facts: SubjectFacts, surroundings: Surroundings = ALONE): Subject => {
  const { attributes, person, now } = facts
  const instants = { 'svc.firstSeenAt': person.firstSeenAt, 'svc.lastSeenAt': person.lastSeenAt, 'svc.now': now }
  return subjectFrom({ attributes, builtIn: builtInReader(facts), instant: (name) => instants[name] }, surroundings)
}

/** Text of a built-in name, or undefined where it has no value. */
export function builtInReader(facts: SubjectFacts): (name: BuiltIn) => string | undefined {
  let known: PurchaseStanding | null | undefined
  const leading = () => {
    known = known === undefined ? leadingPurchase(facts) : known
    return known
  }
  return (name) => READERS[name](facts, leading) ?? undefined
}

type Reader = (facts: SubjectFacts, leading: () => PurchaseStanding | null) => string | null | undefined

const READERS: Record<BuiltIn, Reader> = {
  'svc.appUserId': ({ person }) => person.appUserId,
  'svc.deviceKey': ({ person }) => person.deviceKey,
  'svc.firstSeenAt': ({ person }) => toIso(person.firstSeenAt),
  'svc.lastSeenAt': ({ person }) => toIso(person.lastSeenAt),
  'svc.platform': ({ person }) => person.platform,
  'svc.access': (facts) => JSON.stringify(activeAccess(facts)),
  'svc.hasActive': (facts) => String(activeAccess(facts).length > 0),
  'svc.store': (_facts, leading) => leading()?.store,
  'svc.status': (_facts, leading) => leading()?.status,
  'svc.isTrial': (_facts, leading) => String(leading()?.status === 'TRIAL'),
  'svc.trialDaysLeft': ({ now }, leading) => trialDaysLeft(leading(), now),
  'svc.daysSinceFirstSeen': ({ person, now }) => wholeDays(Math.floor, now - person.firstSeenAt),
  'svc.lifetimeSpendUsd': ({ spentUsdMicros }) => (spentUsdMicros === null ? null : toDecimal(spentUsdMicros)),
  'svc.country': newestCountry,
  'svc.everPurchased': ({ purchases }) =>
    JSON.stringify([...new Set(purchases.flatMap(({ product }) => product ?? []))].sort()),
  'svc.now': ({ now }) => toIso(now),
}

/** The country of the storefront of the newest purchase; null where the store did not name it. */
function newestCountry({ purchases }: SubjectFacts): string | null {
  let newest: SubjectPurchase | null = null
  for (const purchase of purchases) if (!newest || isNewer(purchase, newest)) newest = purchase
  return newest?.fold.country ?? null
}

const isNewer = (a: SubjectPurchase, b: SubjectPurchase): boolean =>
  a.fold.purchaseDate === b.fold.purchaseDate ? a.id > b.id : a.fold.purchaseDate > b.fold.purchaseDate

/**
 * The next instant at which the clock alone may change the text of one of these names; null = never. It holds for the
 * rows of `facts`, read at `facts.now`.
 */
export function builtInsChangeAt(facts: SubjectFacts, names: Iterable<BuiltIn>): number | null {
  let next = Number.POSITIVE_INFINITY
  for (const name of names) next = Math.min(next, CHANGES[name]?.(facts) ?? next)
  return Number.isFinite(next) ? next : null
}

const statusChange = ({ purchases, now }: SubjectFacts): number | null =>
  soonest(purchases, ({ fold }) => nextStatusChangeAt(fold, now))

const CHANGES: Partial<Record<BuiltIn, (facts: SubjectFacts) => number | null>> = {
  'svc.access': statusChange,
  'svc.hasActive': statusChange,
  'svc.store': statusChange,
  'svc.status': statusChange,
  'svc.isTrial': statusChange,
  'svc.trialDaysLeft': ({ purchases, now }) =>
    soonest(purchases, ({ fold }) => {
      const end = effectiveEnd(fold)
      const dayEnd = end === null || end <= now ? null : end - (Math.ceil((end - now) / DAY) - 1) * DAY
      return soonest([dayEnd, nextStatusChangeAt(fold, now)], (at) => at)
    }),
  'svc.daysSinceFirstSeen': ({ person, now }) =>
    person.firstSeenAt + (Math.floor((now - person.firstSeenAt) / DAY) + 1) * DAY,
}

function soonest<Item>(items: readonly Item[], at: (item: Item) => number | null): number | null {
  const soon = Math.min(...items.map((item) => at(item) ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(soon) ? soon : null
}

const activeAccess = ({ entitlements }: SubjectFacts): string[] =>
  entitlements
    .filter(({ isActive }) => isActive)
    .map(({ access }) => access)
    .sort()

/** A day that has started counts: with one hour left it is 1, and at most 2 means at most 48 hours. */
function trialDaysLeft(purchase: PurchaseStanding | null, now: number): string | null {
  if (purchase?.status !== 'TRIAL' || purchase.end === null) return null
  return wholeDays(Math.ceil, purchase.end - now)
}

const wholeDays = (round: (days: number) => number, ms: number): string => String(Math.max(0, round(ms / DAY)))

interface PurchaseStanding {
  id: string
  store: Store
  status: PurchaseStatus
  end: number | null
  purchaseDate: number
}

/**
 * The one purchase that store, status and trial are read from. A purchase that gives access comes first, then the one
 * that ends last (null = never ends), then the newest purchase date, then the greater id. Entitlements are decided in
 * the same order.
 */
function leadingPurchase({ purchases, now }: SubjectFacts): PurchaseStanding | null {
  let leading: PurchaseStanding | null = null
  for (const { id, store, fold } of purchases) {
    const { status, purchaseDate } = statusAt(fold, now)
    const standing = { id, store, status, end: effectiveEnd(fold), purchaseDate }
    if (!leading || leads(standing, leading)) leading = standing
  }
  return leading
}

function leads(a: PurchaseStanding, b: PurchaseStanding): boolean {
  if (givesAccess(a.status) !== givesAccess(b.status)) return givesAccess(a.status)
  if (a.end !== b.end) return a.end === null || (b.end !== null && a.end > b.end)
  if (a.purchaseDate !== b.purchaseDate) return a.purchaseDate > b.purchaseDate
  return a.id > b.id
}
