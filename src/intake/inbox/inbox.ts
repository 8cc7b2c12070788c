import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { DAY, SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { reasonText } from '../../core/reason/reasons'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { ERASED, type Recording } from '../recording/recording'
import { announce, type StorePost } from './on-notification'
import {
  countKept,
  findByNotification,
  insertStoreEvent,
  type StoreEventRow,
  updateAsRead,
  updateLeased,
  updatePosted,
} from './queries'

/** A notification of a store, as the inbox keeps it. Its sender has been verified. */
export interface Arrival {
  projectId: string
  store: Store
  /** The store's own id of the notification. */
  notificationId: string
  /** The type with its subtype, for people to read. */
  type: string
  /** Null when the notification does not say it. */
  environment: PurchaseEnvironment | null
  eventAt: number | null
  /** The body as received. */
  body: string
}

/** The result of processing a notification; `error` is a sentence that says why it had no effect, or not all of it. */
export interface Outcome {
  status: 'PROCESSED' | 'IGNORED' | 'FAILED'
  error: string | null
  /** Set when only the purchase that the store was asked for says it. */
  environment?: PurchaseEnvironment
}

/** Applies a notification in the transaction that also marks it as done. */
export type Apply = (tx: Tx, storeEventId: string) => Promise<Outcome>

/** `outcome` is null for a duplicate, which was processed before. */
export type TakenIn = { duplicate: true; outcome: null } | { duplicate: false; outcome: Outcome }

/** How long a lease on a notification holds. After that the notification counts as failed (wire 4.3). */
export const LEASE_MS = 60 * SECOND

const MAX_ERROR_CHARS = 500

/**
 * Stores a notification raw in a transaction of its own, then applies it once. `prepare` runs between the two, outside
 * of any transaction, and may query the store. A notification that was processed before is a duplicate. One that
 * failed, or whose process died, is processed again. One that another call is processing is 409 `WEBHOOK_IN_PROGRESS`.
 * `post` is the request of the store that brought it; null = it came in another way.
 */
export async function takeIn(
  ctx: Context,
  arrival: Arrival,
  prepare: () => Promise<Apply>,
  post: StorePost | null = null,
): Promise<TakenIn> {
  const claim = await ctx.write((tx) => claimArrival(tx, arrival, post))
  return taken(ctx, arrival, typeof claim === 'string' ? claim : await process(ctx, claim, prepare))
}

/**
 * Like `takeIn`, of a notification that is applied without the store. Where there is one writer, a new one is stored
 * and applied in the same transaction, so with one sync to the disk. If that fails, it is stored raw and applied as by
 * `takeIn`.
 */
export async function takeInAtOnce(
  ctx: Context,
  arrival: Arrival,
  apply: Apply,
  post: StorePost | null = null,
): Promise<TakenIn> {
  const done = ctx.storage.driver === 'postgres' ? null : await tryAtOnce(ctx, arrival, apply, post)
  if (done === null) return takeIn(ctx, arrival, async () => apply, post)
  const isLease = typeof done !== 'string' && 'leasedBy' in done
  return taken(ctx, arrival, isLease ? await process(ctx, done, async () => apply) : done)
}

/** Null = it could not be applied, and nothing of it is stored. A lease is of one that had arrived before. */
async function tryAtOnce(
  ctx: Context,
  arrival: Arrival,
  apply: Apply,
  post: StorePost | null,
): Promise<Outcome | Lease | Held | null> {
  try {
    return await ctx.write(async (tx) => {
      const row = { ...newRow(tx, arrival), ...DONE_AT_ONCE, processedAt: tx.clock.now() }
      if (!(await insertPosted(tx, row, post))) return claimHeld(tx, arrival, post)
      const outcome = await apply(tx, row.id)
      // Nearly every one is processed as a whole, and then its row is written only once.
      const isAsStored = outcome.status === DONE_AT_ONCE.status && outcome.error === null
      if (!isAsStored) await updateAsRead(tx, row, endOf(tx, outcome))
      return outcome
    })
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE') throw error
    return null
  }
}

function taken(ctx: Context, arrival: Arrival, outcome: Outcome | Held): TakenIn {
  if (outcome === 'DONE') return { duplicate: true, outcome: null }
  if (outcome === 'BUSY') throw new AppError('WEBHOOK_IN_PROGRESS')
  if (outcome.status !== 'FAILED') measureLag(ctx, arrival)
  return { duplicate: false, outcome }
}

function measureLag({ metrics, clock }: Context, { store, eventAt }: Arrival): void {
  if (eventAt !== null) metrics.storeEventLag.observe({ store }, Math.max(0, clock.now() - eventAt) / SECOND)
}

/**
 * Processes a stored notification again, whatever its status. What it has recorded before is not recorded twice. `note`
 * runs in the transaction in which the processing starts, so not at all when another call is processing.
 */
export async function processAgain(
  ctx: Context,
  row: StoreEventRow,
  prepare: () => Promise<Apply>,
  note?: (tx: Tx) => Promise<void>,
): Promise<StoreEventRow['status']> {
  const lease = await ctx.write(async (tx) => {
    const lent = isHeld(row, tx.clock.now()) ? null : await lend(tx, row, row)
    if (lent) await note?.(tx)
    return lent
  })
  if (!lease) throw new AppError('WEBHOOK_IN_PROGRESS')
  return (await process(ctx, lease, prepare)).status
}

/** Refused notifications that are kept of a project in a day, UTC (wire 6). */
export const REFUSED_PER_DAY = 1000

/**
 * Stores a genuine notification that is refused here, so that people can see it and replay it later. Anybody with an
 * app at the store can send such notifications, so only so many of a day are kept.
 */
export async function keepRefused(ctx: Context, arrival: Arrival, reason: string): Promise<void> {
  await ctx.write(async (tx) => {
    const now = tx.clock.now()
    const change = { status: 'FAILED' as const, error: reason.slice(0, MAX_ERROR_CHARS), processedAt: now }
    const { projectId, store, notificationId } = arrival
    if (!(await findByNotification(tx, projectId, store, notificationId))) {
      if (!(await countKept(tx, { projectId, day: Math.floor(now / DAY), limit: REFUSED_PER_DAY }))) return
      if (await insertStoreEvent(tx, { ...newRow(tx, arrival), ...change, leasedBy: null, leasedUntil: null })) return
    }
    const row = await findArrival(tx, arrival)
    const isOpen = row.status === 'FAILED' || row.status === 'RECEIVED'
    if (isOpen) await updateAsRead(tx, row, { ...change, attempts: row.attempts + 1 })
  })
}

/** The right to process one notification. */
interface Lease {
  id: string
  leasedBy: string
}

/** Why there is no lease: it was processed before, or another call is processing it. */
type Held = 'DONE' | 'BUSY'

async function claimArrival(tx: Tx, arrival: Arrival, post: StorePost | null): Promise<Lease | Held> {
  const fresh = newRow(tx, arrival)
  return (await insertPosted(tx, fresh, post)) ? fresh : claimHeld(tx, arrival, post)
}

/** Stores a notification that has not arrived before; false when it has. */
async function insertPosted(tx: Tx, row: StoreEventRow, post: StorePost | null): Promise<boolean> {
  if (!(await insertStoreEvent(tx, { ...row, postedAt: post && row.receivedAt }))) return false
  if (post) await announce(tx, row, post)
  return true
}

async function claimHeld(tx: Tx, arrival: Arrival, post: StorePost | null): Promise<Lease | Held> {
  const now = tx.clock.now()
  const row = await findArrival(tx, arrival)
  // It was refused at first, or read from the store's history, or came forwarded.
  if (post && row.postedAt === null && (await updatePosted(tx, row.id, now))) await announce(tx, row, post)
  if (row.status === 'PROCESSED' || row.status === 'IGNORED') return 'DONE'
  return isHeld(row, now) ? 'BUSY' : ((await lend(tx, row, arrival)) ?? 'BUSY')
}

function newRow(tx: Tx, arrival: Arrival): StoreEventRow & Lease {
  const now = tx.clock.now()
  const lease = { leasedBy: tx.ids.uuid(), leasedUntil: now + LEASE_MS }
  const ends = { error: null, receivedAt: now, postedAt: null, processedAt: null }
  return { id: tx.ids.next('sev'), ...arrival, status: 'PROCESSING', ...lease, attempts: 1, ...ends }
}

async function findArrival(tx: Tx, { projectId, store, notificationId }: Arrival): Promise<StoreEventRow> {
  const row = await findByNotification(tx, projectId, store, notificationId)
  if (!row) throw new Error('a store event vanished while it was being claimed')
  return row
}

const isHeld = ({ status, leasedUntil }: StoreEventRow, now: number): boolean =>
  status === 'PROCESSING' && (leasedUntil ?? 0) > now

type Told = Pick<Arrival, 'body' | 'type' | 'environment'>

/** Takes a new lease on a row as it was read; null when another call has changed the row since. */
async function lend(tx: Tx, row: StoreEventRow, arrival: Told): Promise<Lease | null> {
  const { body, type } = arrival
  const leasedBy = tx.ids.uuid()
  const lease = { leasedBy, leasedUntil: tx.clock.now() + LEASE_MS, attempts: row.attempts + 1 }
  const environment = arrival.environment ?? row.environment
  const isMine = await updateAsRead(tx, row, { ...lease, status: 'PROCESSING', error: null, body, type, environment })
  return isMine ? { id: row.id, leasedBy } : null
}

async function process(ctx: Context, lease: Lease, prepare: () => Promise<Apply>): Promise<Outcome> {
  try {
    const apply = await prepare()
    return await ctx.write(async (tx) => settle(tx, lease, await apply(tx, lease.id)))
  } catch (error) {
    await noteFailure(ctx, lease, error)
    throw error
  }
}

/** Saves the outcome. Runs in the transaction of the effects, so that both are committed or neither. */
async function settle(tx: Tx, { id, leasedBy }: Lease, outcome: Outcome): Promise<Outcome> {
  if (!(await updateLeased(tx, id, leasedBy, endOf(tx, outcome)))) throw new AppError('WEBHOOK_IN_PROGRESS')
  return outcome
}

function endOf(tx: Tx, outcome: Outcome) {
  // Notifications about an erased person are not kept again.
  const body = outcome.error === ERASED ? { body: '' } : {}
  return { ...outcome, ...body, ...freed(tx.clock.now()) }
}

const DONE_AT_ONCE = { status: 'PROCESSED', error: null, leasedBy: null, leasedUntil: null } as const

const freed = (processedAt: number) => ({ leasedBy: null, leasedUntil: null, processedAt })

/** Marks the notification as failed. Never throws: the first error matters, and the lease expires by itself. */
async function noteFailure(ctx: Context, { id, leasedBy }: Lease, error: unknown): Promise<void> {
  const text = describeError(error).slice(0, MAX_ERROR_CHARS)
  try {
    await ctx.write((tx) => updateLeased(tx, id, leasedBy, { status: 'FAILED', error: text, ...freed(tx.clock.now()) }))
  } catch (second) {
    ctx.log.warn('the failure of a store event could not be noted', { storeEvent: id, error: describeError(second) })
  }
}

export const ignored = (error: string): Outcome => ({ status: 'IGNORED', error })

export const PROCESSED: Outcome = { status: 'PROCESSED', error: null }

/** The outcome of a notification by what was recorded. `idName`: the catalogue's name for the store's product ids. */
export function outcomeOf(recording: Recording, idName: string): Outcome {
  if (recording.kind === 'recorded') return PROCESSED
  return recording.kind === 'idle' ? ignored(recording.reason) : unsold(recording.storeProductId, idName)
}

/** Has the status FAILED, so that the notification can be processed again once the catalogue has the product. */
export const unsold = (storeProductId: string, idName: string): Outcome => ({
  status: 'FAILED',
  error: reasonText('PRODUCT_MISSING', { idName, storeProductId }),
})
