import { AppError } from '../../../base/errors'
import type { StreamClient } from './client'

const MAX_OPEN = 20_000
const MAX_PER_SUBSCRIBER = 20
/** After this time some streams have ended, or the balancer has found another process. */
const RETRY_SECONDS = 5

/** The open streams of a process, and how many there may be (wire 6). */
export class StreamRegistry {
  private readonly byProject = new Map<string, Set<StreamClient>>()
  /** In the order in which they were opened. */
  private readonly bySubscriber = new Map<string, Set<StreamClient>>()
  private count = 0

  constructor(private readonly maxOpen = MAX_OPEN) {}

  get size(): number {
    return this.count
  }

  /** 429 when no more streams may be open here. */
  assertRoom(): void {
    if (this.count < this.maxOpen) return
    const retryAfter = RETRY_SECONDS
    const message = 'Too many streams are open; try again later'
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: retryAfter }, { retryAfter, message })
  }

  /** Returns the oldest of the subscriber's streams when it is one too many. */
  add(client: StreamClient): StreamClient | null {
    this.assertRoom()
    this.count++
    join(this.byProject, client.listener.projectId, client)
    return this.joinSubscriber(client)
  }

  remove(client: StreamClient): void {
    if (!leave(this.byProject, client.listener.projectId, client)) return
    this.count--
    leave(this.bySubscriber, client.subscriberId, client)
  }

  /** Records the subscriber that a stream belongs to now; returns as `add`. */
  move(client: StreamClient, subscriberId: string): StreamClient | null {
    if (client.subscriberId === subscriberId) return null
    leave(this.bySubscriber, client.subscriberId, client)
    client.subscriberId = subscriberId
    return this.joinSubscriber(client)
  }

  ofProject(projectId: string): ReadonlySet<StreamClient> {
    return this.byProject.get(projectId) ?? NONE
  }

  ofSubscriber(subscriberId: string): ReadonlySet<StreamClient> {
    return this.bySubscriber.get(subscriberId) ?? NONE
  }

  projectIds(): string[] {
    return [...this.byProject.keys()]
  }

  all(): StreamClient[] {
    return [...this.byProject.values()].flatMap((clients) => [...clients])
  }

  private joinSubscriber(client: StreamClient): StreamClient | null {
    const own = join(this.bySubscriber, client.subscriberId, client)
    const [oldest = null] = own
    return own.size > MAX_PER_SUBSCRIBER ? oldest : null
  }
}

const NONE: ReadonlySet<StreamClient> = new Set()

type Groups = Map<string, Set<StreamClient>>

function join(groups: Groups, name: string, client: StreamClient): Set<StreamClient> {
  const group = groups.get(name) ?? new Set()
  groups.set(name, group.add(client))
  return group
}

/** Returns whether it was there. */
function leave(groups: Groups, name: string, client: StreamClient): boolean {
  const group = groups.get(name)
  const was = group?.delete(client) ?? false
  if (group?.size === 0) groups.delete(name)
  return was
}
