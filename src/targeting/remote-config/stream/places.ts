import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { MINUTE, SECOND } from '../../../base/lib/clock'

/** How long a place stays taken when its process has died. Places are prolonged well before. */
const LEASE_MS = MINUTE
export const PROLONG_MS = 20 * SECOND

/** One open stream of a client address. */
export interface Place {
  give(): void
}

const NONE: Place = { give() {} }

/**
 * The open streams of each client address over all processes that share a cache (wire 6). Without one, each process
 * counts its own (`StreamRegistry`).
 */
export class StreamPlaces {
  /** Holders by the address that they belong to. */
  private readonly held = new Map<string, string>()

  constructor(private readonly ctx: Context) {}

  /** 429 when the address has no place left; 503 `CACHE_UNAVAILABLE` when the shared cache does not answer. */
  async take(address: string | null): Promise<Place> {
    const { config, ids, state } = this.ctx
    if (!state.sharedCache) return NONE
    const holder = ids.uuid()
    // A stream without a limit takes a place as well, so that every caller gets the same answer while a cache is down.
    const limit = address === null || config.streamsPerIp === 0 ? Number.MAX_SAFE_INTEGER : config.streamsPerIp
    const name = `streams:${address ?? 'unlimited'}`
    if (!(await this.lease(name, holder, limit))) throw tooManyOfAddress()
    this.held.set(holder, name)
    return { give: () => this.give(name, holder) }
  }

  /** Prolongs every place that is taken here. */
  async prolong(): Promise<void> {
    for (const [holder, name] of this.held) await this.lease(name, holder, Number.MAX_SAFE_INTEGER).catch(() => false)
  }

  private async lease(name: string, holder: string, limit: number): Promise<boolean> {
    const now = this.ctx.clock.now()
    return (await this.ctx.state.sharedCache?.takeLease(name, holder, limit, now, now + LEASE_MS)) ?? true
  }

  private give(name: string, holder: string): void {
    if (this.held.delete(holder)) void this.ctx.state.sharedCache?.giveLease(name, holder)
  }
}

/** After this time some streams have ended, or the balancer has found another process. */
const RETRY_SECONDS = 5

export const full = (message: string): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS }, { retryAfter: RETRY_SECONDS, message })

export const tooManyOfAddress = (): AppError => full('Too many streams of this address are open; close one first')
