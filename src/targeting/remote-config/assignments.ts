import type { Tx } from '../../base/context'
import { isRetryable } from '../../base/db/errors'
import type { Write } from '../../base/db/write'
import { AppError } from '../../base/errors'
import { describeError, type Log } from '../../base/lib/log'
import { findSubscriber, lockLive } from '../../people/subscribers/service'
import type { Draw } from '../experiments/assign'
import { saveAssignments } from '../experiments/holdings'
import type { EvaluationTarget } from './evaluation-target'

/** A draw that a call has answered and that is not written yet. */
export interface WaitingDraw extends Draw {
  projectId: string
  subscriberId: string
  /** The device key of that row. Where the row is merged meanwhile, the draw is found by it. */
  deviceKey: string
  assignedAt: number
}

const MAX_WAITING = 50_000
const BATCH = 100

/**
 * Assignments drawn by reads and not yet in the database (wire 5.4). Later calls of this process see them at once; they
 * are written in groups. Above the limit a draw is not kept: the next call draws the same variant.
 */
export class WaitingAssignments {
  /** In the order of the draws. */
  private readonly queue = new Set<WaitingDraw>()
  /** The newest draw by person, then by experiment. */
  private readonly newest = new Map<string, Map<string, WaitingDraw>>()

  private refused = 0

  constructor(
    private readonly write: Write<Tx>,
    private readonly log: Log,
    private readonly maxWaiting = MAX_WAITING,
    /** Called with the subscriber of each draw that is kept. */
    private readonly onDrawn: (subscriberId: string) => void = () => {},
  ) {}

  add(drawn: WaitingDraw): void {
    if (this.queue.size >= this.maxWaiting) {
      this.refused++
      return
    }
    const person = personOf(drawn.projectId, drawn.deviceKey)
    const draws = this.newest.get(person) ?? new Map<string, WaitingDraw>()
    this.queue.add(drawn)
    this.newest.set(person, draws.set(drawn.experimentId, drawn))
    this.onDrawn(drawn.subscriberId)
  }

  /** The waiting draws of a subscriber, by experiment id. */
  of({ subscriber, deviceKey }: EvaluationTarget): Map<string, WaitingDraw> {
    const { id, projectId } = subscriber
    const own = this.drawsOf(projectId, subscriber.deviceKey).filter(([, drawn]) => drawn.subscriberId === id)
    // Another key is that of a row that was merged into this one, possibly after the draw.
    const merged = deviceKey === subscriber.deviceKey ? [] : this.drawsOf(projectId, deviceKey)
    return new Map([...merged, ...own])
  }

  /** Writes the waiting draws. On a fault of the database, which is thrown, the rest stays for the next call. */
  async flush(): Promise<void> {
    this.logRefused()
    const waiting = [...this.queue]
    for (let start = 0; start < waiting.length; start += BATCH) {
      const batch = waiting.slice(start, start + BATCH)
      await this.writeBatch(batch)
      for (const drawn of batch) this.remove(drawn)
    }
  }

  /**
   * Writes the waiting draws for the last time. What cannot be written is drawn again by the next call, mostly with the
   * same result.
   */
  async close(): Promise<void> {
    await this.flush().catch((error) =>
      this.log.warn('assignments were not written', { count: this.queue.size, error: describeError(error) }),
    )
  }

  private logRefused(): void {
    if (this.refused > 0) this.log.warn('too many assignments wait; newer ones are not kept', { count: this.refused })
    this.refused = 0
  }

  private drawsOf(projectId: string, deviceKey: string): [experimentId: string, drawn: WaitingDraw][] {
    return [...(this.newest.get(personOf(projectId, deviceKey)) ?? [])]
  }

  private async writeBatch(batch: readonly WaitingDraw[]): Promise<void> {
    try {
      await this.write((tx) => saveDraws(tx, batch))
    } catch (error) {
      if (isPassing(error)) throw error
      // The next attempt would fail as well, and the batches after this one must not wait for ever.
      this.log.error('assignments were given up', { count: batch.length, error: describeError(error) })
    }
  }

  private remove(drawn: WaitingDraw): void {
    this.queue.delete(drawn)
    const person = personOf(drawn.projectId, drawn.deviceKey)
    const draws = this.newest.get(person)
    if (draws?.get(drawn.experimentId) === drawn) draws.delete(drawn.experimentId)
    if (draws?.size === 0) this.newest.delete(person)
  }
}

const personOf = (projectId: string, deviceKey: string): string => `${projectId} ${deviceKey}`

const isPassing = (error: unknown): boolean =>
  isRetryable(error) || (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE')

/** Each draw is written to the live row of its subscriber. A draw whose subscriber has no live row is dropped. */
async function saveDraws(tx: Tx, batch: readonly WaitingDraw[]): Promise<void> {
  const projectOf = new Map(batch.map(({ subscriberId, projectId }) => [subscriberId, projectId]))
  const owners = new Map<string, Owner>()
  // In the order in which every writer of several subscribers locks them.
  for (const [subscriberId, projectId] of [...projectOf].sort()) {
    const owner = await lockOwner(tx, projectId, subscriberId)
    if (owner) owners.set(subscriberId, owner)
  }
  const claims = batch.flatMap(({ deviceKey: _deviceKey, ...drawn }) => {
    const owner = owners.get(drawn.subscriberId)
    return owner ? [{ owner, drawn: { ...drawn, subscriberId: owner.id } }] : []
  })
  await saveAssignments(
    tx,
    claims.sort(byClaim).map(({ drawn }) => drawn),
  )
}

interface Owner {
  /** The id of the live row. */
  id: string
  /** When the row of the draw was merged into the live row; null when it is the live row. */
  mergedAt: number | null
}

interface Claim {
  owner: Owner
  drawn: { assignedAt: number }
}

/**
 * The order in which the draws would have been written at once: what a merge brings comes after what the survivor held
 * at that time.
 */
const byClaim = (a: Claim, b: Claim): number =>
  claimedAt(a) - claimedAt(b) || Number(a.owner.mergedAt !== null) - Number(b.owner.mergedAt !== null)

const claimedAt = ({ owner, drawn }: Claim): number => Math.max(drawn.assignedAt, owner.mergedAt ?? 0)

async function lockOwner(tx: Tx, projectId: string, subscriberId: string): Promise<Owner | null> {
  const row = await findSubscriber(tx, projectId, subscriberId)
  try {
    const live = row && (await lockLive(tx, row))
    if (live?.erasedAt !== null) return null
    return { id: live.id, mergedAt: live.id === row?.id ? null : (row?.updatedAt ?? null) }
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'SUBSCRIBER_UNRESOLVABLE') return null
    throw error
  }
}
