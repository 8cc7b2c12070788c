import type { Tx } from '../../../base/context'
import { canonicalJson } from '../../../base/lib/hash'
import type { PlannedReport } from '../../../intake/recording/record-many'
import { toAccess } from '../../../people/entitlements/service'
import { listPurchasesOfAll } from '../../../people/purchases/holdings'
import type { PurchaseRow } from '../../../people/purchases/queries'
import { updateSubscriber } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import { changePerson, type ImportedPerson } from './people'

/**
 * Sets the access that counts as published for everybody whose access is another one afterwards. No event tells it: an
 * import only says what was true before. Later events begin from there.
 */
export async function publishAccess(
  tx: Tx,
  project: ProjectState,
  planned: readonly PlannedReport[],
  people: ReadonlyMap<string, ImportedPerson>,
): Promise<void> {
  const personOf = new Map([...people.values()].map((person) => [person.row.id, person]))
  const changed = planned.filter(({ isChanged }) => isChanged)
  const owners = new Map(changed.map(({ owner }) => [owner.id, owner]))
  const old = [...owners.keys()].filter((id) => personOf.get(id)?.isInserted !== false)
  const held = await listPurchasesOfAll(tx, old)
  const rows = Map.groupBy(
    changed.flatMap(({ row }) => row ?? []),
    ({ subscriberId }) => subscriberId,
  )
  const now = tx.clock.now()
  for (const [id, owner] of owners) {
    const toldAccess = toAccess(project, owner, joined(held.get(id) ?? [], rows.get(id) ?? []), now)
    const person = personOf.get(id)
    if (canonicalJson(owner.toldAccess) !== canonicalJson(toldAccess))
      if (person) changePerson(person, { toldAccess })
      else await updateSubscriber(tx, id, { toldAccess })
  }
  for (const id of old) tx.afterCommit(() => tx.state.changeSignal.notify(id))
}

const joined = (held: readonly PurchaseRow[], rows: readonly PurchaseRow[]): PurchaseRow[] => [
  ...new Map([...held, ...rows].map((row) => [row.id, row])).values(),
]
