import type { Context, Tx } from '../../../base/context'
import { type Page, type Paged, paged } from '../../../base/db/page'
import { AppError, notFound } from '../../../base/errors'
import { HOUR } from '../../../base/lib/clock'
import { isCapability, ROLES } from '../../../core/roles/roles'
import { recordAudit } from '../../../projects/audit/audit'
import { listRevisions } from '../../../projects/audit/revisions'
import type { MemberOf } from '../../../projects/doors/operator'
import { enactAtStore, tryAtStore } from './at-store'
import { areSameObjects, isAsShown, isSameEffect } from './effects'
import { enact, type RouteError } from './enact'
import { mayApprove } from './notices'
import type { Proposable } from './proposals'
import { draft, saveIntent } from './propose'
import { findIntent, type IntentFilter, type IntentRow, pageIntents, type ShownStatus, updateIntent } from './queries'

/** High risk needs a sign-in that is not older. */
const FRESH_MS = 12 * HOUR

/** Who decides about a proposal, and about which. */
export interface Decision {
  projectId: string
  id: string
  member: MemberOf
}

export const listIntents = (
  ctx: Context,
  projectId: string,
  page: Page,
  wanted: Omit<IntentFilter, 'now'>,
): Promise<Paged<IntentRow>> => {
  const filter = { ...wanted, now: ctx.clock.now() }
  return paged(page, (limit) => pageIntents(ctx, projectId, filter, { ...page, limit }))
}

export async function readIntent(
  ctx: Pick<Context, 'db' | 'tables'>,
  projectId: string,
  id: string,
): Promise<IntentRow> {
  const intent = await findIntent(ctx, projectId, id)
  if (!intent) throw notFound('intent', id)
  return intent
}

/** The status at an instant: an open proposal expires after its time. */
export const statusAt = ({ status, expiresAt }: IntentRow, now: number): ShownStatus =>
  status === 'PENDING' && now >= expiresAt ? 'EXPIRED' : status

/** How an execution ended; a refusal is answered to the person who executed. */
type Ending = { intent: IntentRow; answer: unknown } | Refused
type Refused = { stale: string[] } | { failed: RouteError } | { kept: AppError }

/**
 * Makes the change of a proposal, as the person who approves it. The effect, the rows of the audit log and the new status
 * are one transaction. 409 `CONFLICT` `{reason: "stale", objects}` when the change would no longer be what was shown.
 */
export async function executeIntent(
  ctx: Context,
  { projectId, id, member }: Decision,
  digest: string,
): Promise<IntentRow> {
  const seen = await readIntent(ctx, projectId, id)
  requirePerson(ctx, seen, member)
  if (proposableOf(ctx, seen.action).action.isAtStore) return executeAtStore(ctx, seen, member, digest)
  const ending = await ctx.write(async (tx): Promise<Ending> => {
    const intent = await lockPending(tx, projectId, id)
    if (intent.digest !== digest) throw otherDigest()
    const ended = await attempt(ctx, tx, intent, member)
    if ('kept' in ended) return ended
    const result = resultOf(ended)
    const decided = { decidedBy: member.user.id, decidedAt: tx.clock.now(), result }
    const settled = { status: 'intent' in ended ? ('EXECUTED' as const) : ('FAILED' as const), ...decided }
    await updateIntent(tx, id, settled)
    return 'intent' in ended ? { ...ended, intent: { ...intent, ...settled } } : ended
  })
  if ('intent' in ending) return ending.intent
  throw refusalOf(ending)
}

/** As `executeIntent`, for a change that a store must be asked for between two transactions. */
async function executeAtStore(ctx: Context, intent: IntentRow, member: MemberOf, digest: string): Promise<IntentRow> {
  const { id, projectId, threadId, action, arguments: given } = intent
  if (intent.digest !== digest) throw otherDigest()
  const order = { projectId, intentId: id, threadId, proposable: proposableOf(ctx, action), arguments: given, member }
  await ctx.write((tx) => lockPending(tx, projectId, id))
  const tried = await tryAtStore(ctx, order)
  if (!tried.isRefused && !isAsShown(tried, intent)) return fail(ctx, intent, member, { stale: objectsOf(intent) })
  const decided = { status: 'EXECUTED' as const, decidedBy: member.user.id }
  const done = tried.isRefused
    ? { isOk: false as const, ...tried }
    : await enactAtStore(ctx, order, async (tx) => {
        await lockPending(tx, projectId, id)
        await updateIntent(tx, id, { ...decided, decidedAt: tx.clock.now() })
      })
  if (done.isOk) return readIntent(ctx, projectId, id)
  await ctx.write((tx) => lockPending(tx, projectId, id)) // Another person may have approved it meanwhile.
  return fail(ctx, intent, member, refusedEnding(done))
}

/** Settles a proposal that could not be executed, and throws the reason. */
async function fail(ctx: Context, { id, projectId }: IntentRow, member: MemberOf, ending: Refused): Promise<never> {
  if (!('kept' in ending))
    await ctx.write(async (tx) => {
      await lockPending(tx, projectId, id)
      const decided = { decidedBy: member.user.id, decidedAt: tx.clock.now(), result: resultOf(ending) }
      await updateIntent(tx, id, { status: 'FAILED', ...decided })
    })
  throw refusalOf(ending)
}

function proposableOf({ state }: Context, action: string): Proposable {
  const found = state.proposals.find(action)
  if (!found) throw new AppError('CONFLICT', undefined, { message: `This version has no action ${action}` })
  return found
}

const resultOf = (ended: Exclude<Ending, { kept: AppError }>): unknown => {
  if ('intent' in ended) return ended.answer
  return 'stale' in ended
    ? { error: { code: 'CONFLICT', reason: 'stale', objects: ended.stale } }
    : { error: ended.failed }
}

/** Undoes what was written in a savepoint, and says why. */
class Undone extends Error {
  constructor(readonly ending: Refused) {
    super('an execution was undone')
  }
}

async function attempt(ctx: Context, tx: Tx, intent: IntentRow, member: MemberOf): Promise<Ending> {
  const changed = await changedSince(tx, intent)
  if (changed.length > 0) return { stale: changed }
  try {
    return await ctx.storage.savepoint(tx, async (handle) => {
      const answer = await enactAsShown(ctx, { ...tx, ...handle }, intent, member)
      return { intent, answer }
    })
  } catch (error) {
    if (error instanceof Undone) return error.ending
    throw error
  }
}

async function enactAsShown(ctx: Context, tx: Tx, intent: IntentRow, member: MemberOf): Promise<unknown> {
  const { projectId, threadId, action, arguments: given } = intent
  const proposable = proposableOf(ctx, action)
  const order = { projectId, intentId: intent.id, threadId, proposable, arguments: given, member }
  const done = await enact(ctx, tx, order)
  if (done.isRefused) throw new Undone(refusedEnding(done))
  if (!isSameEffect(done.preview, intent.preview) || !areSameObjects(done.base, intent.base))
    throw new Undone({ stale: objectsOf(intent) })
  return done.answer
}

/** Trouble of ours and a missing right leave the proposal open. */
function refusedEnding({ status, error }: { status: number; error: RouteError }): Refused {
  if (status >= 500 || status === 429)
    return { kept: new AppError('DATABASE_UNAVAILABLE', undefined, { message: error.message }) }
  if (status === 403) return { kept: new AppError('FORBIDDEN', undefined, { message: error.message }) }
  return { failed: error }
}

const objectsOf = ({ base }: IntentRow): string[] => [...new Set(base.map(({ id }) => id))]

/** The objects of the base that have another revision now. */
async function changedSince(tx: Tx, { projectId, base }: IntentRow): Promise<string[]> {
  const known = base.filter(({ type }) => type !== 'subscriber.events')
  const now = await listRevisions(
    tx,
    projectId,
    known.map(({ id }) => id),
  )
  return known.filter(({ id, revision }) => (now.get(id) ?? 1) !== revision).map(({ id }) => id)
}

function refusalOf(ending: Refused): AppError {
  if ('kept' in ending) return ending.kept
  if ('stale' in ending) {
    const message = 'What would change has been changed meanwhile; propose it again'
    return new AppError('CONFLICT', { reason: 'stale', objects: ending.stale }, { message })
  }
  return new AppError('CONFLICT', { reason: ending.failed.code }, { message: ending.failed.message })
}

/** 403 for a token, without the capability, and where the sign-in is too old for the risk. */
function requirePerson(ctx: Context, { capability, risk }: IntentRow, { role, session }: MemberOf): void {
  if (!session) throw forbidden('session', 'A person must approve this, signed in to the console')
  if (!mayApprove(role, capability)) throw missing(role, capability)
  if (risk === 'high' && ctx.clock.now() - session.createdAt > FRESH_MS)
    throw forbidden('sign_in', 'Sign in again: this needs a sign-in of the last 12 hours')
}

const forbidden = (reason: 'session' | 'sign_in', message: string): AppError =>
  new AppError('FORBIDDEN', { reason }, { message })

function missing(role: string, capability: string): AppError {
  if (isCapability(capability)) return new AppError('CAPABILITY_REQUIRED', { role, capability })
  return new AppError('ROLE_REQUIRED', { role, requiredRole: ROLES.find((one) => one === capability) ?? 'OWNER' })
}

const otherDigest = (): AppError =>
  new AppError('VALIDATION_ERROR', { field: 'digest' }, { message: 'The digest is not that of this proposal' })

/** Locks an open proposal. 409 `COPILOT_INTENT_SETTLED` for one that is decided or expired. */
async function lockPending(tx: Tx, projectId: string, id: string): Promise<IntentRow> {
  const intent = await lockIntent(tx, projectId, id)
  const status = statusAt(intent, tx.clock.now())
  if (status !== 'PENDING') throw settled(status)
  return intent
}

/** Locks a proposal that is open, or that failed or expired and was not prepared again yet. */
async function lockReplaceable(tx: Tx, projectId: string, id: string): Promise<IntentRow> {
  return requireReplaceable(await lockIntent(tx, projectId, id), tx.clock.now())
}

function requireReplaceable(intent: IntentRow, now: number): IntentRow {
  const status = statusAt(intent, now)
  if (status === 'EXECUTED' || status === 'REJECTED' || intent.replacedBy !== null) throw settled(status)
  return intent
}

async function lockIntent(tx: Tx, projectId: string, id: string): Promise<IntentRow> {
  await tx.lock(`assistant-intent:${id}`)
  return readIntent(tx, projectId, id)
}

const settled = (status: ShownStatus): AppError =>
  new AppError('COPILOT_INTENT_SETTLED', { status: status.toLowerCase() })

export const rejectIntent = (ctx: Context, { projectId, id, member }: Decision): Promise<IntentRow> =>
  ctx.write(async (tx) => {
    const intent = await lockPending(tx, projectId, id)
    return reject(tx, intent, member, null)
  })

async function reject(
  tx: Tx,
  intent: IntentRow,
  { user, actor }: MemberOf,
  replacedBy: string | null,
): Promise<IntentRow> {
  const decided = { status: 'REJECTED' as const, decidedBy: user.id, decidedAt: tx.clock.now(), replacedBy }
  await updateIntent(tx, intent.id, decided)
  const target = { type: 'assistant_intent', id: intent.id }
  const after = { status: 'REJECTED', replacedBy }
  await recordAudit(tx, intent.projectId, actor, [
    { action: 'assistant.intent.reject', target, before: { status: 'PENDING' }, after },
  ])
  return { ...intent, ...decided }
}

/** Proposes the same action again, with other arguments or the same; an open proposal is rejected by it. 400 when its route refuses them. */
export async function reviseIntent(
  ctx: Context,
  decision: Decision,
  given: Record<string, unknown>,
): Promise<IntentRow> {
  const { projectId, id, member } = decision
  if (!member.session) throw forbidden('session', 'A person must change this, signed in to the console')
  const { action, threadId } = requireReplaceable(await readIntent(ctx, projectId, id), ctx.clock.now())
  const proposable = proposableOf(ctx, action)
  const via = { kind: 'CONSOLE' as const, token: null, note: null }
  const proposal = { projectId, userId: member.user.id, threadId, via, proposable, arguments: given }
  const drafted = await draft(ctx, proposal)
  if ('refused' in drafted)
    throw new AppError('VALIDATION_ERROR', { field: 'arguments' }, { message: drafted.refused.message })
  await ctx.write(async (tx) => {
    await replace(tx, await lockReplaceable(tx, projectId, id), member, drafted.intent.id)
    await saveIntent(tx, drafted.intent)
  })
  return drafted.intent
}

/** One that waits is rejected. One that failed or expired stays what it is, and names what was made of it. */
async function replace(tx: Tx, intent: IntentRow, member: MemberOf, replacedBy: string): Promise<void> {
  if (statusAt(intent, tx.clock.now()) === 'PENDING') await reject(tx, intent, member, replacedBy)
  else await updateIntent(tx, intent.id, { replacedBy })
}
