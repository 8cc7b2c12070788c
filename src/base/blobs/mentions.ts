const GZIP = [0x1f, 0x8b]
const ZIP = [0x50, 0x4b]

/**
 * Whether a file has one of the texts, in UTF-8 or UTF-16. Files that are packed by gzip are unpacked; of a zip archive
 * it is assumed. Reads the file as a stream.
 */
export async function mentions(bytes: ReadableStream<Uint8Array>, texts: readonly string[]): Promise<boolean> {
  const needles = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')])
  const reader = bytes.getReader() as Reader
  const first = await reader.read()
  const start = first.value ?? new Uint8Array()
  const rest = joined(start, reader)
  if (beginsWith(start, ZIP)) return end(rest, true)
  const gunzip = new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>
  return has(beginsWith(start, GZIP) ? rest.pipeThrough(gunzip) : rest, needles)
}

const beginsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, at) => bytes[at] === byte)

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

function joined(start: Uint8Array, reader: Reader): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(start),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

async function end(stream: ReadableStream<Uint8Array>, result: boolean): Promise<boolean> {
  await stream.cancel()
  return result
}

async function has(stream: ReadableStream<Uint8Array>, needles: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(0, ...needles.map(({ length }) => length - 1))
  let held = Buffer.alloc(0)
  for await (const chunk of stream) {
    const text = Buffer.concat([held, chunk])
    if (needles.some((needle) => text.includes(needle))) return true
    held = Buffer.from(text.subarray(Math.max(0, text.length - overlap)))
  }
  return false
}
