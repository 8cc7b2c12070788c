import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Context } from '../context'
import type { Handle } from '../db/handle'
import { prepared, preparedChange, preparedRows } from '../db/prepared'
import { AppError, invalid } from '../errors'
import { DAY, SECOND } from '../lib/clock'
import { sha256Hex } from '../lib/hash'

/** The saved answer of the first request. */
export interface SavedAnswer {
  status: number
  contentType: string | null
  body: string
}

/** Ends a repetition with the saved first answer. Thrown, because only an error leaves Elysia's hooks early. */
export class Replayed extends Error {
  constructor(readonly answer: SavedAnswer) {
    super('replayed')
  }
}

/** What a POST with an `Idempotency-Key` does: it runs (and then saves or releases its claim), or it replays. */
export type Claim =
  | { kind: 'RUN'; save: (answer: SavedAnswer) => Promise<void>; release: () => Promise<void> }
  | { kind: 'REPLAY'; answer: SavedAnswer }

export const CLAIM_LIFE_MS = 30 * SECOND
export const KEPT_MS = DAY
const WAIT_MS = 4 * SECOND
export const POLL_MS = 50

const FORM = /^[\x21-\x7e]{1,255}$/

/** The header's value, or null. Anything other than 1 to 255 visible ASCII characters is 400. */
export function readIdempotencyKey(headers: Headers): string | null {
  const value = headers.get('idempotency-key')
  if (value === null) return null
  if (!FORM.test(value)) throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters')
  return value
}

export interface Scope {
  /** To whom the key belongs. */
  owner: string
  /** The owner as release 1.0 wrote it, where its answers are still used; null where they are not. */
  formerOwner?: string | null
  projectId: string
  method: string
  /** The path without the query and without the mount, so that it is the same on every mount. */
  path: string
  identity: string
  key: string
  bodyHash: string
  /** While the first request is still running, a repetition never gets 409: it runs by itself after the wait. */
  mayRunBeside: boolean
}

/** Claims the key before the handler runs (wire 1.5), or waits for the first request and gives its answer. */
export async function claimKey(ctx: Context, scope: Scope): Promise<Claim> {
  const id = idOf(scope, scope.owner)
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const held = await takeOrRead(ctx, id, scope)
    if (typeof held === 'number') return running(ctx, { id, claimedAt: held })
    // A moved project brings its answers along; they are those of its own keys alone.
    if (held.bodyHash !== scope.bodyHash || held.projectId !== scope.projectId) throw otherBody()
    if (held.answer) return { kind: 'REPLAY', answer: held.answer }
    if (waitedMs >= WAIT_MS) return twinStillRuns(scope)
    await Bun.sleep(POLL_MS)
  }
}

const idOf = ({ method, path, identity, key }: Scope, owner: string): string =>
  sha256Hex([owner, method, path, identity, key].join('\0'))

type Placeholder = ReturnType<typeof sql.placeholder>

/** A claim that this request holds. After 30 s another request may have claimed the same key. */
interface Own {
  id: string
  claimedAt: number
}

const running = (ctx: Context, own: Own): Claim => ({
  kind: 'RUN',
  save: (answer) => saveAnswer(ctx, own, answer),
  release: () => releaseClaim(ctx, own),
})

function twinStillRuns(scope: Scope): Claim {
  if (scope.mayRunBeside) return { kind: 'RUN', save: async () => {}, release: async () => {} }
  throw new AppError('CONFLICT', undefined, {
    message: 'A request with this Idempotency-Key is still running',
    retryAfter: 1,
  })
}

const otherBody = (): AppError =>
  new AppError('HTTP_ERROR', undefined, { status: 422, message: 'Idempotency-Key was already used with another body' })

interface Held {
  projectId: string
  bodyHash: string
  answer: SavedAnswer | null
}

/**
 * Reads first, so that a repetition that waits writes nothing. Then inserts; the unique key decides which of two
 * concurrent requests gets the claim. Returns the instant of the claim when this request got it.
 */
async function takeOrRead(ctx: Context, id: string, scope: Scope): Promise<number | Held> {
  const seen = await readClaim(ctx, id, scope.formerOwner == null ? id : idOf(scope, scope.formerOwner))
  if (seen) return seen
  const { projectId, bodyHash } = scope
  const claimedAt = await ctx.write(async (tx) => {
    const now = tx.clock.now()
    await deleteLapsed(tx, id, now)
    const isMine = await insertClaim(tx, { scope: id, projectId, bodyHash, claimedBy: ctx.instanceId, claimedAt: now })
    return isMine ? now : null
  })
  return claimedAt ?? { projectId, bodyHash, answer: null }
}

/** Deletes an answer that is older than a day, or a claim whose process never answered. */
async function deleteLapsed(handle: Handle, id: string, now: number): Promise<void> {
  const query = prepared(handle, 'idempotency.deleteLapsed', ({ db, tables: { idempotencyKeys: k } }) => {
    const isDead = and(isNull(k.status), lt(k.claimedAt, sql.placeholder('deadBefore')))
    const isLapsed = or(lt(k.claimedAt, sql.placeholder('oldBefore')), isDead)
    return db
      .delete(k)
      .where(and(eq(k.scope, sql.placeholder('id')), isLapsed))
      .prepare()
  })
  await query.execute({ id, oldBefore: now - KEPT_MS, deadBefore: now - CLAIM_LIFE_MS })
}

/** Inserts a claim. False when another request holds the key. */
async function insertClaim(handle: Handle, row: Handle['tables']['idempotencyKeys']['$inferInsert']): Promise<boolean> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { idempotencyKeys: k } }: Handle) =>
    db.insert(k).values(values()).onConflictDoNothing().returning({ scope: k.scope }).prepare()
  const inserted = await prepared(handle, `idempotency.insert ${shape}`, build).execute(params)
  return inserted.length === 1
}

/**
 * The row while it is valid: a claim for 30 s, an answer for 24 h. `formerId` is the id that release 1.0 gave the key,
 * without the half of the API key: for a day after an update, a repetition does not run what ran before the update.
 */
async function readClaim(ctx: Context, id: string, formerId: string): Promise<Held | null> {
  const query = prepared(ctx, 'idempotency.byScope', ({ db, tables: { idempotencyKeys: k } }) =>
    db
      .select()
      .from(k)
      .where(or(eq(k.scope, sql.placeholder('id')), eq(k.scope, sql.placeholder('formerId'))))
      .prepare(),
  )
  const rows = await query.execute({ id, formerId })
  for (const wanted of [id, formerId]) {
    const row = rows.find(({ scope }) => scope === wanted)
    const held = row ? heldBy(ctx, row) : null
    if (held) return held
  }
  return null
}

type ClaimRow = Handle['tables']['idempotencyKeys']['$inferSelect']

function heldBy(ctx: Context, row: ClaimRow): Held | null {
  const { projectId, bodyHash, status, contentType, body } = row
  const age = ctx.clock.now() - (row.finishedAt ?? row.claimedAt)
  if (status === null) return age > CLAIM_LIFE_MS ? null : { projectId, bodyHash, answer: null }
  if (age > KEPT_MS) return null
  return { projectId, bodyHash, answer: { status, contentType, body: body ?? '' } }
}

async function saveAnswer(ctx: Context, own: Own, { status, contentType, body }: SavedAnswer): Promise<void> {
  await ctx.write(async (tx) => {
    const { shape, params, set } = preparedChange({ status, contentType, body, finishedAt: tx.clock.now() })
    const held = { id: sql.placeholder('id'), claimedAt: sql.placeholder('claim') }
    const build = (handle: Handle) =>
      handle.db.update(handle.tables.idempotencyKeys).set(set()).where(isOwn(handle, held)).prepare()
    const query = prepared(tx, `idempotency.saveAnswer ${shape}`, build)
    await query.execute({ ...params, id: own.id, claim: own.claimedAt })
  })
}

async function releaseClaim(ctx: Context, own: Own): Promise<void> {
  await ctx.write(async (tx) => {
    await tx.db.delete(tx.tables.idempotencyKeys).where(isOwn(tx, own))
  })
}

function isOwn(
  { tables: { idempotencyKeys: keys } }: Handle,
  { id, claimedAt }: { id: string | Placeholder; claimedAt: number | Placeholder },
) {
  return and(eq(keys.scope, id), eq(keys.claimedAt, claimedAt), isNull(keys.status))
}

/** Deletes the claims of processes that have ended. With `isAlone`, no other process runs, so it deletes all claims. */
export async function releaseDeadClaims(ctx: Context, isAlone: boolean): Promise<void> {
  await ctx.write(async (tx) => {
    const keys = tx.tables.idempotencyKeys
    const deadBefore = isAlone ? tx.clock.now() + 1 : tx.clock.now() - CLAIM_LIFE_MS
    await tx.db.delete(keys).where(and(isNull(keys.status), lt(keys.claimedAt, deadBefore)))
  })
}

/** How long an answer is kept before it is deleted: no claim can be older by then. */
export const ANSWER_KEPT_MS = KEPT_MS + CLAIM_LIFE_MS

/** Deletes some of the answers that are older; returns how many. */
export async function deleteOldAnswers({ db, tables }: Handle, before: number, limit: number): Promise<number> {
  const { idempotencyKeys: keys } = tables
  const old = db.select({ scope: keys.scope }).from(keys).where(lt(keys.claimedAt, before)).limit(limit)
  return (await db.delete(keys).where(inArray(keys.scope, old)).returning({ scope: keys.scope })).length
}
