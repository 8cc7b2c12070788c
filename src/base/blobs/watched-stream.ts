import { BlobsUnavailable } from './blobs'

/** A stream that is read by a place which may stop reading. */
interface Watched {
  stream: ReadableStream<Uint8Array>
  /** Rejects when the place has waited for too long before it asks for more. Never resolves. */
  stalled: Promise<never>
  /** The error of the source itself; null while it has none. */
  failure: { error: unknown } | null
  /** Stops the source, when the place has failed. */
  cancel(reason: unknown): void
  end(): void
}

/** Passes the bytes of a source on, and watches how long their reader takes for each. The source may take any time. */
export function watched(
  source: ReadableStream<Uint8Array>,
  patienceMs: number,
  onChunk: (chunk: Uint8Array) => void,
): Watched {
  const reader = source.getReader()
  const { promise: stalled, reject } = Promise.withResolvers<never>()
  stalled.catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const rest = (): void => clearTimeout(timer)
  const waitForReader = (): void => {
    rest()
    timer = setTimeout(() => {
      const error = new BlobsUnavailable('the bucket did not take the bytes in time')
      reject(error)
      controller?.error(error)
    }, patienceMs)
  }
  const one: Watched = { stream: new ReadableStream(), stalled, failure: null, cancel, end: rest }
  one.stream = new ReadableStream({
    start: (given) => {
      controller = given
    },
    async pull(given) {
      rest()
      try {
        const { done, value } = await reader.read()
        waitForReader()
        if (done) return given.close()
        onChunk(value)
        given.enqueue(value)
      } catch (error) {
        one.failure = { error }
        throw error
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return one

  function cancel(reason: unknown): void {
    if (one.failure === null) void reader.cancel(reason).catch(() => {}) // The place's own error is thrown.
  }
}
