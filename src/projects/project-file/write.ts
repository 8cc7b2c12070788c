import type { Tx } from '../../base/context'
import type { PlannedFile } from './load'
import type { Plan } from './plan'
import { rowsOf } from './rows'
import type { MadeSecret } from './secret'

/** What was written: the plan with the ids of its new objects, and the secrets that the server has made. */
interface WrittenPlan {
  plan: Plan
  madeSecrets: MadeSecret[]
}

/** Writes the changes of a plan in the order of the sections. */
export async function writePlan(tx: Tx, projectId: string, { plan, current }: PlannedFile): Promise<WrittenPlan> {
  const { plan: identified, changes } = rowsOf(plan, current, tx.ids, tx.clock.now())
  for (const section of plan.sections) await section.write(tx, projectId, changes.get(section.key.name))
  const madeSecrets = plan.sections.flatMap((section) => section.madeSecrets?.(changes.get(section.key.name)) ?? [])
  return { plan: identified, madeSecrets }
}
