import type { Tx } from '../../../base/context'
import { listByAliases } from '../../../people/purchases/alias-queries'
import { listByChains, listByOriginals } from '../../../people/purchases/many-queries'
import type { PurchaseRow } from '../../../people/purchases/queries'
import type { Store } from '../../../stores/observation'
import type { RowChain } from './chains'

/** A purchase to record, and its owner by the file. */
export interface ChainOf {
  chain: RowChain
  subscriberId: string
}

/** Finds the recorded purchase of a chain; several when family shares of others may be meant. */
export type FindHeld = (one: ChainOf) => readonly PurchaseRow[]

/**
 * The purchases that are recorded already. At Google a purchase is found by its token or by the first part of its order
 * ids, whichever the earlier source knew. A promotional grant is found by the id that the file gives it.
 */
export async function findHeldPurchases(tx: Tx, projectId: string, chains: readonly ChainOf[]): Promise<FindHeld> {
  const byName = new Map<string, PurchaseRow[]>()
  const add = (name: string, row: PurchaseRow) => {
    const known = byName.get(name)
    if (!known) byName.set(name, [row])
    else if (!known.some(({ id }) => id === row.id)) known.push(row)
  }
  for (const [store, own] of Map.groupBy(chains, ({ chain }) => chain.store)) {
    const plain = own.filter(({ chain }) => !chain.isFamilyShare && store !== 'MANUAL')
    const keys = plain.flatMap(({ chain }) => chain.chainKey)
    for (const row of await listByChains(tx, projectId, store, keys)) add(`chain ${store} ${row.chainKey}`, row)
    if (store === 'IOS_STORE')
      for (const { alias, row } of await listByAliases(tx, projectId, store, keys)) add(`chain ${store} ${alias}`, row)
    const originals = own.filter((one) => !plain.includes(one) || isOrder(store, one.chain))
    const ids = [...new Set(originals.map(({ chain }) => chain.originalTransactionId))]
    for (const row of await listByOriginals(tx, projectId, store, ids))
      add(`original ${store} ${row.originalTransactionId}`, row)
  }
  return ({ chain, subscriberId }) => pick(byName, chain, subscriberId)
}

/** Whether it may be recorded under another key of the same order. */
const isOrder = (store: Store, { originalTransactionId }: RowChain): boolean =>
  store === 'ANDROID_STORE' && originalTransactionId.startsWith('GPA.')

function pick(
  byName: ReadonlyMap<string, readonly PurchaseRow[]>,
  chain: RowChain,
  subscriberId: string,
): readonly PurchaseRow[] {
  const { store, chainKey, originalTransactionId } = chain
  const originals = byName.get(`original ${store} ${originalTransactionId}`) ?? []
  if (chain.isFamilyShare) {
    const shares = originals.filter(({ fold }) => fold.ownershipType === 'FAMILY_SHARED')
    const own = shares.filter((share) => share.subscriberId === subscriberId)
    return own.length > 0 ? own.slice(0, 1) : shares
  }
  const [found] = byName.get(`chain ${store} ${chainKey}`) ?? []
  const held = found ?? (store === 'MANUAL' || isOrder(store, chain) ? originals[0] : undefined)
  return held ? [held] : []
}
