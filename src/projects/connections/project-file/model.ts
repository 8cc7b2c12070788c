import { sectionKey } from '../../project-file/model'
import type { WantedSecret } from '../../project-file/secret'
import type { Secrets, StoreSection } from '../credentials'

/** Secrets stand by their path within the section. */
export interface StoreState {
  config: Record<string, unknown>
  secretPaths: string[]
  /** Those of them whose text is another than the saved one. */
  newSecretPaths: string[]
  secrets: Secrets | 'keep'
}

export interface WantedStore {
  config: Record<string, unknown>
  secrets: Record<string, WantedSecret>
}

/** The settings of stores; its objects are called by their section: `ios`. */
export const STORES = sectionKey<StoreState, WantedStore>('stores', 'store')

/** The settings of the payment provider, without which nothing can be paid on the web. */
export const PAYMENT: StoreSection = 'payment'
