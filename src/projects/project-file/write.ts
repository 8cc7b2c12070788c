import type { Tx } from '../../base/context'
import type { PlannedFile } from './load'
import type { Plan } from './plan'
import { rowsOf } from './rows'

/** Writes what a plan changes, what is named before what names it; it comes back with the ids of its new objects. */
export async function writePlan(tx: Tx, projectId: string, { plan, current }: PlannedFile): Promise<Plan> {
  const { plan: identified, changes } = rowsOf(plan, current, tx.ids, tx.clock.now())
  for (const section of plan.sections) await section.write(tx, projectId, changes.get(section.key.name))
  return identified
}
