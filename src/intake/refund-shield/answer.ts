import type { Context, Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import { iosApiClient } from '../../projects/connections/ios-api'
import type { ProjectState } from '../../projects/project/state'
import type { IosApiClient } from '../../stores/ios/api-client'
import type { ApiResult } from '../../stores/ios/api-client-answer'
import type { ConsumptionAnswer } from '../../stores/ios/api-client-shapes'
import type { PurchaseEnvironment } from '../../stores/observation'
import { computeConsumption } from './consumption'
import { gatherFacts } from './facts'
import { afterAttempt, isInTime, MAX_JITTER_MS, mayAnswer, type RefundShieldStep } from './plan'
import { findResponse, type ResponseRow, updatePending } from './queries'

/** How long an attempt of another process may take before this process reads the request again. */
const LOOK_AGAIN_MS = 60_000

/**
 * Answers a due request with what is known now. Returns the instant of the next attempt, or null when there is nothing
 * more to do. An attempt is counted before it is made. When a process dies after the call and before it saved the
 * result, the next process sends the answer again, which the store treats as the same answer.
 */
export async function answerRequest(ctx: Context, id: string): Promise<number | null> {
  const row = await findResponse(ctx, id)
  if (row?.status !== 'PENDING') return null
  const now = ctx.clock.now()
  if (now < row.dueAt) return row.dueAt
  const prepared = await prepare(ctx, row)
  if ('status' in prepared) return conclude(ctx, row, prepared)
  const turn = { ...row, attempts: row.attempts + 1 }
  const isMine = await ctx.write((tx) => updatePending(tx, row, { attempts: turn.attempts, ...stamp(tx) }))
  if (!isMine) return now + LOOK_AGAIN_MS
  const { client, environment, answer } = prepared
  const result = await client.sendConsumptionInformation(environment, row.transactionId, answer)
  return conclude(ctx, turn, toChange(ctx, turn, result))
}

interface Prepared {
  client: IosApiClient
  environment: PurchaseEnvironment
  answer: ConsumptionAnswer
}

/** The columns that an attempt changes. */
type Change = Pick<ResponseRow, 'status' | 'error'> & Partial<Pick<ResponseRow, 'dueAt' | 'sentAt'>>

/** The answer and the client that sends it, or the change of the row when there is no answer to send. */
async function prepare(ctx: Context, row: ResponseRow): Promise<Prepared | Change> {
  const project = await ctx.state.projects.find(row.projectId)
  if (!project || !mayAnswer(project.refundShield)) return { status: 'SKIPPED_DISABLED', error: null }
  if (row.outcome !== null) return failed(DECIDED)
  if (!isInTime(row.deadlineAt, ctx.clock.now())) return failed('SLA_EXCEEDED')
  const client = await iosApiClient(ctx, project, row.transactionId)
  return client ? prepareAnswer(ctx, project, client, row) : failed(NO_KEY)
}

async function prepareAnswer(
  ctx: Context,
  project: ProjectState,
  client: IosApiClient,
  row: ResponseRow,
): Promise<Prepared | Change> {
  const asked = await gatherFacts(ctx, project, row)
  if (!asked) return { status: 'SKIPPED_NOT_FOUND', error: null }
  if (asked.isRefunded) return failed(DECIDED)
  return { client, environment: asked.environment, answer: computeConsumption(asked.facts, project.refundShield) }
}

const failed = (error: string): Change => ({ status: 'FAILED', error })

const DECIDED = 'DECIDED: the store decided before the answer was due; a shorter delayMinutes answers earlier'
const NO_KEY = 'STORE_KEY_MISSING: save stores.ios.inAppPurchaseKey with svc apply'

function toChange(ctx: Context, row: ResponseRow, result: ApiResult<null>): Change {
  const now = ctx.clock.now()
  const step = afterAttempt(result, { ...row, now, jitterMs: jitterOf(row) })
  const { status } = step
  if (status === 'SENT') return { status, sentAt: now, error: null }
  return status === 'PENDING'
    ? { status, dueAt: step.dueAt, error: 'STORE_UNAVAILABLE: it is tried again' }
    : failed(reasonOf(step, result))
}

/** Derived from the request and the attempt, so that requests that failed together are not retried together. */
const jitterOf = ({ id, attempts }: ResponseRow): number =>
  Number.parseInt(sha256Hex(`${id}.${attempts}`).slice(0, 8), 16) % (MAX_JITTER_MS + 1)

function reasonOf({ error }: Extract<RefundShieldStep, { status: 'FAILED' }>, result: ApiResult<null>): string {
  if (result.ok || result.kind !== 'rejected') return error
  const { status, errorCode } = result
  const hint = status === 401 ? '; save a valid stores.ios.inAppPurchaseKey' : ''
  return `${error}: the store answered ${status}${errorCode === null ? '' : ` with its error ${errorCode}`}${hint}`
}

/** Saves the result of an attempt, unless another process has started the next attempt. */
async function conclude(ctx: Context, row: ResponseRow, change: Change): Promise<number | null> {
  const isWritten = await ctx.write(async (tx) => {
    const isWritten = await updatePending(tx, row, { ...change, ...stamp(tx) })
    if (isWritten && change.status === 'FAILED') tx.afterCommit(() => logFailure(ctx, row, change.error))
    return isWritten
  })
  return isWritten && change.status === 'PENDING' ? (change.dueAt ?? null) : null
}

const stamp = (tx: Tx) => ({ updatedAt: tx.clock.now() })

const logFailure = (ctx: Context, { id, projectId }: ResponseRow, error: string | null): void =>
  ctx.log.warn('a refund request stays unanswered', { projectId, response: id, error })
