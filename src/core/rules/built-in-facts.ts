import type { BuiltIn } from './model'

/** What the reference says about a built-in name. */
export interface BuiltInFacts {
  name: BuiltIn
  about: string
  example: string
}

const FACTS: Record<BuiltIn, readonly [about: string, example: string]> = {
  'svc.appUserId': ['Your id of the subscriber; missing without one.', 'ada@example.com'],
  'svc.deviceKey': ['The key of the first device of the subscriber.', 'svc_8fK2mQ7xLw'],
  'svc.firstSeenAt': ['When the subscriber was first seen.', '2026-11-10T08:00:00.000Z'],
  'svc.lastSeenAt': ['When the subscriber was last seen.', '2026-11-28T12:00:00.000Z'],
  'svc.platform': ['The attribute `platform` of the subscriber.', 'ios'],
  'svc.access': ['What the subscriber has access to now: a list of identifiers.', '["coach","pro"]'],
  'svc.hasActive': ['Whether the subscriber has access to anything.', 'true'],
  'svc.store': [
    'The store of the purchase that decides: one that gives access, then the one that ends last.',
    'IOS_STORE',
  ],
  'svc.status': ['The status of that purchase.', 'ACTIVE'],
  'svc.isTrial': ['Whether that purchase is a trial.', 'true'],
  'svc.trialDaysLeft': [
    'Days until the end of the trial, a day that has begun included; missing without a trial.',
    '3',
  ],
  'svc.daysSinceFirstSeen': ['Whole days since the subscriber was first seen.', '10'],
  'svc.lifetimeSpendUsd': [
    'Dollars paid less dollars refunded; missing where an amount is not known in dollars.',
    '29.97',
  ],
  'svc.country': [
    'The country of the newest purchase: of the storefront, and of a web purchase the one of the billing address; missing where the store did not name it.',
    'TR',
  ],
  'svc.everPurchased': ['The products that were ever purchased: a list of identifiers.', '["pro_monthly"]'],
  'svc.now': ['The time of the call.', '2026-11-28T12:00:00.000Z'],
}

/** Every built-in name, in the order of the reference. */
export const BUILT_IN_FACTS: readonly BuiltInFacts[] = Object.entries(FACTS).map(([name, [about, example]]) => ({
  name: name as BuiltIn, // The keys are exactly those of the type.
  about,
  example,
}))
