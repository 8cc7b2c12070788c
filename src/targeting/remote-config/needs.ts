import { type BuiltIn, type CompiledNode, isBuiltIn } from '../audiences/model'

/** What must be read of a subscriber, beside the row, before rules can be evaluated. */
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
])

/** Names whose values change without a notification to the response cache. */
const UNSTEADY: ReadonlySet<BuiltIn> = new Set(['svc.lastSeenAt', 'svc.lifetimeSpendUsd'])

export const factsNeeded = (mentioned: ReadonlySet<BuiltIn>): FactsNeeded => ({
  purchases: [...mentioned].some((name) => OF_PURCHASES.has(name)),
  spend: mentioned.has('svc.lifetimeSpendUsd'),
  isSteady: ![...mentioned].some((name) => UNSTEADY.has(name)),
  names: [...mentioned],
})

/** Every built-in name that a compiled document reads. */
export function builtInsOf(node: CompiledNode): BuiltIn[] {
  if (node.kind === 'TEST') return isBuiltIn(node.attribute) ? [node.attribute] : []
  if (node.kind === 'NOT') return builtInsOf(node.part)
  return node.parts.flatMap(builtInsOf)
}
