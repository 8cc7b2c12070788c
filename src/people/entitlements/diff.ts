import type { AccessMap } from '../subscribers/access-map'
import type { Entitlement } from './compute'

/** `purchaseId`: the purchase that decides the access now; null when no owned purchase could give it any more. */
export interface EntitlementEvent {
  type: 'entitlement.granted' | 'entitlement.revoked'
  data: { access: string; purchaseId: string | null }
}

/** The events that lead from the published access to the computed one, by access. A change of dates gives no event. */
export function entitlementEvents(published: AccessMap, entitlements: readonly Entitlement[]): EntitlementEvent[] {
  const computed = new Map(entitlements.map((entitlement) => [entitlement.access, entitlement]))
  const names = new Set([...Object.keys(published), ...computed.keys()])
  return [...names].sort().flatMap((access) => {
    const entitlement = computed.get(access)
    const isActive = entitlement?.isActive ?? false
    if (isActive === Object.hasOwn(published, access)) return []
    const type = isActive ? 'entitlement.granted' : 'entitlement.revoked'
    return [{ type, data: { access, purchaseId: entitlement?.purchaseId ?? null } }]
  })
}
