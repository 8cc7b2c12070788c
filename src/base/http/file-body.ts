import { AppError, invalid } from '../errors'
import { monotonicMs } from '../lib/clock'

/** A sender who is silent for longer has gone. */
const PATIENCE_MS = 60_000

/**
 * The parts of a body that is a file. Throws `tooLarge` as soon as there are more bytes, and 408 when no more come, or when
 * they take longer than `totalMs` from the first read on.
 */
export async function* fileBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => AppError,
  totalMs = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of patient(body, monotonicMs() + totalMs)) {
    bytes += part.length
    if (bytes > maxBytes) throw tooLarge()
    yield part
  }
}

async function* patient(body: AsyncIterable<Uint8Array>, end: number): AsyncGenerator<Uint8Array> {
  const parts = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await inTime(parts.next(), Math.min(PATIENCE_MS, end - monotonicMs()))
      if (done) return
      yield value
    }
  } finally {
    void parts.return?.().catch(() => {})
  }
}

async function inTime<Value>(next: Promise<Value>, ms: number): Promise<Value> {
  if (ms <= 0) throw tooLate()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), ms)
  try {
    return await Promise.race([next, promise])
  } catch (error) {
    throw error instanceof AppError ? error : invalid('The file did not arrive whole; send it again')
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = (): AppError =>
  new AppError('HTTP_ERROR', undefined, { status: 408, message: 'The file did not arrive in time; send it again' })

/** As a stream that takes the next part only when the last one is written. */
export function streamOfParts(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
