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
 * Finds the purchase and the owner of each chain; the caller has their locks (`lockBatch`). A recorded purchase keeps its
 * owner, but one without an owner goes to the person of the file. A purchase keeps its environment, so a chain
 * of another environment is left out; so is one whose owner was erased.
 */
export async function toOrders(
  tx: Tx,
  project: ProjectState,
  chains: readonly RowChain[],
  people: ReadonlyMap<string, ImportedPerson>,
  claim: Claim,
): Promise<BatchOrders> {
  const named = namedChains(chains, people)
  const find = await findHeldPurchases(tx, project.id, named)
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

const namedChains = (chains: readonly RowChain[], people: ReadonlyMap<string, ImportedPerson>): NamedChain[] =>
  chains.flatMap((chain) => {
    const person = people.get(chain.person)
    return person ? [{ chain, person, subscriberId: person.row.id }] : []
  })

/**
 * Takes the locks of the purchases of a batch, and then those of all its people: nobody of them is erased, merged or
 * changed before its end. What was read before is read again.
 */
export async function lockBatch(
  tx: Tx,
  projectId: string,
  chains: readonly RowChain[],
  people: ReadonlyMap<string, ImportedPerson>,
): Promise<void> {
  const lock = (names: string[]) => Promise.all([...new Set(names)].sort().map((name) => tx.lock(name)))
  const named = namedChains(chains, people)
  const held = named.flatMap(await findHeldPurchases(tx, projectId, named))
  await lock([...named.map(({ chain }) => ({ projectId, ...chain })), ...held].map(purchaseLockName))
  const known = [...people.values()].filter(({ isNew }) => !isNew).map(({ row }) => row.id)
  await lock([...known, ...held.map(({ subscriberId }) => subscriberId)].map((id) => `subscriber:${id}`))
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

/** Of a family share another person's is not meant, unless it has no owner yet. */
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

/** A purchase without an owner, and the person of the file who gets it. */
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
