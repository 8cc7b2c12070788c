import type { AccessMap } from '../subscribers/access-map'
import type { Entitlement } from './compute'

/** `purchaseId` decides the access now; null when no purchase of the subscriber is about it any more. */
export interface EntitlementEvent {
  type: 'entitlement.granted' | 'entitlement.revoked'
  data: { access: string; purchaseId: string | null }
}

/** The events between the access told so far and the access computed, sorted by access; moved dates are none. */
export function entitlementEvents(told: AccessMap, entitlements: readonly Entitlement[]): EntitlementEvent[] {
  const computed = new Map(entitlements.map((entitlement) => [entitlement.access, entitlement]))
  const names = new Set([...Object.keys(told), ...computed.keys()])
  return [...names].sort().flatMap((access) => {
    const entitlement = computed.get(access)
    const isActive = entitlement?.isActive ?? false
    if (isActive === Object.hasOwn(told, access)) return []
    const type = isActive ? 'entitlement.granted' : 'entitlement.revoked'
    return [{ type, data: { access, purchaseId: entitlement?.purchaseId ?? null } }]
  })
}
