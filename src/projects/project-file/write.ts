import type { Tx } from '../../base/context'
import type { PlannedFile } from './load'
import type { Plan } from './plan'
import { rowsOf } from './rows'

/** Writes the changes of a plan in the order of the sections. Returns the plan with the ids of its new objects. */
export async function writePlan(tx: Tx, projectId: string, { plan, current }: PlannedFile): Promise<Plan> {
  const { plan: identified, changes } = rowsOf(plan, current, tx.ids, tx.clock.now())
  for (const section of plan.sections) await section.write(tx, projectId, changes.get(section.key.name))
  return identified
}
