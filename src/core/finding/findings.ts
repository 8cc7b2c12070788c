/**
 * What `svc doctor` can find about a project, and the names of the values of each sentence. The command prints the
 * sentence in English; the console has its own for each code, in every language.
 */
export const FINDINGS = {
  STORED_BROKEN: ['kind', 'id', 'path', 'message'],
  // Keys and stores
  NO_API_KEY: [],
  CREDENTIALS_SEALED: ['section'],
  NO_IOS_BUNDLE_ID: [],
  NO_IOS_APP_ID: [],
  NO_ANDROID_ORDERS: [],
  NO_PAYMENT_ACCOUNT: [],
  NO_PAYMENT_SECRET_KEY: [],
  NO_PAYMENT_WEBHOOK_SECRET: [],
  PAYMENT_MODES_DIFFER: ['keyMode', 'mode'],
  NO_PLATFORM_KEYS: ['mode'],
  NO_PUBLISHABLE_KEY: ['names', 'more'],
  SHIELD_NO_CONSENT: [],
  SHIELD_NO_KEY: [],
  SDK_DOOR_TEST_STORE: [],
  SDK_DOOR_NO_STORE: [],
  SDK_DOOR_NO_PLANS: ['names', 'more'],
  NOTIFICATIONS_FAILED: ['count'],
  NOTIFICATIONS_WAIT: ['count', 'minutes'],
  // Catalogue and purchases
  NO_DEFAULT_OFFERING: [],
  PRODUCTS_GIVE_NOTHING: ['names', 'more'],
  PRODUCTS_WITHOUT_PERIOD: ['names', 'more'],
  PRODUCTS_TEST_STORE_ONLY: ['names', 'more'],
  PRODUCTS_UNSOLD: ['names', 'more'],
  PRODUCTS_MISSING: ['store', 'names', 'more'],
  PURCHASES_FORMER_KEY: ['count'],
  CHARGES_COPIED: ['count'],
  CREDIT_DOUBLED: ['subscriber', 'amount', 'currency', 'purchase'],
  // Identity tokens
  IDENTITY_SECRET_SEALED: [],
  IDENTITY_NOTHING_CHECKS: [],
  IDENTITY_KEYS_ADDRESS: [],
  IDENTITY_KEYS_TIMEOUT: [],
  IDENTITY_KEYS_UNREACHABLE: [],
  IDENTITY_KEYS_TOO_LARGE: [],
  IDENTITY_KEYS_STATUS: ['status'],
  IDENTITY_KEYS_MALFORMED: [],
  IDENTITY_KEYS_EMPTY: [],
  // Targeting
  AUDIENCE_LISTS_STALE: ['names', 'more'],
  RULE_CHANGED: ['name', 'path', 'message'],
  RULES_CHANGED_MORE: ['count'],
  // Domains
  CERTIFICATE_EXPIRED: ['hostname'],
  DOMAIN_HELD: ['hostname'],
  DOMAIN_FAILED: ['hostname'],
  DOMAIN_PENDING: ['hostname'],
  DOMAIN_RECORD_GONE: ['hostname'],
  DOMAIN_ELSEWHERE: ['hostname'],
  // What goes out
  WEBHOOK_SEALED: ['name'],
  WEBHOOK_GONE: ['name'],
  WEBHOOK_FAILING: ['name'],
  DELIVERIES_LATE: ['targets', 'minutes'],
  FORWARD_NO_ANSWER: ['store', 'host', 'failures'],
  FORWARD_REFUSED: ['store', 'host', 'status', 'failures'],
  EXPORT_SEALED: ['target'],
  EXPORT_FAILED: ['target', 'failures', 'error'],
  DATA_REQUESTS_LATE: ['count'],
  DATA_REQUESTS_FAILED: ['count'],
  COMPARE_SEALED: [],
  COMPARE_FAILED: ['error'],
  // Figures
  FIGURES_DIFFER: [],
  RATES_NONE: ['fault'],
  RATES_STALE: ['day'],
  RATES_STALE_FAULT: ['day', 'fault'],
} as const

export type FindingCode = keyof typeof FINDINGS
export type FindingValue = string | number

/** The values of a sentence, by name. `names` is a list with commas, and `more` how many it leaves out. */
export type FindingParams<Code extends FindingCode> = Readonly<Record<(typeof FINDINGS)[Code][number], FindingValue>>

export interface Finding {
  code: FindingCode
  params: Readonly<Record<string, FindingValue>>
  /** The sentence in English: what is wrong and then, behind a semicolon or in a sentence of its own, what to do. */
  message: string
}

export const finding = <Code extends FindingCode>(
  code: Code,
  params: FindingParams<Code>,
  message: string,
): Finding => ({ code, params, message })

/** The first names of a list, and how many are left out. */
export function firstNames(names: readonly string[], most: number): { names: string; more: number } {
  return { names: names.slice(0, most).join(', '), more: Math.max(0, names.length - most) }
}

/** `a, b and 3 more`. */
export const namesText = ({ names, more }: { names: string; more: number }): string =>
  names + (more > 0 ? ` and ${more} more` : '')
