import type { Context } from '../../../base/context'
import { isUnavailable } from '../../../base/db/errors'
import { describeError } from '../../../base/lib/log'
import type { Credential } from '../../../projects/project/key-ring'
import type { ProjectState } from '../../../projects/project/state'
import { toConfiguration } from '../evaluate'
import { bulkEtag } from '../ofrep/bulk'
import type { Configuration } from '../service'
import { type Listener, StreamClient } from './client'
import { evaluateMany, type View } from './evaluate-many'
import { StreamRegistry } from './registry'

/** Changes that come within this time are sent together (wire 2.3). */
const COLLECT_MS = 50
const RETRY_MS = 1000
const LEAVING_MS = 500
const LOOK_MS = 10
/** How many streams are served before other requests may run. */
const SLICE = 100

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Keeps the streams of this process up to date. Each project has at most one update at a time; what changes meanwhile is
 * part of the next one.
 */
export class StreamHub {
  private readonly streams: StreamRegistry
  /** Projects that may have changed since their update started. */
  private readonly pending = new Set<string>()
  private readonly updating = new Map<string, Promise<void>>()
  /** Streams whose subscriber has changed. */
  private readonly changed = new Set<StreamClient>()
  private isClosed = false
  private refetchCount = 0

  constructor(private readonly ctx: Context) {
    this.streams = new StreamRegistry(undefined, ctx.config.streamsPerIp)
    ctx.state.projects.onForget((projectId) => this.notify(projectId))
    ctx.state.changeSignal.listen((subscriberId) => this.notifyOfSubscriber(subscriberId))
  }

  /**
   * 429 when no more streams may be open here. `address` is null for a caller without a limit by address. Clients that
   * reconnect may come before the ends of their old connections are noticed, so it waits a moment for these.
   */
  async assertRoom(projectId: string, address: string | null): Promise<void> {
    for (let waitedMs = 0; waitedMs < LEAVING_MS && this.streams.isAddressFull(address); waitedMs += LOOK_MS)
      await Bun.sleep(LOOK_MS)
    this.streams.assertRoom(projectId, address)
  }

  /**
   * Opens a stream, with an evaluation as its first frame. While the server stops, the stream ends after that frame.
   * `heldTag` is the tag of the flags that an OpenFeature provider had when it got the address.
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
    // The project may have changed after it was read and before this stream was registered.
    this.notify(project.id)
    return client
  }

  /** Ends one stream, if it is still open. */
  end(client: StreamClient): void {
    client.end()
    this.forget(client)
  }

  /** Sends something on every stream, so that no proxy closes it for being idle. */
  async ping(): Promise<void> {
    await this.inSlices(this.streams.all(), async (slice) => {
      for (const client of slice) this.send(client, PING)
    })
  }

  /** Ends the streams whose key is not valid any more; `notify` does the same after every change of a project. */
  async checkKeys(): Promise<void> {
    for (const projectId of this.streams.projectIds()) await this.endRevoked(projectId)
  }

  /** Resolves when the streams have got everything that has changed so far. For tests. */
  async settle(): Promise<void> {
    while (this.updating.size > 0) await Promise.all(this.updating.values())
  }

  /** Ends all streams; none opens again. */
  drain(): void {
    this.isClosed = true
    this.endAll(this.streams.all())
  }

  private notifyOfSubscriber(subscriberId: string): void {
    for (const client of this.streams.ofSubscriber(subscriberId)) {
      if (!client.listener.isOfrep) continue
      this.changed.add(client)
      this.notify(client.listener.projectId)
    }
  }

  private notify(projectId: string): void {
    if (this.streams.ofProject(projectId).size === 0) return
    this.pending.add(projectId)
    if (!this.updating.has(projectId)) this.updating.set(projectId, this.updateUntilCurrent(projectId))
  }

  /** Repeats until nothing has changed since the last update started, so that every stream ends with the last version. */
  private async updateUntilCurrent(projectId: string): Promise<void> {
    while (this.pending.has(projectId) && this.streams.ofProject(projectId).size > 0) {
      await Bun.sleep(COLLECT_MS)
      this.pending.delete(projectId)
      await this.update(projectId).catch(async (error) => {
        this.ctx.log.warn('streams could not be updated after a change yet', { projectId, error: describeError(error) })
        this.pending.add(projectId)
        await Bun.sleep(RETRY_MS)
      })
    }
    this.pending.delete(projectId)
    this.updating.delete(projectId)
  }

  private async update(projectId: string): Promise<void> {
    await this.endRevoked(projectId)
    const project = await this.ctx.state.projects.find(projectId)
    const clients = [...this.streams.ofProject(projectId)]
    if (!project) return this.endAll(clients)
    const { fingerprint } = project.remote
    const behind = clients.filter((client) => client.seen !== fingerprint || this.changed.has(client))
    await this.inSlices(behind, (slice) => this.sendChanges(projectId, slice))
  }

  /** Uses the newest version there is, which may be newer than at the start of the update. */
  private async sendChanges(projectId: string, slice: readonly StreamClient[]): Promise<void> {
    const project = await this.ctx.state.projects.find(projectId)
    if (!project) return
    const open = slice.filter(({ isOpen }) => isOpen)
    const changed = open.filter((client) => this.changed.delete(client))
    const asking = open.map((client) => ({ ...client.listener, client }))
    const onView = ({ client }: { client: StreamClient }, view: View | null) => this.sendView(client, project, view)
    try {
      await evaluateMany(this.ctx, project, asking, onView)
    } catch (error) {
      for (const client of changed.filter(({ isOpen }) => isOpen)) this.changed.add(client)
      if (isUnavailable(error)) throw error
      await this.sendOneByOne(projectId, open, error)
    }
  }

  /** The rows of one subscriber are broken: that stream is ended, and the others get their change. */
  private async sendOneByOne(projectId: string, clients: readonly StreamClient[], error: unknown): Promise<void> {
    const [client] = clients
    if (clients.length > 1 || !client) {
      for (const one of clients) await this.sendChanges(projectId, [one])
      return
    }
    const { subscriberId } = client
    this.ctx.log.error('a stream could not be evaluated', { projectId, subscriberId, error: describeError(error) })
    this.end(client)
  }

  private sendView(client: StreamClient, project: ProjectState, view: View | null): void {
    if (!client.isOpen) return
    if (!view) {
      this.end(client) // The client gets the reason when it connects again.
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
    this.send(client, refetchFrame(`${now}-${++this.refetchCount}`, etag, now))
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
    this.changed.delete(client)
    this.streams.remove(client)
    client.listener.place?.give()
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
      await yieldToEventLoop()
    }
  }
}

/**
 * The entity tag of the flags of a provider. It is made with null when the answer was given before the subscriber had a
 * row.
 */
const tagFor = (subscriberId: string | null, project: ProjectState, { env }: Listener, { evaluation }: View): string =>
  bulkEtag(subscriberId, project.remote.environments[env].flags, evaluation)

const isTagOf = (tag: string, project: ProjectState, listener: Listener, view: View): boolean =>
  tag === tagFor(view.subscriber.id, project, listener, view) || tag === tagFor(null, project, listener, view)

// Server-sent events as wire 2.3 defines them.

const frame = (lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n\n`)

/** Sent regularly, so that no proxy closes an idle connection; one frame for all streams. */
const PING = frame(['event: ping', 'data:'])

/**
 * The configuration of a subscriber: the first frame of a stream, and one after every change of the targeting of the
 * project.
 */
const configFrame = (event: 'initial' | 'invalidate', projectId: string, configuration: Configuration) =>
  frame([`event: ${event}`, `data: ${JSON.stringify({ ...configuration, projectId })}`])

/** Makes an OpenFeature provider fetch its flags again (wire 2.23). `at` in milliseconds. */
const refetchFrame = (id: string, etag: string, at: number) => {
  const data = { type: 'refetchEvaluation', etag, lastModified: Math.floor(at / 1000) }
  return frame([`id: ${id}`, `data: ${JSON.stringify(data)}`])
}
