import type { Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { toAccess } from '../../people/entitlements/service'
import {
  type News,
  recordManySubscriberEvents,
  recordSubscriberEvents,
  type SubscriberNews,
} from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import type { EventDraft } from '../../people/events/service'
import { listPurchasesOfAll } from '../../people/purchases/holdings'
import type { StoredLines } from '../../people/purchases/line-rows'
import type { PurchaseRow } from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import { type SubscriberRow, savePublishedAccess } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { bookGrants, type LineChange, mayGrant } from '../recording/grant-booking'
import { purchaseDrafts } from '../recording/purchase-drafts'

/** A purchase that got its product, with its money lines. */
export interface LinkNews {
  owner: SubscriberRow
  held: PurchaseRow
  row: PurchaseRow
  stored: StoredLines
  lines: LineChange
  isImported: boolean
  /** An unlisted sale until now: it has no events, and its charges grant no currency. */
  wasUnlisted: boolean
}

/**
 * Books what the linked lines of purchases grant, and tells what their owners gain by their products. Each purchase has
 * another owner. What is booked can also concern former owners, so it comes before the events of the others.
 */
export async function tellLinked(
  tx: Tx,
  project: ProjectState,
  linked: readonly LinkNews[],
  cause: EventCause,
): Promise<void> {
  const owned = await listPurchasesOfAll(
    tx,
    linked.map(({ owner }) => owner.id),
  )
  const others: SubscriberNews[] = []
  for (const one of linked) {
    const purchases = owned.get(one.owner.id) ?? []
    if (one.isImported) await publishSilently(tx, project, one.owner, one.row.id, purchases)
    else if (!one.wasUnlisted && mayGrant(project, one.row, one.lines.after))
      await tellGranted(tx, project, one, purchases, cause)
    else others.push({ row: one.owner, ...newsOf(tx, project, one, purchases, cause) })
  }
  await recordManySubscriberEvents(tx, project, others)
}

async function tellGranted(
  tx: Tx,
  project: ProjectState,
  one: LinkNews,
  purchases: readonly PurchaseRow[],
  cause: EventCause,
): Promise<void> {
  const { owner, row, lines } = one
  const before = await balancesByCode(tx, project, owner.id)
  const booked = await bookGrants(tx, project, owner, row, lines, cause)
  const news = newsOf(tx, project, one, purchases, cause)
  await recordSubscriberEvents(tx, project, owner, {
    ...news,
    balances: { before, ...(booked.length === 0 && { after: before }) },
    drafts: [...news.drafts, ...booked],
  })
}

const newsOf = (
  tx: Tx,
  project: ProjectState,
  one: LinkNews,
  purchases: readonly PurchaseRow[],
  cause: EventCause,
): News => ({ cause, purchases, drafts: statusDrafts(tx, project, one), linkedPurchaseId: one.row.id })

/** Events of a purchase whose state is another one because it was recorded as of another type. */
function statusDrafts(
  tx: Tx,
  project: ProjectState,
  { held, row, stored, lines, wasUnlisted }: LinkNews,
): EventDraft[] {
  if (wasUnlisted || held.fold.productType === row.fold.productType) return []
  const after = statusAt(row.fold, tx.clock.now())
  return purchaseDrafts(project, { held, row, after, lines, stored, isFirst: false })
}

/** Counts the access that an imported purchase gives as published. Other changes of access still have their events. */
async function publishSilently(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  purchaseId: string,
  purchases: readonly PurchaseRow[],
): Promise<void> {
  const now = tx.clock.now()
  const others = purchases.filter(({ id }) => id !== purchaseId)
  const without = toAccess(project, owner, others, now)
  const gained = Object.entries(toAccess(project, owner, purchases, now)).filter(
    ([name]) => !Object.hasOwn(without, name),
  )
  await savePublishedAccess(tx, owner, { ...owner.toldAccess, ...Object.fromEntries(gained) })
  tx.afterCommit(() => tx.state.changeSignal.notify(owner.id))
}
