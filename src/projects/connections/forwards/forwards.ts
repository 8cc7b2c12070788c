import type { Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { listStoreSettings, upsertStoreSettings } from '../../project/admin-queries'
import { lockProject } from '../../project/config-version'
import { findStoreSettings } from '../../project/service'
import { deleteForwards, type ForwardRow, insertForwards, listForwardRows, updateForward } from './queries'
import type { ForwardStore } from './tables'

export { type ForwardRow, findForwardRow, listForwardRows, updateForward } from './queries'

/** Forwards that were made or deleted in this transaction. */
export interface ForwardsChange {
  opened: readonly ForwardRow[]
  closed: readonly ForwardRow[]
}

declare module '../../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that changes the forwards of a project. */
    onForwards: (tx: Tx, change: ForwardsChange) => Promise<void>
  }
}

/** The section of the store settings in which the project file lists the forwards of a store. */
export const FORWARD_SECTIONS = { IOS_STORE: 'ios', ANDROID_STORE: 'android', PAYMENT: 'payment' } as const

const STORES: Readonly<Record<string, ForwardStore>> = {
  ios: 'IOS_STORE',
  android: 'ANDROID_STORE',
  payment: 'PAYMENT',
}

/** The addresses that the settings of a store contain. An earlier version saved them there, and had no table of them. */
export const urlsIn = ({ notificationForwards: saved }: Record<string, unknown>): string[] =>
  Array.isArray(saved) ? saved.filter((url) => typeof url === 'string') : []

/** The saved settings of a section with its forwards, which are saved in a table of their own. */
export function withForwards(
  section: string,
  config: Record<string, unknown>,
  forwards: readonly ForwardRow[],
): Record<string, unknown> {
  const store = STORES[section]
  if (!store) return config
  const rows = forwards.filter((row) => row.store === store).map(({ url }) => url)
  const urls = new Set([...rows, ...urlsIn(config)])
  const others = withoutForwards(config)
  return urls.size === 0 ? others : { ...others, notificationForwards: [...urls] }
}

export function withoutForwards(config: Record<string, unknown>): Record<string, unknown> {
  const { notificationForwards, ...others } = config
  return others
}

/** Makes the forwards of a section's store equal to a list, in its order. Does nothing for a section without forwards. */
export async function writeForwards(
  tx: Tx,
  projectId: string,
  section: string,
  urls: readonly string[],
): Promise<void> {
  const store = STORES[section]
  if (!store) return
  const saved = await listForwardRows(tx, projectId, store)
  const closed = saved.filter(({ url }) => !urls.includes(url))
  const places = new Map(urls.map((url, place) => [url, place]))
  for (const { id, url, place } of saved) {
    const wanted = places.get(url)
    if (wanted !== undefined && wanted !== place) await updateForward(tx, id, { place: wanted })
    places.delete(url)
  }
  const fresh = { lastStatus: null, lastAt: null, createdAt: tx.clock.now() }
  const rows = [...places].map(([url, place]) => ({ ...fresh, id: tx.ids.next('nfw'), projectId, store, url, place }))
  await deleteForwards(
    tx,
    closed.map(({ id }) => id),
  )
  const opened = await insertForwards(tx, rows)
  if (opened.length + closed.length === 0) return
  for (const onForwards of tx.hooks.onForwards ?? []) await onForwards(tx, { opened, closed })
}

/** Moves a list of addresses that an earlier version has saved in the settings into the table. */
export async function adoptForwards(tx: Tx, projectId: string, store: ForwardStore): Promise<void> {
  const section = FORWARD_SECTIONS[store]
  const seen = await findStoreSettings(tx, projectId, section)
  if (!seen || urlsIn(seen.config).length === 0) return
  // The settings are written as a whole, and another request may be changing them.
  await lockProject(tx, projectId)
  const saved = await findStoreSettings(tx, projectId, section)
  const urls = urlsIn(saved?.config ?? {})
  if (!saved || urls.length === 0) return
  const rows = await listForwardRows(tx, projectId, store)
  await upsertStoreSettings(tx, { ...saved, config: withoutForwards(saved.config) })
  await writeForwards(tx, projectId, section, [...new Set([...rows.map(({ url }) => url), ...urls])])
}

/** Stores of a project with a list that an earlier version has saved. */
export async function storesToAdopt(handle: Handle, projectId: string): Promise<ForwardStore[]> {
  const saved = await listStoreSettings(handle, projectId)
  return saved.flatMap(({ section, config }) => (urlsIn(config).length > 0 ? (STORES[section] ?? []) : []))
}

/** The stores of a project whose notifications are forwarded. */
export async function loadForwardedStores(handle: Handle, projectId: string): Promise<ReadonlySet<string>> {
  const rows = await listForwardRows(handle, projectId)
  return new Set([...rows.map(({ store }) => store), ...(await storesToAdopt(handle, projectId))])
}
