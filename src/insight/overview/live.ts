import type { Context } from '../../base/context'
import type { EventStreamClient, StreamOwner } from '../../outward/event-log/client'
import { Watch } from './watch'

/** The live overviews of this process, by project. */
export class LiveOverviews {
  private readonly watches = new Map<string, Watch>()
  private readonly unlisten: () => void

  constructor(private readonly ctx: Context) {
    this.unlisten = ctx.state.feedSignal.listen((projectId) => this.watches.get(projectId)?.poke())
    ctx.state.keys.onFirstUse((projectId, at) => {
      ctx.state.firstCalls.note(projectId, at)
      this.watches.get(projectId)?.poke(true)
    })
  }

  get size(): number {
    return this.watches.size
  }

  /** @param after the position of the last event that the client has seen; null = it comes for the first time */
  open(owner: StreamOwner, after: number | null, isAllowed: () => Promise<boolean>): EventStreamClient {
    const { eventStreams } = this.ctx.state
    const client = eventStreams.admit(owner, isAllowed)
    if (eventStreams.hasEnded) eventStreams.end(client)
    else void this.join(client, after)
    return client
  }

  /** Notices what other processes did, and what time changes. */
  tick(): void {
    for (const [projectId, watch] of this.watches) {
      if (watch.isNeeded) watch.poke()
      else this.forget(projectId, watch)
    }
  }

  drain(): void {
    for (const [projectId, watch] of this.watches) this.forget(projectId, watch)
  }

  close(): void {
    this.unlisten()
    this.drain()
  }

  private async join(client: EventStreamClient, after: number | null): Promise<void> {
    const { projectId } = client.owner
    const watch = this.watches.get(projectId) ?? new Watch(this.ctx, projectId)
    this.watches.set(projectId, watch)
    // A stream that could not start is ended, and its client comes back.
    await watch.join(client, after).catch(() => this.ctx.state.eventStreams.end(client))
  }

  private forget(projectId: string, watch: Watch): void {
    watch.close()
    this.watches.delete(projectId)
  }
}
