/** What may wait unread in the memory of the server, in bytes; one frame more when it is larger. */
const MAX_UNREAD_BYTES = 256 * 1024
const BY_BYTES = new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES })

/** Whose stream it is, and of which project. */
export interface StreamOwner {
  projectId: string
  userId: string
}

/** One open stream of events: a bounded queue, which empties as fast as the client reads. */
export class EventStreamClient {
  readonly body: ReadableStream<Uint8Array>
  /** Everything up to here has been sent; null when nothing was sent yet. */
  cursor: string | null = null
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null
  private readonly left = new AbortController()
  private wake: (() => void) | null = null
  private sentBytes = 0
  private takenAtLook = -1

  constructor(
    readonly owner: StreamOwner,
    /** Whether its caller may still read the events. */
    readonly isAllowed: () => Promise<boolean>,
    onLeave: (client: EventStreamClient) => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        pull: () => this.wake?.(),
        cancel: () => {
          this.controller = null // A stream that its reader has left can be neither closed nor cut.
          onLeave(this)
        },
      },
      BY_BYTES,
    )
  }

  /** Aborted when the stream has ended. */
  get signal(): AbortSignal {
    return this.left.signal
  }

  get isOpen(): boolean {
    return !this.left.signal.aborted
  }

  /** Whether nothing more should be queued before the client has read. */
  get isFull(): boolean {
    return this.unread >= MAX_UNREAD_BYTES
  }

  /** Waits until the queue has room again, or the stream has ended. */
  async room(): Promise<void> {
    if (!this.isOpen || !this.isFull) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.wake = resolve
    await promise
    this.wake = null
  }

  send(frame: Uint8Array): void {
    if (!this.isOpen) return
    this.sentBytes += frame.byteLength
    this.controller?.enqueue(frame)
  }

  /** Whether something is unread, and the client has taken nothing since this was asked last. */
  isStalled(): boolean {
    const taken = this.sentBytes - this.unread
    const isStalled = this.unread > 0 && taken === this.takenAtLook
    this.takenAtLook = taken
    return isStalled
  }

  /** Ends the stream, with an error when something is unread: the client might never read the rest. */
  end(): void {
    if (!this.isOpen) return
    const { unread } = this
    this.left.abort()
    if (unread > 0) this.controller?.error(new Error('The stream was cut'))
    else this.controller?.close()
    this.wake?.()
  }

  /** Ends the stream once the client has read the queue. */
  finish(): void {
    if (!this.isOpen) return
    this.left.abort()
    this.controller?.close()
  }

  private get unread(): number {
    return MAX_UNREAD_BYTES - (this.controller?.desiredSize ?? MAX_UNREAD_BYTES)
  }
}
