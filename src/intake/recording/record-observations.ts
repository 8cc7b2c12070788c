import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { SubscriberImage } from '../../people/events/service'
import { foldObservations } from '../../people/purchases/fold'
import { storeLines } from '../../people/purchases/line-rows'
import { type EarlierPeriod, transactionLines } from '../../people/purchases/lines'
import {
  insertObservations,
  insertPurchase,
  listObservations,
  type PurchaseRow,
  updatePurchase,
} from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, ProductType, PurchaseEnvironment, Store } from '../../stores/observation'
import type { LineChange } from './grant-booking'
import { tellPurchase } from './purchase-events'
import { changedColumns, gainsProduct, toObservationRow, toPurchaseRow } from './purchase-row'

/** What a receipt or a notification says of one purchase. */
export interface Sighting {
  store: Store
  environment: PurchaseEnvironment
  /** Names the purchase within store and project (wire 4.2). */
  chainKey: string
  originalTransactionId: string
  productType: ProductType
  /** Signed by the store into the purchase; null when there is none. */
  accountToken: string | null
  presentedContext: Record<string, unknown> | null
  /** Access ids of a new grant without a product (store MANUAL). */
  accessIds?: readonly string[] | null
  observations: readonly Observation[]
}

/** Whose purchase it is, or becomes. */
export interface Owner {
  subscriber: SubscriberRow
  /** Made by this transaction: it holds nothing yet, so nothing of it need be read. */
  isNew: boolean
}

/** Somebody who was there before, whatever they hold. */
export const present = (subscriber: SubscriberRow): Owner => ({ subscriber, isNew: false })

/** What an observation led to; `image` is null when it changed nothing, or when nothing is bought yet. */
export interface Observed {
  purchase: PurchaseRow | null
  /** What the owner holds after it. */
  image: SubscriberImage | null
}

/**
 * Adds observations to a purchase (made when it is new, for `owner`) and brings everything that follows from them to
 * the fold of all: the purchase, its money lines, currency grants, access and events, in the caller's transaction.
 * Observations that are known already change nothing. The caller holds the purchase's lock and has read `held`, the
 * purchase as it stands now.
 */
export async function observe(
  tx: Tx,
  project: ProjectState,
  { subscriber: owner, isNew }: Owner,
  held: PurchaseRow | null,
  sighting: Sighting,
  cause: EventCause,
): Promise<Observed> {
  const known = held ? await listObservations(tx, held.id) : []
  const fresh = sighting.observations.filter((one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id))
  if (held && fresh.length === 0 && !gainsProduct(project, held))
    return { purchase: await keepContext(tx, held, sighting), image: null }
  const all = [...known, ...fresh]
  const fold = foldObservations(all, sighting.productType)
  if (!fold) return { purchase: null, image: null } // Only markers of transactions that nobody has reported.
  const after = statusAt(fold, tx.clock.now())
  const row = toPurchaseRow(tx, project, owner, sighting, held, fold)
  await (held ? updatePurchase(tx, held.id, changedColumns(held, row)) : insertPurchase(tx, row))
  const observations = fresh.map((one) => toObservationRow(tx, row.id, one, cause))
  if (observations.length > 0) await insertObservations(tx, observations)
  const replaced = replacedPeriod(all)
  const lines = linesOf(known, all, sighting.productType)
  const stored = await storeLines(tx, project, row, held === null, lines.after)
  const change = {
    held,
    row,
    after,
    lines,
    stored,
    cause,
    isFirst: isNew,
    replacedStoreProductId: replaced?.storeProductId,
  }
  return { purchase: row, image: await tellPurchase(tx, project, owner, change) }
}

/** Where it was sold is told by whoever shows it, and may be all that is new. */
async function keepContext(tx: Tx, held: PurchaseRow, { presentedContext }: Sighting): Promise<PurchaseRow> {
  if (!bringsContext(presentedContext, held)) return held
  await updatePurchase(tx, held.id, { presentedContext })
  return { ...held, presentedContext }
}

/** Whether somebody tells where a purchase was sold, and nobody has told so before. */
export const bringsContext = (
  presentedContext: Sighting['presentedContext'],
  held: Pick<PurchaseRow, 'presentedContext'>,
): boolean => presentedContext !== null && held.presentedContext === null

/** What the purchase continues, by whichever observation tells it. */
export function replacedPeriod(observations: readonly Observation[]): EarlierPeriod | null {
  for (const one of observations) if (one.kind === 'REPORT' && one.replaces) return one.replaces
  return null
}

const linesOf = (known: readonly Observation[], all: readonly Observation[], productType: ProductType): LineChange => ({
  before: known.length > 0 ? transactionLines(known, productType, replacedPeriod(known)) : [],
  after: transactionLines(all, productType, replacedPeriod(all)),
})
