import { stores, storesByWord } from './stores'

export const STORES = stores('Web', 'Granted')
export const STORES_BY_WORD = storesByWord(STORES)

/** Names of the roles: one spelling on every screen. */
export const ROLES = {
  CUSTOMER_SUPPORT: 'Customer support',
  GROWTH: 'Growth',
  DEVELOPER: 'Developer',
  ADMIN: 'Admin',
  OWNER: 'Owner',
}
