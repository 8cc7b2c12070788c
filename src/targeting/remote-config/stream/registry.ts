import type { StreamClient } from './client'
import { full, tooManyOfAddress } from './places'

const MAX_OPEN = 20_000
/** One project can take this part of all streams. */
const PROJECT_SHARE = 1 / 2
const MAX_PER_SUBSCRIBER = 20

/** The open streams of a process, and how many there may be (wire 6). */
export class StreamRegistry {
  private readonly byProject = new Map<string, Set<StreamClient>>()
  private readonly byAddress = new Map<string, Set<StreamClient>>()
  /** In the order in which they were opened. */
  private readonly bySubscriber = new Map<string, Set<StreamClient>>()
  private count = 0

  /** `maxPerAddress`: of one client address with a public key; 0 = no limit. */
  constructor(
    private readonly maxOpen = MAX_OPEN,
    private readonly maxPerAddress = 0,
  ) {}

  get size(): number {
    return this.count
  }

  /** 429 when no more streams may be open: of all, of this project, or of this address. */
  assertRoom(projectId: string, address: string | null): void {
    if (this.count >= this.maxOpen) throw full('Too many streams are open; try again later')
    if (this.ofProject(projectId).size >= this.maxOpen * PROJECT_SHARE)
      throw full('Too many streams of this project are open; try again later')
    if (this.isAddressFull(address)) throw tooManyOfAddress()
  }

  isAddressFull(address: string | null): boolean {
    const own = address === null ? 0 : (this.byAddress.get(address)?.size ?? 0)
    return this.maxPerAddress > 0 && own >= this.maxPerAddress
  }

  /** Returns the oldest of the subscriber's streams when it is one too many. */
  add(client: StreamClient): StreamClient | null {
    const { projectId, address } = client.listener
    this.assertRoom(projectId, address)
    this.count++
    join(this.byProject, projectId, client)
    if (address !== null) join(this.byAddress, address, client)
    return this.joinSubscriber(client)
  }

  remove(client: StreamClient): void {
    const { projectId, address } = client.listener
    if (!leave(this.byProject, projectId, client)) return
    this.count--
    if (address !== null) leave(this.byAddress, address, client)
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
