import type { ProductType } from '../../stores/observation'
import type { GrantOn } from './tables'

/** Why a product cannot grant this (`CURRENCY_GRANT_INVALID`); `index` is the grant's place in the list. */
export interface GrantFault {
  index: number
  reason: 'renewal_needs_subscription' | 'granted_twice'
  currency: string
}

const TRIGGERS: Record<GrantOn, readonly GrantOn[]> = {
  PURCHASE: ['PURCHASE'],
  RENEWAL: ['RENEWAL'],
  BOTH: ['PURCHASE', 'RENEWAL'],
}

/** Checks that only subscriptions grant on renewal, and that a currency is granted once on each trigger (wire 7.5). */
export function checkGrants(
  type: ProductType,
  grants: readonly { currency: string; grantOn: GrantOn }[],
): GrantFault[] {
  const faults: GrantFault[] = []
  const granted = new Set<string>()
  grants.forEach(({ currency, grantOn }, index) => {
    const triggers = TRIGGERS[grantOn].map((trigger) => `${trigger} ${currency}`)
    if (type !== 'SUBSCRIPTION' && grantOn !== 'PURCHASE')
      faults.push({ index, reason: 'renewal_needs_subscription', currency })
    if (triggers.some((trigger) => granted.has(trigger))) faults.push({ index, reason: 'granted_twice', currency })
    for (const trigger of triggers) granted.add(trigger)
  })
  return faults
}
