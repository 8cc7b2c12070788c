import type { Tx } from '../../base/context'
import { DAY, HOUR } from '../../base/lib/clock'
import type { Claim } from './claim'
import { kindOf } from './kinds'
import type { AttemptEntry, AttemptResult } from './model'
import { countAttempts, type DeliveryRow, releaseNext, saveAttempt, saveClosed, type TargetRow } from './queries'
import { type Outcome, outcomeOf } from './schedule'
import type { TargetHealth } from './tables'
import { lockTargets, makeDue, updateTarget } from './target-queries'
import { closeTarget } from './targets'

/** An attempt that has ended. */
export interface Ended {
  claim: Claim
  result: AttemptResult
  /** Unix milliseconds at which it started. */
  startedAt: number
  durationMs: number
}

/** An endpoint is disabled after this long without a success, when so many of its deliveries are DEAD (wire 5.10). */
const FAILING_MS = 5 * DAY
const FAILING_DEAD = 50

/** An answer that comes within this time lets the target have more attempts at once. */
const QUICK_MS = 1000

const SNIPPET_BYTES = 1024

/** Saves the outcomes of attempts in one transaction. What another process has taken over meanwhile is left to it. */
export async function record(tx: Tx, ended: readonly Ended[]): Promise<void> {
  const byTarget = Map.groupBy(ended, ({ claim }) => claim.row.targetId)
  const targets = await lockTargets(tx, [...byTarget.keys()])
  for (const target of targets) await recordFor(tx, target, byTarget.get(target.targetId) ?? [])
  const found = new Set(targets.map(({ targetId }) => targetId))
  for (const one of ended) if (!found.has(one.claim.row.targetId)) await recordClosed(tx, one)
}

/**
 * The target was switched off or deleted while this attempt was under way. The delivery has ended and is not tried again;
 * its row says what became of the attempt, and it is SUCCEEDED when the receiver took it.
 */
async function recordClosed(tx: Tx, ended: Ended): Promise<void> {
  const { row } = ended.claim
  if (ended.result.kind === 'skip') return
  const isTaken = decide(tx, ended).status === 'SUCCEEDED'
  const entry = toEntry(ended)
  await saveClosed(tx, row, {
    attempts: row.attempts + 1,
    leaseId: null,
    lastStatusCode: entry.statusCode,
    log: [...row.log, entry],
    ...(isTaken && { status: 'SUCCEEDED', lastError: null }),
  })
}

async function recordFor(tx: Tx, target: TargetRow, ended: readonly Ended[]): Promise<void> {
  const sums = { succeeded: 0, failed: 0, dead: 0, isGone: false, dueAt: Number.POSITIVE_INFINITY }
  for (const one of ended) {
    const outcome = decide(tx, one)
    const isSaved = await saveAttempt(tx, one.claim.row, changeOf(tx, one, outcome))
    if (!isSaved) {
      await recordClosed(tx, one)
      continue
    }
    const isSuccess = outcome.status === 'SUCCEEDED'
    if (outcome.status !== 'SKIPPED') sums[isSuccess ? 'succeeded' : 'failed']++
    if (outcome.status === 'DEAD' && !one.claim.row.isTest) sums.dead++
    if (outcome.status === 'DEAD' && outcome.isGone) sums.isGone = true
    if (outcome.status === 'FAILED') sums.dueAt = Math.min(sums.dueAt, outcome.dueAt)
    else if (await releaseBehind(tx, target, one.claim.row)) sums.dueAt = Math.min(sums.dueAt, tx.clock.now())
    await tell(tx, one, outcome)
  }
  await updateFor(tx, target, ended, sums)
}

const decide = (tx: Tx, { claim: { row }, result }: Ended): Outcome =>
  outcomeOf({
    result,
    attempt: row.attempts + 1,
    waitsMs: kindOf(tx, row.kind).waitsMs,
    now: tx.clock.now(),
    chance: chanceOf(row.id, row.attempts),
    isTest: row.isTest,
  })

/** Differs between deliveries and attempts, but not between two tries to write the same outcome. */
const chanceOf = (id: string, attempts: number): number => (Bun.hash.crc32(`${id} ${attempts}`) >>> 0) / 2 ** 32

function changeOf(tx: Tx, ended: Ended, outcome: Outcome): Partial<DeliveryRow> {
  const { row } = ended.claim
  const entry = toEntry(ended)
  const isOpen = outcome.status === 'FAILED'
  return {
    status: outcome.status,
    attempts: row.attempts + (outcome.status === 'SKIPPED' ? 0 : 1),
    dueAt: isOpen ? outcome.dueAt : null,
    ...(isOpen ? {} : { openOrder: null, endedAt: tx.clock.now() }),
    leaseId: null,
    lastStatusCode: entry.statusCode,
    lastError: entry.error,
    ...(ended.result.kind === 'skip' && { skipReason: ended.result.reason }),
    log: [...row.log, entry],
  }
}

function toEntry({ result, startedAt, durationMs }: Ended): AttemptEntry {
  const isAnswer = result.kind === 'answer'
  return {
    at: startedAt,
    statusCode: isAnswer ? result.status : null,
    error: isAnswer ? null : result.reason,
    durationMs: Math.round(durationMs),
    responseSnippet: isAnswer ? snippetOf(result.body) : null,
  }
}

/** Text without the characters that PostgreSQL cannot store. */
const snippetOf = (body: Uint8Array): string =>
  new TextDecoder().decode(body.subarray(0, SNIPPET_BYTES)).replaceAll('\0', '')

async function releaseBehind(tx: Tx, target: TargetRow, { targetId, subscriberId }: DeliveryRow): Promise<boolean> {
  if (!target.isOrdered || subscriberId === null) return false
  return releaseNext(tx, { targetId, subscriberId }, tx.clock.now())
}

async function tell(tx: Tx, { claim: { row }, result, startedAt }: Ended, outcome: Outcome): Promise<void> {
  const kind = kindOf(tx, row.kind)
  const { targetId, projectId } = row
  const isSuccess = outcome.status === 'SUCCEEDED'
  const error = isSuccess ? null : result.kind === 'answer' ? `status ${result.status}` : result.reason
  const statusCode = result.kind === 'answer' ? result.status : null
  const attempted = { targetId, projectId, isSuccess, statusCode, at: startedAt, error }
  if (outcome.status !== 'SKIPPED') await kind.onOutcome?.(tx, attempted)
  if (outcome.status !== 'FAILED') await kind.onEnd?.(tx, [row.id])
}

interface Sums {
  succeeded: number
  failed: number
  dead: number
  isGone: boolean
  dueAt: number
}

async function updateFor(tx: Tx, target: TargetRow, ended: readonly Ended[], sums: Sums): Promise<void> {
  const now = tx.clock.now()
  const { targetId } = target
  if (sums.succeeded + sums.failed > 0)
    await countAttempts(tx, { targetId, hourAt: now - (now % HOUR), succeeded: sums.succeeded, failed: sums.failed })
  const deadCount = sums.succeeded > 0 ? 0 : target.deadCount + sums.dead
  const lastSuccessAt = sums.succeeded > 0 ? now : target.lastSuccessAt
  await updateTarget(tx, targetId, { health: healthAfter(ended), deadCount, lastSuccessAt })
  if (sums.dueAt < Number.POSITIVE_INFINITY) await makeDue(tx, targetId, sums.dueAt)
  const isFailing = deadCount >= FAILING_DEAD && (lastSuccessAt ?? target.createdAt) <= now - FAILING_MS
  if (sums.isGone || isFailing) await switchOff(tx, target, sums.isGone ? 'GONE' : 'FAILING')
}

/** The last attempt decides. */
function healthAfter(ended: readonly Ended[]): TargetHealth {
  const last = ended.at(-1)
  if (last?.result.kind === 'skip') return last.claim.target.health
  const isGood = last?.result.kind === 'answer' && last.result.status < 300
  return isGood && (last?.durationMs ?? 0) < QUICK_MS ? 'QUICK' : 'SLOW'
}

async function switchOff(tx: Tx, target: TargetRow, reason: 'GONE' | 'FAILING'): Promise<void> {
  await closeTarget(tx, target, 'disabled')
  await kindOf(tx, target.kind).disable(tx, target, reason)
}
