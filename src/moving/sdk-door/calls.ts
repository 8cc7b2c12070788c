/** The calls of the other protocol, by what they are answered with. */
export type CallName =
  | 'subscriber'
  | 'offerings'
  | 'products'
  | 'identify'
  | 'alias'
  | 'receipts'
  | 'restoreEligibility'
  | 'attributes'
  | 'virtualCurrencies'
  | 'productEntitlementMapping'
  | 'introEligibility'
  | 'offers'
  | 'attribution'
  | 'adServicesAttribution'
  | 'redeem'
  | 'customerCenter'
  | 'config'
  | 'healthReportAvailability'
  | 'health'
  | 'events'
  | 'diagnostics'
  | 'branding'
  | 'workflows'
  | 'unsupported'

export interface SdkCall {
  name: CallName
  /** The id of the person in the path, decoded once; null where the path has none. */
  personId: string | null
}

const PERSON = '/v1/subscribers/([^/]+)'

const ROUTES: readonly [name: CallName, method: string, path: RegExp][] = [
  ['receipts', 'POST', /^\/v1\/receipts$/],
  ['identify', 'POST', /^\/v1\/subscribers\/identify$/],
  ['redeem', 'POST', /^\/v1\/subscribers\/redeem_purchase$/],
  ['subscriber', 'GET', new RegExp(`^${PERSON}$`)],
  ['offerings', 'GET', new RegExp(`^${PERSON}/offerings$`)],
  ['attributes', 'POST', new RegExp(`^${PERSON}/attributes$`)],
  ['alias', 'POST', new RegExp(`^${PERSON}/alias$`)],
  ['restoreEligibility', 'POST', new RegExp(`^${PERSON}/restore/eligibility$`)],
  ['virtualCurrencies', 'GET', new RegExp(`^${PERSON}/virtual_currencies$`)],
  ['introEligibility', 'POST', new RegExp(`^${PERSON}/intro_eligibility$`)],
  ['attribution', 'POST', new RegExp(`^${PERSON}/attribution$`)],
  ['adServicesAttribution', 'POST', new RegExp(`^${PERSON}/adservices_attribution$`)],
  ['healthReportAvailability', 'GET', new RegExp(`^${PERSON}/health_report_availability$`)],
  ['workflows', 'GET', new RegExp(`^${PERSON}/workflows$`)],
  ['unsupported', 'GET', new RegExp(`^${PERSON}/(health_report|workflows/[^/]+|ads/reward_verifications/[^/]+)$`)],
  ['productEntitlementMapping', 'GET', /^\/v1\/product_entitlement_mapping$/],
  ['offers', 'POST', /^\/v1\/offers$/],
  ['customerCenter', 'GET', /^\/v1\/customercenter\/[^/]+$/],
  ['customerCenter', 'POST', /^\/v1\/customercenter\/support\/create-ticket$/],
  ['config', 'POST', /^\/v1\/config\/[^/]+$/],
  ['health', 'GET', /^\/v1\/health$/],
  ['events', 'POST', /^\/v1\/events$/],
  ['diagnostics', 'POST', /^\/v1\/diagnostics$/],
  ['products', 'GET', /^\/rcbilling\/v1\/subscribers\/([^/]+)\/products$/],
  ['branding', 'GET', /^\/rcbilling\/v1\/branding$/],
  ['unsupported', 'GET', /^\/rcbilling\/v1\/subscribers\/([^/]+)\/offering_products$/],
  ['unsupported', 'POST', /^\/rcbilling\/v1\/checkout\/(prepare|start|[^/]+\/complete)$/],
  ['unsupported', 'PATCH', /^\/rcbilling\/v1\/checkout\/[^/]+$/],
  ['unsupported', 'GET', /^\/rcbilling\/v1\/checkout\/[^/]+$/],
]

/** The calls whose answer depends on the person in the path: the first group of their pattern. */
const PERSONAL: ReadonlySet<CallName> = new Set<CallName>([
  'subscriber',
  'offerings',
  'attributes',
  'alias',
  'restoreEligibility',
  'virtualCurrencies',
  'introEligibility',
  'attribution',
  'adServicesAttribution',
  'products',
])

/** How the paths start. Every request is compared with these first; most match none, and no pattern is tried. */
const STARTS = [
  '/v1/subscribers/',
  '/v1/receipts',
  '/v1/events',
  '/v1/offers',
  '/v1/config/',
  '/v1/product_entitlement_mapping',
  '/v1/diagnostics',
  '/v1/customercenter/',
  '/v1/health',
  '/rcbilling/v1/',
]

export const mayBeSdkPath = (path: string): boolean => STARTS.some((start) => path.startsWith(start))

/** The call that a method and a path mean; null when the protocol has none. */
export function findCall(method: string, path: string): SdkCall | null {
  for (const [name, of, pattern] of ROUTES) {
    const match = of === method ? pattern.exec(path) : null
    if (match) return { name, personId: PERSONAL.has(name) ? decoded(match[1] ?? '') : null }
  }
  return null
}

/** Whether the SDKs call this path with any method. A preflight does not depend on the method that follows. */
export const isSdkPath = (path: string): boolean => ROUTES.some(([, , pattern]) => pattern.test(path))

/** Empty for a segment that is not UTF-8: an empty id is refused. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
