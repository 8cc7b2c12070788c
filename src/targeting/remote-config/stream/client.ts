import type { FlagEnvironment } from '../../../core/flag/names'
import type { Credential } from '../../../projects/project/key-ring'
import type { Place } from './places'

/** For whom a stream is and what it reports; fixed when it connects. */
export interface Listener {
  projectId: string
  credential: Credential
  /**
   * The device key of the call. Its subscriber is looked up for every frame: rows are merged, and merges are undone.
   */
  deviceKey: string
  /**
   * The reference by which a server names the subscriber, used in place of the device key; null where a device listens.
   */
  reference: string | null
  env: FlagEnvironment
  /** Whether it also gets the event to fetch again, which is all that an OpenFeature provider understands. */
  isOfrep: boolean
  /** The address of the caller, where its streams are limited by address; else null. */
  address: string | null
  /** Its place among the streams of that address over all processes; absent without a shared cache. */
  place?: Place
}

const MAX_UNREAD_BYTES = 256 * 1024
const BY_BYTES = new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES })

/** One open stream: a bounded queue, which empties as fast as the client reads. */
export class StreamClient {
  readonly body: ReadableStream<Uint8Array>
  /** The subscriber of its last frame. */
  subscriberId: string
  /** The fingerprint of the targeting in its last frame. */
  seen: string
  isOpen = true
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(
    readonly listener: Listener,
    first: { subscriberId: string; seen: string; frame: Uint8Array },
    onLeave: (client: StreamClient) => void,
  ) {
    this.subscriberId = first.subscriberId
    this.seen = first.seen
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
          controller.enqueue(first.frame)
        },
        cancel: () => onLeave(this),
      },
      BY_BYTES,
    )
  }

  /** Queues a frame; false when the client reads too slowly for it. An empty queue takes a frame of any size. */
  send(frame: Uint8Array): boolean {
    if (!this.isOpen) return true
    const unread = this.unread
    if (unread > 0 && unread + frame.byteLength > MAX_UNREAD_BYTES) return false
    this.controller?.enqueue(frame)
    return true
  }

  /**
   * Ends the stream. When something is unread the connection is closed with an error: the client might never read the
   * rest.
   */
  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    if (this.unread > 0) this.controller?.error(new Error('The stream was cut'))
    else this.controller?.close()
  }

  /** Ends the stream once the client has read the queue. */
  finish(): void {
    this.isOpen = false
    this.controller?.close()
  }

  private get unread(): number {
    return MAX_UNREAD_BYTES - (this.controller?.desiredSize ?? MAX_UNREAD_BYTES)
  }
}
