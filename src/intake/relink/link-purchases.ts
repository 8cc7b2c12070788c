import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { runOnRecordedMany } from '../recording/on-recorded'
import { isLinkedRow } from '../recording/purchase-row'
import { projectIn } from './current-project'
import { saveLinked } from './linked-row'
import { readLinkings, storeLinked, toRecorded } from './linkings'
import { lockPurchases } from './lock-purchases'
import { tellLinked } from './tell-linked'

export interface LinkOptions {
  /** They were unlisted sales until now, whose charges grant no currency. */
  wasUnlisted?: boolean
  /** Whether their events are written here; else the caller writes them, and books their grants. */
  isTold?: boolean
}

/**
 * Gives recorded purchases and their money lines the products that the catalogue has for them now, with all that
 * follows: figures, currency, access and its events. What has a product keeps it. Imported history grants no currency
 * and tells nothing. Returns how many were linked; a purchase that is gone, and one that has its product, does not
 * count.
 */
export async function linkPurchases(
  tx: Tx,
  known: ProjectState,
  purchaseIds: readonly string[],
  cause: EventCause,
  options: LinkOptions = {},
): Promise<number> {
  const locked = await lockPurchases(tx, known.id, purchaseIds)
  const project = locked.length > 0 ? await projectIn(tx, known) : null
  let linked = 0
  if (project) for (const some of roundsOf(locked)) linked += await linkRound(tx, project, some, cause, options)
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
  { wasUnlisted = false, isTold = true }: LinkOptions,
): Promise<number> {
  const linkings = await readLinkings(tx, project, purchases)
  await saveLinked(tx, linkings, cause)
  const stored = await storeLinked(tx, project, linkings)
  const changed = stored.filter(({ held, row, stored: { linked } }) => isLinkedRow(held, row) || linked.size > 0)
  await runOnRecordedMany(
    tx,
    changed.map((one) => toRecorded(project, one)),
  )
  const told = isTold ? changed.filter(({ owner }) => owner.erasedAt === null) : []
  await tellLinked(
    tx,
    project,
    told.map((one) => ({ ...one, wasUnlisted })),
    cause,
  )
  return changed.length
}
