import type { Context, Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { processName } from '../../../base/lib/this-process'
import { toIso } from '../../../base/lib/time'
import { currentPlan } from '../../../projects/billing/service'
import { monthOf } from '../../../projects/usage/month'
import { findCredentials } from '../credentials/queries'
import type { Tokens } from '../models/model'
import { exceededBy, NO_LIMITS, quotaExceeded, type Use } from './limits'
import {
  addUsage,
  findUsage,
  hasReservation,
  saveFigures,
  saveReservation,
  sumReservations,
  takeReservations,
  updateReservation,
} from './queries'

/** An answer that uses the quota of its project. */
export interface Spender {
  projectId: string
  messageId: string
  /** Whether the plan limits it: the model is the server's and not the project's own. */
  isLimited: boolean
}

/** A step whose tokens are reserved. All that it uses counts in the month in which it started. */
export interface ReservedStep {
  projectId: string
  messageId: string
  month: string
  /** Whether a plan limits it. */
  isLimited: boolean
}

const NOTHING: Tokens = { inputTokens: 0, outputTokens: 0 }

/**
 * Reserves what a step may use at most, and with the first one the message. 429 `ASSISTANT_QUOTA_EXCEEDED` when the month
 * would pass a limit of the plan; nothing is reserved then. Without a limit only the message is noted.
 */
export const reserveStep = (
  ctx: Context,
  { projectId, messageId, isLimited }: Spender,
  asked: Tokens,
): Promise<ReservedStep> =>
  ctx.write(async (tx) => {
    await lockUsage(tx, projectId)
    const now = tx.clock.now()
    const { name: month, end } = monthOf(now)
    const plan = isLimited ? await currentPlan(tx, projectId) : null
    const messages = (await hasReservation(tx, messageId)) ? 0 : 1
    const use: Use = { messages, ...(plan ? asked : NOTHING) }
    const exceeded = plan && exceededBy(plan.assistant, await takenIn(tx, projectId, month), use)
    if (plan && exceeded) throw quotaExceeded(plan.tier, exceeded, end)
    await saveReservation(tx, {
      ...{ messageId, month, projectId, instance: processName(ctx.instanceId), createdAt: now },
      ...{ ...use, usedInputTokens: 0, usedOutputTokens: 0 },
    })
    return { projectId, messageId, month, isLimited: plan !== null }
  })

/** Keeps the figures that the provider has sent so far, in case this process ends before the step does. */
export const noteFigures = (ctx: Context, step: ReservedStep, figures: Partial<Tokens>): Promise<boolean> =>
  ctx.write((tx) => saveFigures(tx, step, { ...NOTHING, ...figures }))

/** Replaces what a step had reserved by what it has used. */
export const settleStep = (ctx: Context, step: ReservedStep, used: Tokens): Promise<void> =>
  ctx.write(async (tx) => {
    await lockUsage(tx, step.projectId)
    const none = { ...NOTHING, usedInputTokens: 0, usedOutputTokens: 0 }
    // Without a reservation, another process has settled the turn already.
    if (await updateReservation(tx, step, none)) await add(tx, step, { messages: 0, ...used })
  })

/** Ends what a turn has reserved. Tokens of a step that was not settled count by the last known figures. */
export async function releaseQuota(
  tx: Tx,
  { projectId, messageId }: Omit<Spender, 'isLimited'>,
  hasAnswer: boolean,
): Promise<void> {
  await lockUsage(tx, projectId)
  for (const { month, messages, usedInputTokens, usedOutputTokens } of await takeReservations(tx, messageId)) {
    const used = { inputTokens: usedInputTokens, outputTokens: usedOutputTokens }
    await add(tx, { projectId, month }, { messages: hasAnswer ? messages : 0, ...used })
  }
}

/** What a project has used this month, and what its plan allows. A model of its own is not limited. */
export async function readUsage(ctx: Context, projectId: string) {
  const { name: month, end } = monthOf(ctx.clock.now())
  const plan = await currentPlan(ctx, projectId)
  const isOwn = (await findCredentials(ctx, projectId)) !== null
  const used = await findUsage(ctx, projectId, month)
  const limits = plan && !isOwn ? plan.assistant : NO_LIMITS
  return {
    tier: plan?.tier ?? null,
    messages: { used: used?.messages ?? 0, limit: limits.messages },
    inputTokens: { used: used?.inputTokens ?? 0, limit: limits.inputTokens },
    outputTokens: { used: used?.outputTokens ?? 0, limit: limits.outputTokens },
    resetAt: toIso(end),
  }
}

/** Every change of the figures of a project is made under it, so that no step is reserved between two of them. */
const lockUsage = (tx: Tx, projectId: string): Promise<void> => tx.lock(`assistant-usage:${projectId}`)

async function takenIn(handle: Handle, projectId: string, month: string): Promise<Use> {
  const used = await findUsage(handle, projectId, month)
  const reserved = await sumReservations(handle, projectId, month)
  return {
    messages: (used?.messages ?? 0) + reserved.messages,
    inputTokens: (used?.inputTokens ?? 0) + reserved.inputTokens,
    outputTokens: (used?.outputTokens ?? 0) + reserved.outputTokens,
  }
}

async function add(
  handle: Handle,
  { projectId, month }: { projectId: string; month: string },
  use: Use,
): Promise<void> {
  if (use.messages + use.inputTokens + use.outputTokens > 0) await addUsage(handle, { projectId, month, ...use })
}
