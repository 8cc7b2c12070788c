import type { Tx } from '../context'
import { balancesByCode } from '../currencies/service'
import type { EventCause } from '../events/model'
import type { EventDraft } from '../events/service'
import type { ProjectState } from '../projects/state'
import type { Observation, ProductType, PurchaseEnvironment, Store } from '../stores/observation'
import type { SubscriberRow } from '../subscribers/service'
import { tellSubscriber } from '../subscribers/tell'
import { foldObservations } from './fold'
import { bookGrants, type LineChange } from './grant-booking'
import { type StoredLines, storeLines } from './line-rows'
import { transactionLines } from './lines'
import type { PurchaseState } from './model'
import {
  findByChain,
  insertObservations,
  insertPurchase,
  listObservations,
  type PurchaseRow,
  updatePurchase,
} from './queries'
import { effectiveEnd, nextStatusChangeAt, statusAt } from './status'
import { findStoreProduct } from './store-product'
import { purchaseEvents } from './transitions'
import { toPurchaseView, toTransactionView } from './wire'

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
  observations: readonly Observation[]
}

/**
 * Adds observations to a purchase (made when it is new, for `owner`) and brings everything that follows from them to
 * the fold of all: the purchase, its money lines, currency grants, access and events, in the caller's transaction.
 * Observations that are known already change nothing. The caller holds the purchase's lock.
 */
export async function observe(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  sighting: Sighting,
  cause: EventCause,
): Promise<PurchaseRow | null> {
  const held = await findByChain(tx, project.id, sighting.store, sighting.chainKey)
  const known = held ? await listObservations(tx, held.id) : []
  const fresh = sighting.observations.filter((one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id))
  if (held && fresh.length === 0) return held
  const all = [...known, ...fresh]
  const fold = foldObservations(all, sighting.productType)
  if (!fold) return null // Only markers of transactions that nobody has reported: nothing is bought yet.
  const after = statusAt(fold, tx.clock.now())
  const row = toRow(tx, project, owner, sighting, held, after)
  await saveRow(tx, held, row)
  await insertObservations(
    tx,
    fresh.map((one) => toObservationRow(tx, row.id, one, cause)),
  )
  const lines = {
    before: held ? transactionLines(known, sighting.productType) : [],
    after: transactionLines(all, sighting.productType),
  }
  const stored = await storeLines(tx, project, row, held === null, lines.after)
  await tellChange(tx, project, owner, { held, row, after, lines, stored, cause })
  return row
}

interface Told {
  held: PurchaseRow | null
  row: PurchaseRow
  after: PurchaseState
  lines: LineChange
  stored: StoredLines
  cause: EventCause
}

/** Grants, access and events of a changed purchase. */
async function tellChange(tx: Tx, project: ProjectState, owner: SubscriberRow, told: Told): Promise<void> {
  const { held, row, after, lines, cause } = told
  const balancesBefore = await balancesByCode(tx, project, owner.id)
  const booked = await bookGrants(tx, project, owner, row, lines, cause)
  const before = held ? stateOf(held) : null
  const views = {
    before: { purchase: before && toPurchaseView(project, row, before) },
    after: { purchase: toPurchaseView(project, row, after) },
  }
  const purchase = purchaseDrafts(project, told, before).map((draft) => ({ ...draft, ...views }))
  await tellSubscriber(tx, project, owner, { cause, balancesBefore, drafts: [...purchase, ...booked] })
}

/** The state as events last told it: the fold saved, with the status saved beside it. */
export const stateOf = ({ fold, status }: PurchaseRow): PurchaseState => ({ ...fold, status })

function purchaseDrafts(
  project: ProjectState,
  { row, after, stored }: Told,
  before: PurchaseState | null,
): EventDraft[] {
  const { rows, newLines } = stored
  const events = purchaseEvents(before, after, {
    newLines,
    productIdOf: (storeProductId) => findStoreProduct(project.catalog, storeProductId)?.id ?? null,
    transactionIdOf: (storeTransactionId) => rows.get(`${storeTransactionId}:CHARGE`)?.id ?? null,
  })
  return events.map(({ type, data, transactionKey }) => {
    const line = transactionKey === null ? undefined : rows.get(transactionKey)
    const transaction = line ? toTransactionView(line) : null
    return { type, occurredAt: after.storeEventAt, environment: row.environment, data: { transaction, ...data } }
  })
}

function toRow(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  sighting: Sighting,
  held: PurchaseRow | null,
  after: PurchaseState,
): PurchaseRow {
  const now = tx.clock.now()
  const { status, ...fold } = after
  const product = findStoreProduct(project.catalog, after.storeProductId)
  return {
    id: held?.id ?? tx.ids.next('pur'),
    projectId: project.id,
    subscriberId: owner.id,
    store: sighting.store,
    environment: sighting.environment,
    chainKey: sighting.chainKey,
    productId: product?.id ?? held?.productId ?? null,
    originalTransactionId: sighting.originalTransactionId,
    accessIds: held?.accessIds ?? null,
    accountToken: sighting.accountToken ?? held?.accountToken ?? null,
    status,
    fold,
    effectiveEnd: effectiveEnd(fold),
    sweepAt: nextStatusChangeAt(fold, now),
    presentedContext: sighting.presentedContext ?? held?.presentedContext ?? null,
    createdAt: held?.createdAt ?? now,
    updatedAt: now,
  }
}

const saveRow = (tx: Tx, held: PurchaseRow | null, row: PurchaseRow): Promise<void> =>
  held ? updatePurchase(tx, held.id, row) : insertPurchase(tx, row)

const toObservationRow = (tx: Tx, purchaseId: string, payload: Observation, { kind, ref }: EventCause) => ({
  purchaseId,
  kind: payload.kind,
  id: payload.id,
  eventAt: payload.eventAt,
  payload,
  cause: { kind, ref },
  recordedAt: tx.clock.now(),
})
