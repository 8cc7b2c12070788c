import type { Tx } from '../../base/context'
import type { BudgetAlert } from '../../projects/budget/alerts'
import { type NoticeKind, notify } from '../notices/notify'

export const USAGE_ALERT: NoticeKind = {
  kind: 'usage.alert',
  description:
    'A project has used a part of the events of its plan that its budget names. Once in a month for each part.',
}

/** Tells owners and administrators what a project has used. */
export async function tellUsage(
  tx: Tx,
  { projectId, projectName, month, percent, used, included }: BudgetAlert,
): Promise<void> {
  await notify(tx, {
    ...{ kind: USAGE_ALERT.kind, projectId, roles: ['OWNER', 'ADMIN'], mail: {} },
    title: `${projectName} has used ${percent} % of its events`,
    body: `In ${month} (UTC), ${projectName} has used ${written(used)} of the ${written(included ?? 0)} events that its plan includes. After two months over the plan, charts, queries and other screens of analysis are locked. Apps, receipts, refunds, grants and exports are not.`,
  })
}

const written = (count: number): string => count.toLocaleString('en-US')
