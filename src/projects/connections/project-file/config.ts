import type { StoreSection } from '../credentials'

/** All members of a section that are not secret, in the order of the file, with their defaults. */
const CONFIG: Record<StoreSection, Record<string, unknown>> = {
  ios: { bundleId: null, appId: null, inAppPurchaseKey: null, storeConnectKey: null, notificationForwards: [] },
  android: { packageName: null, clientEmail: null, notificationForwards: [] },
  payment: { mode: null, accountId: null, notificationForwards: [] },
  refundShield: { enabled: false, delayMinutes: 60, policy: 'decline', customerConsented: false },
  commissionRates: { IOS_STORE: null, ANDROID_STORE: null, PAYMENT: null },
}

/** The members of a saved section that a project file can contain. */
export const readConfig = (section: StoreSection, saved: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(CONFIG[section]).map(([name, byDefault]) => [name, saved[name] ?? byDefault]))
