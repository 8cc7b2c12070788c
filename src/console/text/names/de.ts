import { stores, storesByWord } from './stores'

export const STORES = stores('Web', 'Gewährt')
export const STORES_BY_WORD = storesByWord(STORES)

/** Names of the roles: one spelling on every screen. */
export const ROLES = {
  CUSTOMER_SUPPORT: 'Kundendienst',
  GROWTH: 'Wachstum',
  DEVELOPER: 'Entwicklung',
  ADMIN: 'Verwaltung',
  OWNER: 'Eigentümer',
}
