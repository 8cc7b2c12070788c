import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { ChangeTaker, PurchaseChange } from './model'
import { recordPurchaseEvents } from './purchase-events'

/**
 * The changes of purchases that one commit makes, by owner. Their events are written once all are recorded, so that they
 * tell the net change of access (purchases 6.2).
 */
export class CommitNews implements ChangeTaker {
  readonly #byOwner = new Map<string, { owner: SubscriberRow; changes: PurchaseChange[] }>()

  add(owner: SubscriberRow, change: PurchaseChange): void {
    const held = this.#byOwner.get(owner.id)
    if (held) held.changes.push(change)
    else this.#byOwner.set(owner.id, { owner, changes: [change] })
  }

  /**
   * Writes the events of all changes. `isReplaced` names the purchases that another one continues: the end of one that
   * this commit started is no event, because it never gave anything.
   */
  async tell(
    tx: Tx,
    project: ProjectState,
    cause: EventCause,
    isReplaced: (row: PurchaseRow) => boolean = () => false,
  ): Promise<void> {
    for (const { owner, changes } of this.#byOwner.values()) {
      const begun = new Set(changes.filter(({ held }) => held === null).map(({ row }) => row.id))
      const isUntold = ({ row }: PurchaseChange) => begun.has(row.id) && isReplaced(row)
      const told = changes.map((change) => (isUntold(change) ? { ...change, isEndUntold: true } : change))
      await recordPurchaseEvents(tx, project, owner, cause, told)
    }
  }
}
