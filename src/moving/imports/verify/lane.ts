import { toAppError } from '../../../base/db/errors'
import { AppError } from '../../../base/errors'
import { MINUTE, SECOND } from '../../../base/lib/clock'
import { describeError } from '../../../base/lib/log'
import { reasonText } from '../../../core/reason/reasons'
import type { Counts } from './counts'
import { type AskedStore, type EndReason, RunEnds } from './meter'
import type { AnchorRow, Answer, Run } from './model'
import { listPending } from './queries'
import { ASK, hasKey, NO_KEY, needsNoKey } from './questions'
import { ERASED, findLive, Settlement } from './settlement'

const PAGE = 1000
/** Anchors between two times that the counters are saved: a few seconds. */
const SAVED_EVERY = 25
/** How often a run asks about one anchor while the store does not answer. */
const TRIES = 3
/** Fewer than open the circuit, which the receipts of the app need. */
const AWAY_IN_ROW = 4
const UNREADABLE_IN_ROW = 20
/** An answer that was never readable in as many runs is not waited for any longer. */
const MAX_UNREADABLE = 5
const BACKOFF_MS: readonly number[] = [2 * SECOND, 10 * SECOND, 30 * SECOND]
const LIMIT_MS = MINUTE

type Usable = Exclude<Answer, { kind: 'AWAY' | 'UNREADABLE' | 'REFUSED' }>

/** Why the anchors of a store were not all asked about. `why` is the store's, for the operator. */
export interface LaneEnd {
  store: AskedStore
  reason: EndReason | 'REFUSED' | 'UNREADABLE'
  why: string | null
}

/** The anchors of one store, asked about one after the other. A store that waits does not stop the others. */
export class Lane {
  #away = 0
  #unreadable = 0
  readonly #settlement: Settlement

  constructor(
    private readonly run: Run,
    private readonly store: AskedStore,
    private readonly counts: Counts,
  ) {
    this.#settlement = new Settlement(run, store, counts)
  }

  /** Null when every anchor was asked about; some may still be pending, because no answer could be used. */
  async go(): Promise<LaneEnd | null> {
    try {
      return await this.#pages()
    } catch (error) {
      if (error instanceof RunEnds) return this.#end(error.reason, null)
      throw error
    }
  }

  async #pages(): Promise<LaneEnd | null> {
    const { ctx, job } = this.run
    for (let after = 0; ; ) {
      const anchors = await listPending(ctx, job.id, this.store, after, PAGE)
      const last = anchors.at(-1)
      if (!last) return null
      after = last.position
      this.run.project = (await ctx.state.projects.find(job.projectId)) ?? this.run.project
      for (const [index, anchor] of (await this.#askable(anchors)).entries()) {
        const end = await this.#settle(anchor)
        if (end) return end
        if (index % SAVED_EVERY === SAVED_EVERY - 1) await this.counts.save()
      }
      await this.counts.save()
    }
  }

  /** Ends all at once for which no call can be made, since there may be millions of them. */
  async #askable(anchors: readonly AnchorRow[]): Promise<readonly AnchorRow[]> {
    const { ctx, project } = this.run
    if (await hasKey(ctx, project, this.store)) return anchors
    const hopeless = anchors.filter(({ proof }) => !needsNoKey(proof))
    await this.#settlement.finish(hopeless, { state: 'UNVERIFIABLE', error: NO_KEY[this.store] })
    return anchors.filter(({ proof }) => needsNoKey(proof))
  }

  async #settle(anchor: AnchorRow): Promise<LaneEnd | null> {
    for (let tries = 1; ; tries++) {
      this.run.meter.check()
      const answer = await this.#ask(anchor).catch((error: unknown) => this.#unusable(error))
      if (answer.kind === 'REFUSED') return this.#end('REFUSED', answer.why)
      if (answer.kind !== 'AWAY' && answer.kind !== 'UNREADABLE') return this.#keep(anchor, answer)
      const end = await this.#later(anchor, answer, tries)
      if (end !== 'AGAIN') return end
    }
  }

  /** The answer of the store; ends at once when the run is stopped. */
  async #ask(anchor: AnchorRow): Promise<Answer> {
    const { ctx, project, meter } = this.run
    const person = await findLive(ctx, project.id, anchor.subscriberId)
    if (!person) return { kind: 'UNVERIFIABLE', why: ERASED }
    meter.check()
    const stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(new RunEnds('STOPPED'))
    meter.signal.addEventListener('abort', stop, { once: true })
    try {
      const asking = ASK[this.store](this.run, anchor)
      asking.catch(() => undefined) // After a stop no caller waits for it.
      return await Promise.race([asking, stopped.promise])
    } finally {
      meter.signal.removeEventListener('abort', stop)
    }
  }

  async #later(
    anchor: AnchorRow,
    answer: Extract<Answer, { kind: 'AWAY' | 'UNREADABLE' }>,
    tries: number,
  ): Promise<LaneEnd | 'AGAIN' | null> {
    if (answer.kind === 'UNREADABLE') return this.#unread(anchor, answer.why)
    this.#away += 1
    const isCounted = !answer.isLimit
    anchor.attempts += isCounted ? 1 : 0
    await this.#settlement.postpone(anchor, { attempts: anchor.attempts, error: answer.why })
    if (this.#away >= AWAY_IN_ROW) return this.#end('AWAY', answer.why)
    const usual = answer.isLimit ? LIMIT_MS : (BACKOFF_MS[Math.min(tries, BACKOFF_MS.length) - 1] ?? LIMIT_MS)
    await this.run.meter.pause(Math.max(usual, answer.retryAfterMs ?? 0))
    return isCounted && tries >= TRIES ? null : 'AGAIN'
  }

  async #unread(anchor: AnchorRow, why: string): Promise<LaneEnd | null> {
    this.#away = 0
    this.#unreadable += 1
    const attempts = anchor.attempts + 1
    if (attempts >= MAX_UNREADABLE)
      await this.#settlement.finish([anchor], { state: 'UNVERIFIABLE', error: why, attempts })
    else await this.#settlement.postpone(anchor, { attempts, error: why })
    return this.#unreadable >= UNREADABLE_IN_ROW ? this.#end('UNREADABLE', why) : null
  }

  async #keep(anchor: AnchorRow, answer: Usable): Promise<LaneEnd | null> {
    const kept =
      answer.kind === 'FOUND'
        ? this.#settlement.record(anchor, answer.record)
        : this.#settlement.finish([anchor], { state: answer.kind, error: answer.why })
    const fault = await kept.catch((error: unknown) => this.#unusable(error))
    if (fault) return this.#unread(anchor, fault.why)
    this.#away = 0
    this.#unreadable = 0
    return null
  }

  /** One row must not end the run, unless nothing could be recorded any more. */
  #unusable(error: unknown): Extract<Answer, { kind: 'UNREADABLE' }> {
    const known = toAppError(error)
    if (error instanceof RunEnds || (known instanceof AppError && known.refusal === 'DATABASE_UNAVAILABLE')) throw error
    const { ctx, job } = this.run
    ctx.log.error('an answer of a store could not be used', { job: job.id, error: describeError(error) })
    return { kind: 'UNREADABLE', why: reasonText('ANSWER_UNUSABLE') }
  }

  #end(reason: LaneEnd['reason'], why: string | null): LaneEnd {
    return { store: this.store, reason, why }
  }
}
