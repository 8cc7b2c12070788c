/** What the project wants to come of a refund request. */
export type RefundPolicy = 'decline' | 'grant' | 'neutral'

/** How a project answers when the iOS store asks about a refund (wire 5.12). */
export interface RefundShieldSettings {
  enabled: boolean
  delayMinutes: number
  policy: RefundPolicy
  /** The project vouches that its customers agreed; the store takes no answer without. */
  customerConsented: boolean
}

export const DEFAULT_REFUND_SHIELD: RefundShieldSettings = {
  enabled: false,
  delayMinutes: 60,
  policy: 'decline',
  customerConsented: false,
}
export const MAX_DELAY_MINUTES = 660

/** The settings in a saved section; what is missing or cannot be read is as by default. */
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
