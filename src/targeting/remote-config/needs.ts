import type { BuiltIn } from '../../core/rules/model'

/** What must be read of a subscriber, besides the row, before rules can be evaluated. */
export interface FactsNeeded {
  purchases: boolean
  spend: boolean
  /** Whether the answers depend on nothing but the row, the purchases and the clock. */
  isSteady: boolean
  /** All built-in names that the rules mention. */
  names: readonly BuiltIn[]
}

/** Names that are computed from the purchases. */
const OF_PURCHASES: ReadonlySet<BuiltIn> = new Set([
  'svc.access',
  'svc.hasActive',
  'svc.store',
  'svc.status',
  'svc.isTrial',
  'svc.trialDaysLeft',
  'svc.country',
  'svc.everPurchased',
])

/** Names whose values change without a notification to the response cache. */
const UNSTEADY: ReadonlySet<BuiltIn> = new Set(['svc.lastSeenAt', 'svc.lifetimeSpendUsd', 'svc.now'])

export const factsNeeded = (mentioned: ReadonlySet<BuiltIn>): FactsNeeded => ({
  purchases: [...mentioned].some((name) => OF_PURCHASES.has(name)),
  spend: mentioned.has('svc.lifetimeSpendUsd'),
  isSteady: ![...mentioned].some((name) => UNSTEADY.has(name)),
  names: [...mentioned],
})
