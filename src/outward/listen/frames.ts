/** One frame of a stream of server-sent events. */
export interface Frame {
  event: string
  id: string | null
  data: string
}

const MAX_FRAME = 4 * 1024 * 1024

/** Reads the frames of a stream as they come. Nothing is read ahead of the caller, so a slow caller slows the server. */
export class Frames {
  private readonly decoder = new TextDecoder()
  private readonly chunks: AsyncIterator<Uint8Array>
  private reading: Promise<IteratorResult<Uint8Array>> | null = null
  private text = ''

  constructor(body: AsyncIterable<Uint8Array>) {
    this.chunks = body[Symbol.asyncIterator]()
  }

  /** The frames that have come by now, or the first ones within `ms`; empty when none come. Null at the end. */
  async next(ms: number): Promise<Frame[] | null> {
    this.reading ??= this.chunks.next()
    const { promise: timeUp, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), ms)
    const chunk = await Promise.race([this.reading, timeUp]).finally(() => clearTimeout(timer))
    if (chunk === null) return []
    this.reading = null
    if (chunk.done) return null
    this.text += this.decoder.decode(chunk.value, { stream: true })
    return this.takeFrames()
  }

  private takeFrames(): Frame[] {
    const parts = this.text.split('\n\n')
    this.text = parts.pop() ?? ''
    if (this.text.length > MAX_FRAME) throw new Error('a frame of the stream has no end')
    return parts.map(parseFrame)
  }
}

function parseFrame(text: string): Frame {
  const frame: Frame = { event: 'message', id: null, data: '' }
  const data: string[] = []
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(event|id|data): ?(.*)$/.exec(line) ?? []
    if (name === 'event') frame.event = value
    if (name === 'id') frame.id = value
    if (name === 'data') data.push(value)
  }
  return { ...frame, data: data.join('\n') }
}
