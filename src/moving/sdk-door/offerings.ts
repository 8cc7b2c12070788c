import type { Product } from '../../projects/catalog/snapshot'
import type { OfferingView, PackageView } from '../../projects/catalog/wire'
import type { ProductNaming } from './model'

type Entry = Record<string, unknown>

/** The offerings, with the product ids that the caller's store knows, and which of them each placement shows. */
export function toOfferings(
  views: readonly OfferingView[],
  placed: ReadonlyMap<string, string | null>,
  naming: ProductNaming,
) {
  const current = views.find(({ isDefault }) => isDefault)?.identifier ?? null
  return {
    current_offering_id: current,
    offerings: views.map((view) => toOffering(view, naming)),
    placements: placed.size === 0 ? null : toPlacements(placed, current),
    targeting: null,
    ui_config: null,
  }
}

/** A placement that is not listed shows the current offering, as at the former vendor. */
const toPlacements = (placed: ReadonlyMap<string, string | null>, current: string | null) => ({
  fallback_offering_id: current,
  offering_ids_by_placement: Object.fromEntries(placed),
})

const toOffering = ({ identifier, metadata, packages }: OfferingView, naming: ProductNaming): Entry => ({
  identifier,
  // The phones refuse an offering without a description.
  description: typeof metadata.description === 'string' ? metadata.description : identifier,
  metadata: Object.keys(metadata).length === 0 ? null : metadata,
  web_checkout_url: null,
  paywall_components: null,
  packages: packages.flatMap((slot) => toPackage(slot, naming)),
})

function toPackage(slot: PackageView, naming: ProductNaming): Entry[] {
  const { storeIds, identifier, type, androidBasePlanId } = slot
  const named = { identifier: packageName(slot.packageIdentifier), web_checkout_url: null }
  if (naming === 'OWN') return [{ ...named, platform_product_identifier: identifier }]
  // An iOS SDK would take a plan for a part of the product id.
  if (naming === 'IOS') return [{ ...named, platform_product_identifier: storeIds.ios ?? identifier }]
  const id = storeIds.android ?? identifier
  if (type !== 'SUBSCRIPTION') return [{ ...named, platform_product_identifier: id }]
  if (androidBasePlanId === null) return [] // The Android SDK would drop it.
  return [{ ...named, platform_product_identifier: id, platform_product_plan_identifier: androidBasePlanId }]
}

const KNOWN = /^\$svc_(lifetime|annual|six_month|three_month|two_month|monthly|weekly)$/

/** The SDKs have shortcuts for packages with these identifiers of theirs. */
const packageName = (identifier: string): string => identifier.replace(KNOWN, '$rc_$1')

/** Which products give which entitlements, for the time in which a phone reaches no server. */
export function toEntitlementMapping(
  products: Iterable<Product>,
  accessName: (accessId: string) => string | null,
  naming: ProductNaming,
) {
  const mapping: Record<string, Entry> = {}
  for (const product of products) {
    const entitlements = product.accessIds.flatMap((id) => accessName(id) ?? [])
    const { key, ...entry } = toMapped(product, naming)
    mapping[key] = { ...entry, entitlements }
  }
  return { product_entitlement_mapping: mapping }
}

function toMapped({ identifier, iosId, androidId, androidBasePlanId, type }: Product, naming: ProductNaming) {
  if (naming !== 'ANDROID') {
    const id = (naming === 'IOS' ? iosId : null) ?? identifier
    return { key: id, product_identifier: id }
  }
  const id = androidId ?? identifier
  if (type !== 'SUBSCRIPTION' || androidBasePlanId === null) return { key: id, product_identifier: id }
  return { key: `${id}:${androidBasePlanId}`, product_identifier: id, base_plan_id: androidBasePlanId }
}
