/** Open overviews that are read as a console does. */
export class OverviewStreams {
  frames = 0
  private readonly controller = new AbortController()
  private waiting: { name: string; resolve: (at: number) => void } | null = null

  /** Opens `each` streams with each token. */
  static async open(url: string, tokens: readonly string[], each: number): Promise<OverviewStreams> {
    const streams = new OverviewStreams()
    const all = tokens.flatMap((token) => Array.from({ length: each }, () => token))
    await Promise.all(all.slice(0, tokens.length * each).map((token) => streams.add(url, token)))
    return streams
  }

  /** When a figure is told the next time. */
  nextFigure(name: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    this.waiting = { name, resolve }
    return promise
  }

  async close(): Promise<void> {
    this.controller.abort()
    await Bun.sleep(100)
  }

  private async add(url: string, token: string): Promise<void> {
    const { signal } = this.controller
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
    if (!answer.ok || !answer.body) throw new Error(`a stream was answered ${answer.status}`)
    void this.read(answer.body).catch(() => {}) // It was closed.
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    for await (const part of body) {
      const text = Buffer.from(part).toString()
      this.frames += text.split('\n\n').length - 1
      const { waiting } = this
      if (!waiting || !text.includes(`"name":"${waiting.name}"`)) continue
      this.waiting = null
      waiting.resolve(performance.now())
    }
  }
}
