import { stores, storesByWord } from './stores'

export const STORES = stores('Web', 'Verildi')
export const STORES_BY_WORD = storesByWord(STORES)

/** Names of the roles: one spelling on every screen. */
export const ROLES = {
  CUSTOMER_SUPPORT: 'Müşteri desteği',
  GROWTH: 'Büyüme',
  DEVELOPER: 'Geliştirici',
  ADMIN: 'Yönetici',
  OWNER: 'Sahip',
}
