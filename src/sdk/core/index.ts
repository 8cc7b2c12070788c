import type { Client, Unsubscribe } from './client'
import { add } from './core'
import type { Change, FunnelClaim } from './model'
import { claim, flagNow, later, listenersNow, now } from './module'

export type { Client, Unsubscribe } from './client'
export { type ErrorKind, SvcError } from './error'
export type { Clock, Fetch, Random } from './globals'
export type * from './model'
export { configure } from './module'

export const currentUser = now('currentUser')
export const identify = later('identify')
export const logOut = later('logOut')
export const entitlements = later('entitlements')
export const isEntitled = later('isEntitled')
export const offerings = later('offerings')
export const placement = later('placement')
export const loadFallbackPlacements = later('loadFallbackPlacements')
export const flag: Client['flag'] = flagNow
export const experiment: Client['experiment'] = now('experiment')
export const expose = later('expose')
export const refreshConfig = later('refreshConfig')
export const watchConfig = now('watchConfig')
export const balances = later('balances')
export const setAttributes = now('setAttributes')
export const flushAttributes = later('flushAttributes')
export const track = later('track')
export const postReceipt = later('postReceipt')
export const claimFunnelToken = claim('claimFunnelToken')
export const claimFunnelUrl = claim('claimFunnelUrl')
export const claimFunnelInstall = claim('claimFunnelInstall')
export const claimFunnelEmail = claim('claimFunnelEmail')
export const dehydrate = now('dehydrate')
export const hydrate = now('hydrate')
export const shutdown = now('shutdown')
export const on = (listener: (change: Change) => void): Unsubscribe => add(listenersNow().changes, listener)
export const onFunnelClaim = (listener: (claim: FunnelClaim) => void): Unsubscribe =>
  add(listenersNow().claims, listener)
