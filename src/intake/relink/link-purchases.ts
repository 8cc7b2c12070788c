import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { storeManyLines } from '../../people/purchases/line-rows'
import { listObservationsOf, listTransactionsOf } from '../../people/purchases/many-queries'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import { listByManyIds } from '../../people/subscribers/many-queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { importedCharges, isImportedHistory } from '../recording/imported-charges'
import { linesOf } from '../recording/line-change'
import { type RecordedPurchase, runOnRecordedMany } from '../recording/on-recorded'
import { isLinkedRow } from '../recording/purchase-row'
import { projectIn } from './current-project'
import { type Linked, linkedRow, saveLinked } from './linked-row'
import { lockPurchases } from './lock-purchases'
import { type LinkNews, tellLinked } from './tell-linked'

/**
 * Gives recorded purchases and their money lines the products that the catalogue has for them now, with all that follows:
 * figures, currency, access and its events. What has a product keeps it. Imported history grants no currency and tells
 * nothing. Returns how many were linked; a purchase that is gone, and one that has its product, does not count.
 */
export async function linkPurchases(
  tx: Tx,
  known: ProjectState,
  purchaseIds: readonly string[],
  cause: EventCause,
): Promise<number> {
  const locked = await lockPurchases(tx, known.id, purchaseIds)
  const project = locked.length > 0 ? await projectIn(tx, known) : null
  let linked = 0
  if (project) for (const some of roundsOf(locked)) linked += await linkRound(tx, project, some, cause)
  return linked
}

/** Purchases of one owner are linked one after the other: the access by one of them is known before the next. */
function roundsOf(purchases: readonly PurchaseRow[]): PurchaseRow[][] {
  const rounds: PurchaseRow[][] = []
  const counts = new Map<string, number>()
  for (const purchase of purchases) {
    const number = counts.get(purchase.subscriberId) ?? 0
    counts.set(purchase.subscriberId, number + 1)
    const round = rounds[number] ?? []
    rounds[number] = [...round, purchase]
  }
  return rounds
}

/** Links purchases of which each has another owner. */
async function linkRound(
  tx: Tx,
  project: ProjectState,
  purchases: readonly PurchaseRow[],
  cause: EventCause,
): Promise<number> {
  const linkings = await readLinkings(tx, project, purchases)
  await saveLinked(tx, linkings, cause)
  const stored = await storeLines(tx, project, linkings)
  const changed = stored.filter(({ held, row, stored: { linked } }) => isLinkedRow(held, row) || linked.size > 0)
  await runOnRecordedMany(
    tx,
    changed.map((one) => toRecorded(project, one)),
  )
  await tellLinked(
    tx,
    project,
    changed.filter(({ owner }) => owner.erasedAt === null),
    cause,
  )
  return changed.length
}

/** A purchase with its product, and what is known of it. */
interface Linking extends Linked {
  owner: SubscriberRow
  held: PurchaseRow
  recorded: readonly ObservationRow[]
}

async function readLinkings(tx: Tx, project: ProjectState, purchases: readonly PurchaseRow[]): Promise<Linking[]> {
  const recordedOf = await listObservationsOf(tx, purchases.map(toId))
  const rows = await listByManyIds(
    tx,
    purchases.map(({ subscriberId }) => subscriberId),
  )
  const owners = new Map(rows.map((row) => [row.id, row]))
  return purchases.flatMap((held) => {
    const owner = owners.get(held.subscriberId)
    const recorded = recordedOf.get(held.id) ?? []
    const linked = owner ? linkedRow(tx, project, owner, held, recorded.map(toPayload)) : null
    return owner && linked ? [{ ...linked, owner, held, recorded }] : []
  })
}

const toId = ({ id }: PurchaseRow): string => id

const toPayload = ({ payload }: ObservationRow): ObservationRow['payload'] => payload

type StoredLinking = Linking & LinkNews

async function storeLines(tx: Tx, project: ProjectState, linkings: readonly Linking[]): Promise<StoredLinking[]> {
  const rowsOf = await listTransactionsOf(
    tx,
    linkings.map(({ held }) => held.id),
  )
  const changes = linkings.map(({ recorded, ends, row }) => {
    const reported = recorded.map(toPayload)
    return linesOf(reported, [...reported, ...ends], row.fold.productType)
  })
  const orders = linkings.map(({ row }, index) => ({
    purchase: row,
    rows: rowsOf.get(row.id) ?? [],
    lines: changes[index]?.after ?? [],
  }))
  const stored = await storeManyLines(tx, project, orders, 'LINKS')
  return linkings.flatMap((one, index) => {
    const [own, change] = [stored[index], changes[index]]
    if (!own || !change) return []
    // Imported history grants nothing.
    const linked = own.linked.difference(importedCharges(one.recorded))
    return [{ ...one, stored: own, lines: { ...change, linked }, isImported: isImportedHistory(one.recorded) }]
  })
}

const toRecorded = (
  project: ProjectState,
  { owner, row, recorded, ends, stored }: StoredLinking,
): RecordedPurchase => ({
  ...{ project, owner, purchase: row, isNew: false, isLinked: true },
  ...{ observations: [...recorded.map(toPayload), ...ends], fresh: ends, saved: stored.saved },
})
