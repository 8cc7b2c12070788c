import type { Context, Tx } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { recordAudit, SERVER_ACTOR } from '../../projects/audit/audit'
import { findBillingAccount, insertBillingEvent, refold } from '../../projects/billing/account-queries'
import { type BillingEvent, type Standing, type SubscriptionReport, standingAt } from '../../projects/billing/life'
import { editDashboard, isSame, type ProjectActor } from '../../projects/project/edit'

/** The rank of a state that was requested: an event of the provider in the same second takes precedence. */
const ASKED = 1

/** What the provider has answered now, as events of this second. */
export async function recordAnswer(
  ctx: Context,
  projectId: string,
  reports: readonly SubscriptionReport[],
): Promise<void> {
  const { leadMs } = await findBillingAccount(ctx, projectId)
  const now = ctx.clock.now() + leadMs
  const at = Math.floor(now / SECOND) * SECOND
  const events = reports.map((report) => ({ id: `asked ${now} ${report.id}`, at, rank: ASKED, report }))
  await recordEvents(ctx, projectId, events)
}

/** Folds events of a project into its state, in one transaction. False when the project has all of them already. */
export const recordEvents = (ctx: Context, projectId: string, events: readonly BillingEvent[]): Promise<boolean> =>
  ctx.write(async (tx) => {
    await tx.lock(`billing:${projectId}`)
    let isNew = false
    for (const event of events) if (await insertBillingEvent(tx, projectId, event)) isNew = true
    if (isNew) await refoldAudited(tx, projectId)
    return isNew
  })

async function refoldAudited(tx: Tx, projectId: string): Promise<void> {
  const before = await standingOf(tx, projectId)
  await refold(tx, projectId)
  const after = await standingOf(tx, projectId)
  if (isSame(shown(before), shown(after))) return
  const target = { type: 'project', id: projectId }
  await recordAudit(tx, projectId, SERVER_ACTOR, [
    { action: 'billing.state', target, before: shown(before), after: shown(after) },
  ])
}

const shown = ({ state, tier, pendingTier, cancelAt }: Standing) => ({
  ...{ state, tier, pendingTier },
  cancelAt: cancelAt === null ? null : toIso(cancelAt),
})

type Reader = Parameters<typeof findBillingAccount>[0] & Pick<Context, 'clock'>

/** How a project is billed now, by the clock of its provider. */
export async function standingOf(handle: Reader, projectId: string): Promise<Standing> {
  const { life, leadMs } = await findBillingAccount(handle, projectId)
  return standingAt(life, handle.clock.now() + leadMs)
}

/** Adds a row about the plan of a project to its audit log. */
export const audit = (ctx: Context, by: ProjectActor, action: string, after: unknown): Promise<void> =>
  editDashboard(ctx, by, async ({ entries, projectId }) => {
    entries.push({ action, target: { type: 'project', id: projectId }, before: null, after })
  })
