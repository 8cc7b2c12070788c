import type { Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { toAccess } from '../../people/entitlements/service'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import type { EventDraft } from '../../people/events/service'
import { listPurchases } from '../../people/purchases/holdings'
import type { StoredLines } from '../../people/purchases/line-rows'
import type { PurchaseRow } from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import { type SubscriberRow, savePublishedAccess } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { bookGrants, type LineChange } from '../recording/grant-booking'
import { purchaseDrafts } from '../recording/purchase-drafts'

interface LinkNews {
  held: PurchaseRow
  row: PurchaseRow
  stored: StoredLines
  lines: LineChange
  cause: EventCause
  isImported: boolean
  /** An unlisted sale until now: nothing of it was told, and its charges grant no currency. */
  wasUnlisted: boolean
}

/** Books what the linked lines of a purchase grant, and tells what its owner gains by its product. */
export async function tellLinked(tx: Tx, project: ProjectState, owner: SubscriberRow, news: LinkNews): Promise<void> {
  const purchases = await listPurchases(tx, owner.id)
  if (news.isImported) return publishSilently(tx, project, owner, news.row.id, purchases)
  const { row, lines, cause, wasUnlisted } = news
  const before = await balancesByCode(tx, project, owner.id)
  const booked = wasUnlisted ? [] : await bookGrants(tx, project, owner, row, lines, cause)
  await recordSubscriberEvents(tx, project, owner, {
    cause,
    balances: { before, ...(booked.length === 0 && { after: before }) },
    purchases,
    drafts: [...statusDrafts(tx, project, news), ...booked],
    linkedPurchaseId: row.id,
  })
}

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

/** Counts the access that an imported purchase gives as published. Other changes of access are still told. */
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
