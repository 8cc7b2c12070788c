import type { Tx } from '../../../base/context'
import { isUnowned, takeUnowned } from '../../../intake/recording/ownership-claim'
import type { ReportOrder } from '../../../intake/recording/record-many'
import type { EventCause } from '../../../people/events/model'
import { purchaseLockName } from '../../../people/purchases/lock'
import type { PurchaseRow } from '../../../people/purchases/queries'
import { listByManyIds } from '../../../people/subscribers/many-queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { RowChain } from './chains'
import { type ChainOf, type FindHeld, findHeldPurchases } from './held'
import { type ImportedPerson, writePeople } from './people'

/** A chain of rows with its purchase and its owner. */
export interface ChainOrder extends ReportOrder {
  chain: RowChain
}

/** What a batch records, and the rows that it cannot. */
export interface BatchOrders {
  orders: ChainOrder[]
  skipped: number
}

/**
 * Finds the purchase and the owner of each chain, under their locks. A recorded purchase keeps its owner, but one that
 * belongs to nobody yet goes to the person of the file. A purchase keeps its environment, so a chain of another
 * environment is left out; so is one whose owner was erased.
 */
export async function toOrders(
  tx: Tx,
  project: ProjectState,
  chains: readonly RowChain[],
  people: ReadonlyMap<string, ImportedPerson>,
  claim: Claim,
): Promise<BatchOrders> {
  const named = chains.flatMap((chain) => {
    const person = people.get(chain.person)
    return person ? [{ chain, person, subscriberId: person.row.id }] : []
  })
  const find = await lockedHeld(tx, project.id, named)
  const owners = await ownersOf(tx, named.flatMap(find))
  const built: BatchOrders = { orders: [], skipped: 0 }
  for (const one of named) {
    const order = await toOrder(tx, one, find, owners, claim)
    if (order) built.orders.push(order)
    else built.skipped += one.chain.rows.length
  }
  return built
}

interface NamedChain extends ChainOf {
  person: ImportedPerson
}

async function lockedHeld(tx: Tx, projectId: string, named: readonly NamedChain[]): Promise<FindHeld> {
  const lock = (names: string[]) => Promise.all([...new Set(names)].sort().map((name) => tx.lock(name)))
  const find = await findHeldPurchases(tx, projectId, named)
  if (!tx.needsLocks) return find
  const held = named.flatMap(find)
  await lock([...named.map(({ chain }) => ({ projectId, ...chain })), ...held].map(purchaseLockName))
  await lock([...named, ...held].map(({ subscriberId }) => `subscriber:${subscriberId}`))
  return findHeldPurchases(tx, projectId, named)
}

async function ownersOf(tx: Tx, held: readonly PurchaseRow[]): Promise<Map<string, SubscriberRow>> {
  const rows = await listByManyIds(tx, [...new Set(held.map(({ subscriberId }) => subscriberId))])
  return new Map(rows.map((row) => [row.id, row]))
}

async function toOrder(
  tx: Tx,
  one: NamedChain,
  find: FindHeld,
  owners: ReadonlyMap<string, SubscriberRow>,
  claim: Claim,
): Promise<ChainOrder | null> {
  const { chain, person } = one
  const [held, owner] = await chooseHeld(tx, one, find(one), owners)
  if (!held) return { chain, owner: person.row, held: null, report: toReport(tx, chain, null, person.row) }
  if (held.environment !== chain.environment || owner?.erasedAt !== null) return null
  if (owner.id === person.row.id)
    return { chain, owner: person.row, held, report: toReport(tx, chain, held, person.row) }
  if (!(await isUnowned(tx, owner))) return { chain, owner, held, report: toReport(tx, chain, held, owner) }
  await claim({ owner, held, person })
  const moved = { ...held, subscriberId: person.row.id }
  return { chain, owner: person.row, held: moved, report: toReport(tx, chain, moved, person.row) }
}

/** Of a family share somebody else's is not meant, unless it belongs to nobody yet. */
async function chooseHeld(
  tx: Tx,
  { chain, subscriberId }: ChainOf,
  found: readonly PurchaseRow[],
  owners: ReadonlyMap<string, SubscriberRow>,
): Promise<[held: PurchaseRow | null, owner: SubscriberRow | null]> {
  for (const held of found) {
    const owner = owners.get(held.subscriberId) ?? null
    const isMeant =
      !chain.isFamilyShare || held.subscriberId === subscriberId || (owner && (await isUnowned(tx, owner)))
    if (isMeant) return [held, owner]
  }
  return [null, null]
}

/** A purchase that belongs to nobody yet, and the person of the file to whom it goes. */
interface Unclaimed {
  owner: SubscriberRow
  held: PurchaseRow
  person: ImportedPerson
}

export type Claim = (unclaimed: Unclaimed) => Promise<void>

/** The buyer was not known when the store reported the purchase; now the file names them. */
export const claimUnowned =
  (tx: Tx, project: ProjectState, cause: EventCause): Claim =>
  async ({ owner, held, person }) => {
    await writePeople(tx, [person])
    const claimant = person.row
    const about = { signedToken: null, vouchedTokens: [], transferCause: 'API' } as const
    await takeUnowned(tx, project, owner, { ...about, claimant, purchase: held, cause })
    const [row] = await listByManyIds(tx, [claimant.id])
    if (row) Object.assign(person.row, row)
  }

function toReport(tx: Tx, chain: RowChain, held: PurchaseRow | null, owner: SubscriberRow): ReportOrder['report'] {
  const { store, environment, originalTransactionId, accessIds, observations } = chain
  return {
    store,
    environment,
    chainKey: held ? keptKey(chain, held) : newKey(tx, chain, owner),
    originalTransactionId: held?.originalTransactionId ?? originalTransactionId,
    productType: held && chain.hasUnknownProduct ? held.fold.productType : chain.productType,
    accountToken: null,
    presentedContext: null,
    accessIds,
    observations,
  }
}

function newKey(tx: Tx, { store, chainKey, isFamilyShare }: RowChain, { id }: SubscriberRow): string {
  if (store === 'MANUAL') return tx.ids.next('pur')
  return isFamilyShare ? `${chainKey}:${id}` : chainKey
}

/** A token takes the place of an order id. */
const keptKey = ({ store, chainKey, isAskable }: RowChain, held: PurchaseRow): string =>
  store === 'ANDROID_STORE' && isAskable && held.chainKey === held.originalTransactionId ? chainKey : held.chainKey
