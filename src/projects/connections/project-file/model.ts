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

/** The settings of the payment provider. Without them nobody can pay on the web. */
export const PAYMENT: StoreSection = 'payment'
