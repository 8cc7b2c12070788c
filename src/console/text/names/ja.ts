import { stores, storesByWord } from './stores'

export const STORES = stores('ウェブ', '付与')
export const STORES_BY_WORD = storesByWord(STORES)

/** Names of the roles: one spelling on every screen. */
export const ROLES = {
  CUSTOMER_SUPPORT: 'カスタマーサポート',
  GROWTH: 'グロース',
  DEVELOPER: '開発者',
  ADMIN: '管理者',
  OWNER: 'オーナー',
}
