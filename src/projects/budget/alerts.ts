import type { Context, Tx } from '../../base/context'
import { monthOf } from '../usage/month'
import { type EventUse, reachedMarks } from './marks'
import { listAlerting, listTold, noteTold } from './queries'
import { readEventUse } from './service'

/** A project has used so many percent of the events that its plan includes in a month. */
export interface BudgetAlert extends EventUse {
  projectId: string
  projectName: string
  /** `2026-11`, of UTC. */
  month: string
  percent: number
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Sends the notices for a mark, in the transaction that records it as reached. */
    onBudgetAlert: (tx: Tx, alert: BudgetAlert) => Promise<void>
  }
}

/** Sends the notices for the marks that each project has reached this month, once across all processes. */
export async function tellReachedMarks(ctx: Context): Promise<void> {
  if (!ctx.config.cloud) return
  const month = monthOf(ctx.clock.now()).name
  for (const { projectId, name, ...budget } of await listAlerting(ctx)) {
    const use = await readEventUse(ctx, projectId)
    const told = await listTold(ctx, projectId, month)
    for (const percent of reachedMarks(budget, use))
      if (!told.includes(percent)) await tell(ctx, { ...use, projectId, projectName: name, month, percent })
  }
}

const tell = (ctx: Context, alert: BudgetAlert): Promise<void> =>
  ctx.write(async (tx) => {
    const { projectId, month, percent } = alert
    if (!(await noteTold(tx, { projectId, month, percent }))) return
    for (const onAlert of tx.hooks.onBudgetAlert ?? []) await onAlert(tx, alert)
  })
