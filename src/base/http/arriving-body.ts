import { AppError, invalid } from '../errors'
import { MAX_BODY_BYTES, tooLarge } from './body'
import { ByteBuffer } from './byte-buffer'

/** A body of at most this size is small: it is read in one step, and counted as declared. */
const SMALL_BYTES = 16 * 1024

const NOTHING = new Uint8Array()

/** The memory for the bodies of all requests together. */
export interface BodyRoom {
  /** How long a body may take to arrive. */
  readonly patienceMs: number
  /** Counts `bytes` more. Throws 503 when there is no room for them. */
  take(bytes: number, isSmall: boolean): void
  give(bytes: number): void
}

/** The part of the reader of a stream that is used here. */
interface PartReader {
  read(): Promise<{ done: false; value: Uint8Array } | { done: true }>
}

/**
 * A request body from the arrival of its head until it is read or given up. The server keeps what arrives of a body
 * with a declared length, whether or not anybody reads it; so the whole length is counted until the body is read. Of a
 * body in chunks, the server takes no more than a part until it is read.
 */
export class ArrivingBody {
  readonly declaredBytes: number | null
  readonly #hasBody: boolean
  readonly #isSmall: boolean
  #counted = 0
  #hasEnded = false

  constructor(
    private readonly request: Request,
    private readonly room: BodyRoom,
    private readonly maxBytes = MAX_BODY_BYTES,
  ) {
    this.#hasBody = request.method !== 'GET' && request.method !== 'HEAD' // The server drops bodies of these two.
    const declared = request.headers.get('content-length')
    this.declaredBytes = declared === null ? null : Number(declared)
    this.#isSmall = this.declaredBytes !== null && this.declaredBytes <= SMALL_BYTES
    if (this.#hasBody) this.count(this.declaredBytes ?? 0)
  }

  /**
   * Reads the body to its end. Throws 413 above the limit, 408 when it does not arrive in time, and 503 when all bodies
   * together need too much memory.
   */
  async read(): Promise<Uint8Array> {
    if (!this.#hasBody) return NOTHING
    if (this.#isSmall) return this.inTime(this.request.bytes().then(ceilinged), () => {})
    const reader = this.request.body?.getReader()
    return reader ? this.inTime(this.collect(reader), () => void reader.cancel().catch(() => {})) : NOTHING
  }

  /** Counts the body no more, and reads no more of it. Called once it is read, and when its request is refused. */
  end(): void {
    this.#hasEnded = true
    this.count(0)
  }

  private count(bytes: number): void {
    const more = bytes - this.#counted
    if (more > 0) this.room.take(more, this.#isSmall)
    else this.room.give(-more)
    this.#counted = bytes
  }

  /** From here on, what has arrived is counted, so that a sender of nothing holds no room. */
  private async collect(reader: PartReader): Promise<Uint8Array> {
    this.count(0)
    const buffer = new ByteBuffer(this.declaredBytes ?? this.maxBytes)
    try {
      for (;;) {
        const part = await reader.read()
        if (part.done && !this.#hasEnded) return buffer.bytes()
        if (part.done || this.#hasEnded) throw tooLate()
        if (buffer.length + part.value.length > this.maxBytes) throw tooLarge(this.maxBytes)
        this.count(buffer.capacityFor(part.value.length))
        buffer.add(part.value)
      }
    } catch (error) {
      buffer.free()
      throw error
    }
  }

  private async inTime(reading: Promise<Uint8Array>, cancel: () => void): Promise<Uint8Array> {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(tooLate()), this.room.patienceMs)
    try {
      return await Promise.race([reading, promise])
    } catch (error) {
      cancel()
      throw error instanceof AppError ? error : invalid('The body could not be read')
    } finally {
      clearTimeout(timer)
    }
  }
}

function ceilinged(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge()
  return bytes
}

const tooLate = (): AppError =>
  new AppError('HTTP_ERROR', undefined, { status: 408, message: 'The body did not arrive in time; send it again' })
