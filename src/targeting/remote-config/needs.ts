import { type BuiltIn, type CompiledNode, isBuiltIn } from '../audiences/model'

/** What has to be read of a subscriber, beside the row itself, before rules can be asked. */
export interface FactsNeeded {
  purchases: boolean
  spend: boolean
  /** Whether all that the answers hang on is the row, the purchases and the clock. */
  isSteady: boolean
  /** All that is mentioned. */
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

/** Names that change without a word to whoever keeps answers. */
const UNSTEADY: ReadonlySet<BuiltIn> = new Set(['svc.lastSeenAt', 'svc.lifetimeSpendUsd'])

export const factsNeeded = (mentioned: ReadonlySet<BuiltIn>): FactsNeeded => ({
  purchases: [...mentioned].some((name) => OF_PURCHASES.has(name)),
  spend: mentioned.has('svc.lifetimeSpendUsd'),
  isSteady: ![...mentioned].some((name) => UNSTEADY.has(name)),
  names: [...mentioned],
})

/** Every built-in name that a compiled document asks about. */
export function builtInsOf(node: CompiledNode): BuiltIn[] {
  if (node.kind === 'TEST') return isBuiltIn(node.attribute) ? [node.attribute] : []
  if (node.kind === 'NOT') return builtInsOf(node.part)
  return node.parts.flatMap(builtInsOf)
}
