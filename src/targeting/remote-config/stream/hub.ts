import type { Context } from '../../../base/context'
import { isUnavailable } from '../../../base/db/errors'
import { describeError } from '../../../base/lib/log'
import type { Credential } from '../../../projects/project/key-ring'
import type { ProjectState } from '../../../projects/project/state'
import { toConfiguration } from '../evaluate'
import { bulkEtag } from '../ofrep/bulk'
import { type Listener, StreamClient } from './client'
import { evaluateMany, type View } from './evaluate-many'
import { configFrame, PING, refetchFrame } from './frames'
import { StreamRegistry } from './registry'

/** Changes that come within this are told together (wire 2.3). */
const FOLD_MS = 50
const RETRY_MS = 1000
/** Streams served without a turn of the event loop for other requests. */
const SLICE = 100

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Keeps the streams of this process up to date: one turn at a time for each project, whatever rings meanwhile. */
export class StreamHub {
  private readonly streams = new StreamRegistry()
  /** Projects that may have changed since their turn began. */
  private readonly rung = new Set<string>()
  private readonly turning = new Map<string, Promise<void>>()
  /** Streams whose subscriber has changed. */
  private readonly touched = new Set<StreamClient>()
  private isClosed = false
  private told = 0

  constructor(private readonly ctx: Context) {
    ctx.state.projects.onForget((projectId) => this.ring(projectId))
    ctx.state.changeSignal.listen((subscriberId) => this.touch(subscriberId))
  }

  /** 429 when no more streams may be open here. */
  assertRoom(): void {
    this.streams.assertRoom()
  }

  /**
   * Opens a stream with what it has been evaluated to. When the server stops, that is all it gets. `heldTag` is of the
   * flags that an OpenFeature provider had when it was given the address.
   */
  open(listener: Listener, project: ProjectState, view: View, heldTag?: string): StreamClient {
    const first = {
      subscriberId: view.subscriber.id,
      seen: project.remote.fingerprint,
      frame: configFrame('initial', project.id, toConfiguration(view.evaluation)),
    }
    const client = new StreamClient(listener, first, (left) => this.forget(left))
    if (this.isClosed) {
      client.finish()
      return client
    }
    this.closeOldest(this.streams.add(client))
    this.count()
    if (listener.isOfrep && heldTag && !isTagOf(heldTag, project, listener, view))
      this.sendRefetch(client, project, view)
    // A change may have come since the project was read, while nobody listened for it.
    this.ring(project.id)
    return client
  }

  /** Ends one stream, if it is still open. */
  end(client: StreamClient): void {
    client.end()
    this.forget(client)
  }

  /** Keeps every stream awake. */
  async ping(): Promise<void> {
    await this.inSlices(this.streams.all(), async (slice) => {
      for (const client of slice) this.send(client, PING)
    })
  }

  /** Ends the streams whose key is not valid any more; `ring` does the same after every change of a project. */
  async checkKeys(): Promise<void> {
    for (const projectId of this.streams.projectIds()) await this.endRevoked(projectId)
  }

  /** Resolves when the streams have been told all that has changed so far. For tests. */
  async settle(): Promise<void> {
    while (this.turning.size > 0) await Promise.all(this.turning.values())
  }

  /** Ends all streams; none opens again. */
  close(): void {
    this.isClosed = true
    this.endAll(this.streams.all())
  }

  private touch(subscriberId: string): void {
    for (const client of this.streams.ofSubscriber(subscriberId)) {
      if (!client.listener.isOfrep) continue
      this.touched.add(client)
      this.ring(client.listener.projectId)
    }
  }

  private ring(projectId: string): void {
    if (this.streams.ofProject(projectId).size === 0) return
    this.rung.add(projectId)
    if (!this.turning.has(projectId)) this.turning.set(projectId, this.turn(projectId))
  }

  /** Goes on until nothing has rung since the last turn began, so that every stream ends with the last version. */
  private async turn(projectId: string): Promise<void> {
    while (this.rung.has(projectId) && this.streams.ofProject(projectId).size > 0) {
      await Bun.sleep(FOLD_MS)
      this.rung.delete(projectId)
      await this.bring(projectId).catch(async (error) => {
        this.ctx.log.warn('streams could not be told of a change yet', { projectId, error: describeError(error) })
        this.rung.add(projectId)
        await Bun.sleep(RETRY_MS)
      })
    }
    this.rung.delete(projectId)
    this.turning.delete(projectId)
  }

  private async bring(projectId: string): Promise<void> {
    await this.endRevoked(projectId)
    const project = await this.ctx.state.projects.find(projectId)
    const clients = [...this.streams.ofProject(projectId)]
    if (!project) return this.endAll(clients)
    const { fingerprint } = project.remote
    const behind = clients.filter((client) => client.seen !== fingerprint || this.touched.has(client))
    await this.inSlices(behind, (slice) => this.tell(projectId, slice))
  }

  /** By the newest version there is, which may be newer than when the turn began. */
  private async tell(projectId: string, slice: readonly StreamClient[]): Promise<void> {
    const project = await this.ctx.state.projects.find(projectId)
    if (!project) return
    const open = slice.filter(({ isOpen }) => isOpen)
    const touched = open.filter((client) => this.touched.delete(client))
    const asking = open.map((client) => ({ ...client.listener, client }))
    const onView = ({ client }: { client: StreamClient }, view: View | null) => this.tellOne(client, project, view)
    try {
      await evaluateMany(this.ctx, project, asking, onView)
    } catch (error) {
      for (const client of touched.filter(({ isOpen }) => isOpen)) this.touched.add(client)
      if (isUnavailable(error)) throw error
      await this.tellEach(projectId, open, error)
    }
  }

  /** Somebody's rows are broken: that stream is let go, and the others are told. */
  private async tellEach(projectId: string, clients: readonly StreamClient[], error: unknown): Promise<void> {
    const [client] = clients
    if (clients.length > 1 || !client) {
      for (const one of clients) await this.tell(projectId, [one])
      return
    }
    const { subscriberId } = client
    this.ctx.log.error('a stream could not be evaluated', { projectId, subscriberId, error: describeError(error) })
    this.end(client)
  }

  private tellOne(client: StreamClient, project: ProjectState, view: View | null): void {
    if (!client.isOpen) return
    if (!view) {
      this.end(client) // It is told why when it connects again.
      return
    }
    const { subscriber, evaluation } = view
    const { fingerprint } = project.remote
    this.closeOldest(this.streams.move(client, subscriber.id))
    if (client.seen !== fingerprint)
      this.send(client, configFrame('invalidate', project.id, toConfiguration(evaluation)))
    client.seen = fingerprint
    if (client.listener.isOfrep) this.sendRefetch(client, project, view)
  }

  private sendRefetch(client: StreamClient, project: ProjectState, view: View): void {
    const now = this.ctx.clock.now()
    const etag = tagFor(view.subscriber.id, project, client.listener, view)
    this.send(client, refetchFrame(`${now}-${++this.told}`, etag, now))
  }

  private async endRevoked(projectId: string): Promise<void> {
    const valid = new Map<string, boolean>()
    for (const client of [...this.streams.ofProject(projectId)]) {
      const { credential } = client.listener
      const isValid = valid.get(credential.name) ?? (await this.isValid(credential))
      valid.set(credential.name, isValid)
      if (!isValid) this.end(client)
    }
  }

  private async isValid(credential: Credential): Promise<boolean> {
    return (await this.ctx.state.keys.find(credential)) !== null
  }

  private endAll(clients: readonly StreamClient[]): void {
    for (const client of clients) this.end(client)
  }

  private send(client: StreamClient, frame: Uint8Array): void {
    if (client.send(frame)) return
    this.ctx.metrics.droppedStreams.inc()
    this.end(client)
  }

  private closeOldest(oldest: StreamClient | null): void {
    if (oldest) this.end(oldest)
  }

  private forget(client: StreamClient): void {
    client.isOpen = false
    this.touched.delete(client)
    this.streams.remove(client)
    this.count()
  }

  private count(): void {
    this.ctx.metrics.openStreams.set(this.streams.size)
  }

  private async inSlices(
    clients: readonly StreamClient[],
    work: (slice: StreamClient[]) => Promise<void>,
  ): Promise<void> {
    for (let start = 0; start < clients.length; start += SLICE) {
      await work(clients.slice(start, start + SLICE))
      await nextTurn()
    }
  }
}

/** The entity tag of a provider's flags; null when it was answered before anybody knew the subscriber. */
const tagFor = (subscriberId: string | null, project: ProjectState, { env }: Listener, { evaluation }: View): string =>
  bulkEtag(subscriberId, project.remote.environments[env].flags, evaluation)

const isTagOf = (tag: string, project: ProjectState, listener: Listener, view: View): boolean =>
  tag === tagFor(view.subscriber.id, project, listener, view) || tag === tagFor(null, project, listener, view)
