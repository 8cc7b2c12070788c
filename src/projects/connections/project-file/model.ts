import { sectionKey } from '../../project-file/model'
import type { WantedSecret } from '../../project-file/secret'
import type { Secrets, StoreSection } from '../credentials'

/** The settings of one store, as they are compared. Secrets are named by their path in the section. */
export interface StoreState {
  config: Record<string, unknown>
  secretPaths: string[]
  /** The paths among them whose secret differs from the saved one. */
  newSecretPaths: string[]
  secrets: Secrets | 'keep'
}

export interface WantedStore {
  config: Record<string, unknown>
  secrets: Record<string, WantedSecret>
}

/** The settings of the stores. The name of each object is its section: `ios`. */
export const STORES = sectionKey<StoreState, WantedStore>('stores', 'store')

/** The settings of the payment provider. Without them no payment on the web is possible. */
export const PAYMENT: StoreSection = 'payment'

/** The members of a section, with a word in place of each secret. */
export function storeView({ config, secretPaths, newSecretPaths }: StoreState): Record<string, unknown> {
  const isNew = new Set(newSecretPaths)
  const members = { ...config }
  for (const path of secretPaths) {
    const word = isNew.has(path) ? '(new)' : '(saved)'
    const [group = path, member] = path.split('.')
    members[group] = member === undefined ? word : { ...(members[group] as object | null), [member]: word }
  }
  return members
}

/** All members of a section that are not secret, in the order of the file, with their defaults. */
const CONFIG: Record<StoreSection, Record<string, unknown>> = {
  ios: { bundleId: null, appId: null, inAppPurchaseKey: null, storeConnectKey: null, notificationForwards: [] },
  android: { packageName: null, clientEmail: null, notificationForwards: [] },
  payment: { mode: null, accountId: null, publishableKey: null, notificationForwards: [] },
  refundShield: { enabled: false, delayMinutes: 60, policy: 'decline', customerConsented: false },
  commissionRates: { IOS_STORE: null, ANDROID_STORE: null, PAYMENT: null },
}

/** The members of a saved section that a project file can contain. */
export const readConfig = (section: StoreSection, saved: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(CONFIG[section]).map(([name, byDefault]) => [name, saved[name] ?? byDefault]))
