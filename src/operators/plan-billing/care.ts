import type { Context, Tx } from '../../base/context'
import { DAY, HOUR } from '../../base/lib/clock'
import { changeBillingAccount, findBillingAccount } from '../../projects/billing/account-queries'
import { standingAt } from '../../projects/billing/life'
import { listPlanChanges } from '../../projects/billing/service'
import { tierAt } from '../../projects/billing/tier'
import { findProject, type ProjectRow } from '../../projects/project/service'
import { queueMail } from '../mail/queue-mail'
import { listOwners } from '../members/service'
import { requireProvider } from './choose-provider'
import { type Cared, handOver } from './hand-over'
import { refresh } from './service'

/** Days after the pause: two mails to the owners, and the end. */
export const FIRST_MAIL_MS = 30 * DAY
export const SECOND_MAIL_MS = 53 * DAY
export const CLOSED_MS = 60 * DAY
const BEFORE_CLOSE_MS = CLOSED_MS - SECOND_MAIL_MS

/** Does what is due of the billing of a project. Safe to repeat: each step leaves what shows that it was done. */
export async function careFor(ctx: Context, projectId: string): Promise<void> {
  const cloud = ctx.config.cloud
  if (!cloud?.provider || cloud.areLiveKeysRefused) return
  const project = await findProject(ctx, projectId)
  if (!project) return endOfDeleted(ctx, projectId)
  await askWhenLate(ctx, await lookAt(ctx, projectId))
  await cancelBesideHand(ctx, await lookAt(ctx, projectId))
  await handOver(ctx, await lookAt(ctx, projectId))
  await dun(ctx, project, await lookAt(ctx, projectId))
}

async function lookAt(ctx: Context, projectId: string): Promise<Cared> {
  const account = await findBillingAccount(ctx, projectId)
  const now = ctx.clock.now() + account.leadMs
  return { projectId, account, now, standing: standingAt(account.life, now) }
}

/** A deleted project is charged no more. */
async function endOfDeleted(ctx: Context, projectId: string): Promise<void> {
  const { standing } = await lookAt(ctx, projectId)
  if (standing.state === 'FREE' || standing.subscriptionId === null) return
  await requireProvider(ctx, projectId).endNow(standing.subscriptionId)
}

const LATE_MS = 6 * HOUR

async function askWhenLate(
  ctx: Context,
  { projectId, standing: { state, renewsAt, cancelAt }, now }: Cared,
): Promise<void> {
  if (state === 'ACTIVE' && (renewsAt ?? cancelAt ?? now) < now - LATE_MS) await refresh(ctx, projectId)
}

/** A plan by hand replaces one that was bought before, which ends with its period. */
async function cancelBesideHand(ctx: Context, { projectId, standing, account, now }: Cared): Promise<void> {
  const { state, subscriptionId, cancelAt } = standing
  if (state === 'FREE' || subscriptionId === null || cancelAt !== null) return
  const changes = await listPlanChanges(ctx, projectId)
  const given = changes.findLast(({ changedAt }) => changedAt + account.leadMs <= now)
  if (!given || tierAt(changes, now - account.leadMs) === 'FREE') return
  const bought = account.life.subscriptions.find(({ id }) => id === subscriptionId)
  if (bought && bought.startedAt <= given.changedAt + account.leadMs)
    await requireProvider(ctx, projectId).setCancelled(subscriptionId, true)
}

/** Mails to the owners of a paused project, and the end of its billing. */
async function dun(ctx: Context, project: ProjectRow, cared: Cared): Promise<void> {
  const { projectId, standing, now } = cared
  const { pausedAt, subscriptionId } = standing
  if (standing.state !== 'PAUSED' || pausedAt === null || subscriptionId === null) return
  await ctx.write(async (tx) => {
    await tx.lock(`billing:${projectId}`)
    await startPause(tx, projectId, pausedAt)
    if (now >= pausedAt + FIRST_MAIL_MS) await mailOnce(tx, project, 'firstMailAt', { now, pausedAt })
    if (now >= pausedAt + SECOND_MAIL_MS) await mailOnce(tx, project, 'secondMailAt', { now, pausedAt })
  })
  const { firstMailAt, secondMailAt } = await findBillingAccount(ctx, projectId)
  if (firstMailAt === null || secondMailAt === null) return
  if (now < pausedAt + CLOSED_MS || now < secondMailAt + BEFORE_CLOSE_MS) return
  await requireProvider(ctx, projectId).endNow(subscriptionId)
  await ctx.write((tx) => changeBillingAccount(tx, projectId, { closedSubscription: subscriptionId }))
}

/** The mails of an earlier pause do not count for this one. */
async function startPause(tx: Tx, projectId: string, pausedAt: number): Promise<void> {
  const { mailedPause } = await findBillingAccount(tx, projectId)
  if (mailedPause === pausedAt) return
  await changeBillingAccount(tx, projectId, { mailedPause: pausedAt, firstMailAt: null, secondMailAt: null })
}

interface Times {
  now: number
  pausedAt: number
}

async function mailOnce(tx: Tx, project: ProjectRow, which: 'firstMailAt' | 'secondMailAt', { now, pausedAt }: Times) {
  const account = await findBillingAccount(tx, project.id)
  if (account[which] !== null) return
  const end = Math.max(pausedAt + CLOSED_MS, now + BEFORE_CLOSE_MS)
  for (const { userId, email } of await listOwners(tx, project.id))
    await queueMail(tx, {
      ...{ kind: 'billing_paused', to: email, userId, projectId: project.id },
      subject: `The plan of ${project.name} is not paid`,
      paragraphs: [
        `The payments for the plan of ${project.name} have failed, and the project has the limits of the plan FREE now. Nothing was deleted.`,
        `Pay the open invoice in the billing settings of the project, and the plan is active again at once. Without a payment its billing is closed on ${new Date(end).toISOString().slice(0, 10)} (UTC), and the project stays on FREE.`,
      ],
    })
  await changeBillingAccount(tx, project.id, { [which]: now })
}
