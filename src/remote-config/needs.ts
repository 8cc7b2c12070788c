import { type BuiltIn, type CompiledNode, isBuiltIn } from '../audiences/model'

/** What has to be read of a subscriber, beside the row itself, before rules can be asked. */
export interface FactsNeeded {
  purchases: boolean
  spend: boolean
  /** Whether the same rows of a subscriber give the same answers at any time. */
  isSteady: boolean
}

/** Names that are computed from the purchases. */
const OF_PURCHASES: ReadonlySet<BuiltIn> = new Set([
  'svc.access',
  'svc.hasActive',
  'svc.store',
  'svc.status',
  'svc.isTrial',
  'svc.trialDaysLeft',
])

/** Names that are read off the subscriber's row; time does not change them. */
const OF_ROW: ReadonlySet<BuiltIn> = new Set(['svc.appUserId', 'svc.deviceKey', 'svc.firstSeenAt', 'svc.platform'])

export const factsNeeded = (mentioned: ReadonlySet<BuiltIn>): FactsNeeded => ({
  purchases: [...mentioned].some((name) => OF_PURCHASES.has(name)),
  spend: mentioned.has('svc.lifetimeSpendUsd'),
  isSteady: [...mentioned].every((name) => OF_ROW.has(name)),
})

/** Every built-in name that a compiled document asks about. */
export function builtInsOf(node: CompiledNode): BuiltIn[] {
  if (node.kind === 'TEST') return isBuiltIn(node.attribute) ? [node.attribute] : []
  if (node.kind === 'NOT') return builtInsOf(node.part)
  return node.parts.flatMap(builtInsOf)
}
