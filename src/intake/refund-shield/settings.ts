/** Which decision on a refund request the project prefers. */
export type RefundPolicy = 'decline' | 'grant' | 'neutral'

/** How a project answers the iOS store's requests about refunds (wire 5.12). */
export interface RefundShieldSettings {
  enabled: boolean
  delayMinutes: number
  policy: RefundPolicy
  /** The project confirms that its customers agreed. The store rejects an answer without it. */
  customerConsented: boolean
}

export const DEFAULT_REFUND_SHIELD: RefundShieldSettings = {
  enabled: false,
  delayMinutes: 60,
  policy: 'decline',
  customerConsented: false,
}
export const MAX_DELAY_MINUTES = 660

/** The settings in a saved section. A missing or unreadable value gets its default. */
export function readRefundShield(config: Readonly<Record<string, unknown>>): RefundShieldSettings {
  const { enabled, delayMinutes, policy, customerConsented } = config
  return {
    enabled: enabled === true,
    delayMinutes: isDelay(delayMinutes) ? delayMinutes : DEFAULT_REFUND_SHIELD.delayMinutes,
    policy: policy === 'grant' || policy === 'neutral' ? policy : DEFAULT_REFUND_SHIELD.policy,
    customerConsented: customerConsented === true,
  }
}

const isDelay = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DELAY_MINUTES
