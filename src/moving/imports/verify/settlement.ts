import type { Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { findSubscriber, resolveRow, type SubscriberRow } from '../../../people/subscribers/service'
import { findJob } from '../queries'
import type { Counts } from './counts'
import { type AskedStore, RunEnds } from './meter'
import type { AnchorRow, RecordAnswer, Run } from './model'
import { rememberPurchases, settleAnchors } from './queries'

export interface Ended {
  state: 'VERIFIED' | 'UNRECOGNISED' | 'UNVERIFIABLE'
  error: string | null
  attempts?: number
}

type Change = Parameters<typeof settleAnchors>[2]

/** Writes what came of the anchors of one store, and counts it. */
export class Settlement {
  constructor(
    private readonly run: Run,
    private readonly store: AskedStore,
    private readonly counts: Counts,
  ) {}

  /** The news and the end of the anchor in one transaction: after a crash the anchor is asked about once more. */
  async record(anchor: AnchorRow, record: RecordAnswer): Promise<void> {
    const { ctx, job, project } = this.run
    const state = await ctx.write(async (tx) => {
      await this.#assertVerifying(tx)
      const person = await findLive(tx, project.id, anchor.subscriberId)
      const made = person ? await record(tx, person) : { purchase: null, touched: [], note: ERASED }
      const ended = made.purchase ? 'VERIFIED' : 'UNRECOGNISED'
      await rememberPurchases(tx, job.id, made.touched)
      const purchaseId = made.purchase?.id ?? anchor.purchaseId
      const isMine = await settleAnchors(tx, [anchor.position], { state: ended, error: made.note, purchaseId })
      return isMine === 1 ? ended : null
    })
    this.#count(state, 1)
  }

  async finish(anchors: readonly AnchorRow[], change: Ended): Promise<void> {
    this.#count(change.state, await this.#change(anchors, change))
  }

  /** The anchor stays pending. */
  async postpone(anchor: AnchorRow, change: Pick<AnchorRow, 'attempts' | 'error'>): Promise<void> {
    await this.#change([anchor], change)
  }

  async #change(anchors: readonly AnchorRow[], change: Change): Promise<number> {
    if (anchors.length === 0) return 0
    const positions = anchors.map(({ position }) => position)
    return this.run.ctx.write(async (tx) => {
      await this.#assertVerifying(tx)
      return settleAnchors(tx, positions, change)
    })
  }

  /** The job may have been cancelled or undone since the run started. */
  async #assertVerifying(tx: Tx): Promise<void> {
    const { projectId, id } = this.run.job
    if ((await findJob(tx, projectId, id))?.status !== 'VERIFYING') throw new RunEnds('CANCELLED')
  }

  #count(state: Ended['state'] | null, anchors: number): void {
    if (state === null || anchors === 0) return
    this.counts.add(state, anchors)
    this.run.ctx.metrics.importVerifications.inc({ store: this.store, outcome: state.toLowerCase() }, anchors)
  }
}

export const ERASED = 'the person was erased'

/** The person of an anchor, the survivor after a merge; null when they were erased. */
export async function findLive(handle: Handle, projectId: string, id: string): Promise<SubscriberRow | null> {
  const row = await findSubscriber(handle, projectId, id)
  const live = row && (await resolveRow(handle, row))
  return live?.erasedAt === null ? live : null
}
