import { DAY, SECOND } from '../../base/lib/clock'

/** The settings of a project (wire 7.3); `settings` rows keep only what differs from the defaults. */
export interface ProjectSettings {
  purchaseTransfer: 'whenAnonymous' | 'always' | 'never'
  sandboxAccess: 'anybody' | 'allowList' | 'nobody'
  /** Labels or device keys that sandbox purchases unlock under `allowList`. */
  sandboxTesters: string[]
  providerGraceDays: number
  /** 0..100 */
  holdoutPercentage: number
  leaseTtlSeconds: number
  extraReservedKeys: boolean
  restrictReturnUrls: boolean
  allowLocalStoreTesting: boolean
  androidAcknowledge: boolean
  /** What a currency takes back on a refund when it does not say so itself. */
  clawback: Clawback
  eventRetentionDays: number
}

export type Clawback = 'none' | 'available' | 'full'

export const DEFAULT_SETTINGS: ProjectSettings = {
  purchaseTransfer: 'whenAnonymous',
  sandboxAccess: 'anybody',
  sandboxTesters: [],
  providerGraceDays: 7,
  holdoutPercentage: 0,
  leaseTtlSeconds: DAY / SECOND,
  extraReservedKeys: false,
  restrictReturnUrls: false,
  allowLocalStoreTesting: false,
  androidAcknowledge: true,
  clawback: 'none',
  eventRetentionDays: 30,
}
