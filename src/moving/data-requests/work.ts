import { BlobsNotConfigured, BlobsUnavailable } from '../../base/blobs/blobs'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { MINUTE } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import { artefactKeyOf, CLAIM_MS, GIVE_UP_MS } from './model'
import { type DataRequestRow, findRequestById, updateAsRead } from './queries'

/** What became of one turn of work. `AGAIN`: there is to be another one at `at`. */
export type Outcome = { kind: 'DONE' } | { kind: 'AGAIN'; at: number }

export const DONE: Outcome = { kind: 'DONE' }

/** Why a request ends `FAILED` at once: trying again would not help. */
export class RequestFailed extends Error {}

/** The process stops, or another one works on the request. */
export class WorkStopped extends Error {}

/** Takes a request. Null when it has ended, or while another process works on it. */
export async function claimRequest(ctx: Context, id: string): Promise<DataRequestRow | null> {
  const row = await findRequestById(ctx, id)
  const now = ctx.clock.now()
  if (!row || !isFree(row, now)) return null
  // The key is saved before the file is written, so that an unfinished file is found and deleted.
  const artefactKey = row.type === 'EXPORT' ? artefactKeyOf(id) : null
  const change = { status: 'RUNNING', claimedAt: now, updatedAt: now, artefactKey } as const
  return (await ctx.write((tx) => updateAsRead(tx, row, change))) ? { ...row, ...change } : null
}

const isFree = ({ status, claimedAt }: DataRequestRow, now: number): boolean =>
  status === 'PENDING' || (status === 'RUNNING' && now - (claimedAt ?? 0) >= CLAIM_MS)

/** When a request that could not be taken may be free. */
export async function whenFree(ctx: Context, id: string): Promise<Outcome> {
  const row = await findRequestById(ctx, id)
  if (row?.status === 'PENDING') return { kind: 'AGAIN', at: ctx.clock.now() }
  return row?.status === 'RUNNING' ? { kind: 'AGAIN', at: (row.claimedAt ?? 0) + CLAIM_MS } : DONE
}

/** Writes the end of a request, which is as it was claimed or renewed last. */
export type Finish = (request: DataRequestRow) => Promise<void>

/** A request that this process works on. Its claim is renewed as long as the work continues. */
export class Work {
  private renewing: Promise<void> = Promise.resolve()

  constructor(
    private readonly ctx: Context,
    private row: DataRequestRow,
    private readonly isStopping: () => boolean,
  ) {}

  get request(): DataRequestRow {
    return this.row
  }

  /** Called now and then. Throws when the process stops. */
  assertGoingOn(): void {
    if (this.isStopping()) throw new WorkStopped('the process is stopping')
  }

  /** Runs the work, and records every minute that it is under way. What the work returns then writes the end. */
  async run(perform: () => Promise<Finish>): Promise<void> {
    const timer = setInterval(() => {
      this.renewing = this.renew().catch(() => {}) // What writes the end notices a lost claim.
    }, MINUTE)
    let finish: Finish
    try {
      finish = await perform()
    } finally {
      clearInterval(timer)
      await this.renewing
    }
    await finish(this.row)
  }

  private async renew(): Promise<void> {
    const change = { claimedAt: this.ctx.clock.now(), updatedAt: this.ctx.clock.now() }
    if (await this.ctx.write((tx) => updateAsRead(tx, this.row, change))) this.row = { ...this.row, ...change }
  }

  /** After an error: the request ends, or waits for another try, for which the error is thrown again. */
  async end(error: unknown): Promise<Outcome> {
    const now = this.ctx.clock.now()
    const waiting = { status: 'PENDING', claimedAt: null, updatedAt: now } as const
    if (error instanceof WorkStopped) {
      await this.ctx.write((tx) => updateAsRead(tx, this.row, waiting))
      return { kind: 'AGAIN', at: now }
    }
    const isFinal =
      error instanceof RequestFailed || error instanceof BlobsNotConfigured || now - this.row.createdAt >= GIVE_UP_MS
    const ended = isFinal ? ({ status: 'FAILED', completedAt: now } as const) : {}
    await this.ctx.write((tx) => updateAsRead(tx, this.row, { ...waiting, ...ended, error: sentenceOf(error) }))
    if (error instanceof RequestFailed || error instanceof BlobsNotConfigured) return DONE
    throw error
  }
}

/** For the operator, and perhaps for the person, so without any detail of the server. */
function sentenceOf(error: unknown): string {
  if (error instanceof RequestFailed) return error.message
  if (error instanceof BlobsNotConfigured) return reasonText('REQUEST_NO_PLACE')
  if (error instanceof BlobsUnavailable) return reasonText('REQUEST_PLACE_AWAY')
  if (error instanceof AppError) return reasonText('REQUEST_REFUSED', { words: error.message })
  return reasonText('REQUEST_FAULT')
}
