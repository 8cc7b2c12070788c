import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import type { Store } from '../../stores/observation'
import { findByNotification, insertStoreEvent, type StoreEventRow, updateAsRead, updateLeased } from './queries'

/** A notification that a store sent, as the inbox keeps it; its sender has been checked. */
export interface Arrival {
  projectId: string
  store: Store
  /** The store's own id of it. */
  notificationId: string
  /** For people: the type, with its subtype. */
  type: string
  eventAt: number | null
  /** The body as it came. */
  body: string
}

/** What became of a notification; `error` says in a sentence why nothing, or not all of it, was done. */
export interface Outcome {
  status: 'PROCESSED' | 'IGNORED' | 'FAILED'
  error: string | null
}

/** Applies a notification in the transaction that also marks it as done. */
export type Apply = (tx: Tx, storeEventId: string) => Promise<Outcome>

/** `outcome` is null for a duplicate, which was done before. */
export type TakenIn = { duplicate: true; outcome: null } | { duplicate: false; outcome: Outcome }

/** How long a notification belongs to whoever processes it; after that it counts as failed (wire 4.3). */
export const LEASE_MS = 60 * SECOND

const MAX_ERROR_CHARS = 500

/**
 * Takes a notification in: stored raw in a write of its own, then applied once. `prepare` runs between the two, outside
 * of any transaction, and may ask the store. One that was done before is a duplicate; one that failed, or whose
 * processing died, is processed again; one that another holds is 409 `WEBHOOK_IN_PROGRESS`.
 */
export async function takeIn(ctx: Context, arrival: Arrival, prepare: () => Promise<Apply>): Promise<TakenIn> {
  const claim = await ctx.write((tx) => claimArrival(tx, arrival))
  if (claim === 'DONE') return { duplicate: true, outcome: null }
  if (claim === 'BUSY') throw new AppError('WEBHOOK_IN_PROGRESS')
  const outcome = await process(ctx, claim, prepare)
  if (outcome.status !== 'FAILED') measureLag(ctx, arrival)
  return { duplicate: false, outcome }
}

function measureLag({ metrics, clock }: Context, { store, eventAt }: Arrival): void {
  if (eventAt !== null) metrics.storeEventLag.observe({ store }, Math.max(0, clock.now() - eventAt) / SECOND)
}

/** Processes a stored notification once more, whatever became of it before; applying it again changes nothing. */
export async function processAgain(
  ctx: Context,
  row: StoreEventRow,
  prepare: () => Promise<Apply>,
): Promise<StoreEventRow['status']> {
  const lease = await ctx.write(async (tx) => (isHeld(row, tx.clock.now()) ? null : lend(tx, row, row)))
  if (!lease) throw new AppError('WEBHOOK_IN_PROGRESS')
  return (await process(ctx, lease, prepare)).status
}

/** Keeps a notification that a store really sent but that is refused here, so that it can be seen and processed later. */
export async function keepRefused(ctx: Context, arrival: Arrival, reason: string): Promise<void> {
  await ctx.write(async (tx) => {
    const change = { status: 'FAILED' as const, error: reason.slice(0, MAX_ERROR_CHARS), processedAt: tx.clock.now() }
    if (await insertStoreEvent(tx, { ...newRow(tx, arrival), ...change, leasedBy: null, leasedUntil: null })) return
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

async function claimArrival(tx: Tx, arrival: Arrival): Promise<Lease | 'DONE' | 'BUSY'> {
  const fresh = newRow(tx, arrival)
  if (await insertStoreEvent(tx, fresh)) return { id: fresh.id, leasedBy: fresh.leasedBy }
  const row = await findArrival(tx, arrival)
  if (row.status === 'PROCESSED' || row.status === 'IGNORED') return 'DONE'
  return isHeld(row, tx.clock.now()) ? 'BUSY' : ((await lend(tx, row, arrival)) ?? 'BUSY')
}

function newRow(tx: Tx, arrival: Arrival): StoreEventRow & Lease {
  const now = tx.clock.now()
  const lease = { leasedBy: tx.ids.uuid(), leasedUntil: now + LEASE_MS }
  const ends = { error: null, receivedAt: now, processedAt: null }
  return { id: tx.ids.next('sev'), ...arrival, status: 'PROCESSING', ...lease, attempts: 1, ...ends }
}

async function findArrival(tx: Tx, { projectId, store, notificationId }: Arrival): Promise<StoreEventRow> {
  const row = await findByNotification(tx, projectId, store, notificationId)
  if (!row) throw new Error('a store event vanished while it was being claimed')
  return row
}

const isHeld = ({ status, leasedUntil }: StoreEventRow, now: number): boolean =>
  status === 'PROCESSING' && (leasedUntil ?? 0) > now

/** A new lease on a row as it was read; null when another was faster. */
async function lend(tx: Tx, row: StoreEventRow, { body, type }: Pick<Arrival, 'body' | 'type'>): Promise<Lease | null> {
  const leasedBy = tx.ids.uuid()
  const lease = { leasedBy, leasedUntil: tx.clock.now() + LEASE_MS, attempts: row.attempts + 1 }
  const isMine = await updateAsRead(tx, row, { ...lease, status: 'PROCESSING', error: null, body, type })
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

/** In the transaction of the effects, so that neither is there without the other. */
async function settle(tx: Tx, { id, leasedBy }: Lease, outcome: Outcome): Promise<Outcome> {
  const change = { ...outcome, ...freed(tx.clock.now()) }
  if (!(await updateLeased(tx, id, leasedBy, change))) throw new AppError('WEBHOOK_IN_PROGRESS')
  return outcome
}

const freed = (processedAt: number) => ({ leasedBy: null, leasedUntil: null, processedAt })

/** Does not throw: the first error is the one that counts, and without this note the lease lapses by itself. */
async function noteFailure(ctx: Context, { id, leasedBy }: Lease, error: unknown): Promise<void> {
  const text = describeError(error).slice(0, MAX_ERROR_CHARS)
  try {
    await ctx.write((tx) => updateLeased(tx, id, leasedBy, { status: 'FAILED', error: text, ...freed(tx.clock.now()) }))
  } catch (second) {
    ctx.log.warn('the failure of a store event could not be noted', { storeEvent: id, error: describeError(second) })
  }
}
