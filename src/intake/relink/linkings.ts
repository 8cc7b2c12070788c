import type { Tx } from '../../base/context'
import { storeManyLines } from '../../people/purchases/line-rows'
import { listObservationsOf, listTransactionsOf } from '../../people/purchases/many-queries'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import { listByManyIds } from '../../people/subscribers/many-queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { importedCharges, isImportedHistory } from '../recording/imported-charges'
import { linesOf } from '../recording/line-change'
import type { RecordedPurchase } from '../recording/on-recorded'
import { type Linked, linkedRow } from './linked-row'
import type { LinkNews } from './tell-linked'

/** A purchase with its product and its known facts. */
export interface Linking extends Linked {
  owner: SubscriberRow
  held: PurchaseRow
  recorded: readonly ObservationRow[]
}

/** Reads the known facts of purchases. A purchase without any is left out. */
export async function readLinkings(
  tx: Tx,
  project: ProjectState,
  purchases: readonly PurchaseRow[],
): Promise<Linking[]> {
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

type StoredLinking = Linking & Omit<LinkNews, 'wasUnlisted'>

/** Saves the money lines of purchases with the products that the catalogue has for them now. */
export async function storeLinked(
  tx: Tx,
  project: ProjectState,
  linkings: readonly Linking[],
): Promise<StoredLinking[]> {
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

export const toRecorded = (
  project: ProjectState,
  { owner, row, recorded, ends, stored }: StoredLinking,
): RecordedPurchase => ({
  ...{ project, owner, purchase: row, isNew: false, isLinked: true },
  ...{ observations: [...recorded.map(toPayload), ...ends], fresh: ends, saved: stored.saved },
})
