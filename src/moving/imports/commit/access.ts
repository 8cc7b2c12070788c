import type { Tx } from '../../../base/context'
import { canonicalJson } from '../../../base/lib/hash'
import type { PlannedReport } from '../../../intake/recording/record-many'
import { toAccess } from '../../../people/entitlements/service'
import { listPurchasesOfAll } from '../../../people/purchases/holdings'
import type { PurchaseRow } from '../../../people/purchases/queries'
import type { AccessMap } from '../../../people/subscribers/access-map'
import { type SubscriberRow, updateSubscriber } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import { changePerson, type ImportedPerson } from './people'

/** The access of an owner of changed purchases now: without the rows of the batch, and with them. */
export interface AccessChange {
  owner: SubscriberRow
  before: AccessMap
  after: AccessMap
  /** The batch makes the owner's row, so no cached answer contains it yet. */
  isNew: boolean
}

/** What a planned batch makes of the access of everybody whose purchases change. */
export async function accessChanges(
  tx: Tx,
  project: ProjectState,
  planned: readonly PlannedReport[],
  people: ReadonlyMap<string, ImportedPerson>,
): Promise<AccessChange[]> {
  const isNew = new Set([...people.values()].filter(({ isInserted }) => !isInserted).map(({ row }) => row.id))
  const changed = planned.filter(({ isChanged }) => isChanged)
  const owners = new Map(changed.map(({ owner }) => [owner.id, owner]))
  const held = await listPurchasesOfAll(
    tx,
    [...owners.keys()].filter((id) => !isNew.has(id)),
  )
  const rows = Map.groupBy(
    changed.flatMap(({ row }) => row ?? []),
    ({ subscriberId }) => subscriberId,
  )
  const now = tx.clock.now()
  return [...owners].map(([id, owner]) => {
    const old = held.get(id) ?? []
    const after = toAccess(project, owner, joined(old, rows.get(id) ?? []), now)
    return { owner, before: toAccess(project, owner, old, now), after, isNew: isNew.has(id) }
  })
}

/**
 * Sets the access that counts as published for everybody whose access is another one afterwards. No event tells it: an
 * import only adds what was true before. Later events start from there.
 */
export async function publishAccess(
  tx: Tx,
  project: ProjectState,
  planned: readonly PlannedReport[],
  people: ReadonlyMap<string, ImportedPerson>,
): Promise<void> {
  const personOf = new Map([...people.values()].map((person) => [person.row.id, person]))
  for (const { owner, after, isNew } of await accessChanges(tx, project, planned, people)) {
    const person = personOf.get(owner.id)
    if (canonicalJson(owner.toldAccess) !== canonicalJson(after))
      if (person) changePerson(person, { toldAccess: after })
      else await updateSubscriber(tx, owner.id, { toldAccess: after })
    if (!isNew) tx.afterCommit(() => tx.state.changeSignal.notify(owner.id))
  }
}

const joined = (held: readonly PurchaseRow[], rows: readonly PurchaseRow[]): PurchaseRow[] => [
  ...new Map([...held, ...rows].map((row) => [row.id, row])).values(),
]
