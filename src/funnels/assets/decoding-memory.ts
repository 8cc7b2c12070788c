interface Waiting {
  bytes: number
  begin: () => void
}

/**
 * The memory in which pictures are decoded. A picture takes part of it by the pixels that its header names; the next
 * ones wait in their order until there is enough.
 */
export class DecodingMemory {
  private free: number
  private readonly waiting: Waiting[] = []

  constructor(private readonly bytes: number) {
    this.free = bytes
  }

  /** Runs `work` once this much memory is free. What needs more than all of it runs alone. */
  async run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    const taken = Math.min(bytes, this.bytes)
    await this.take(taken)
    try {
      return await work()
    } finally {
      this.free += taken
      this.beginNext()
    }
  }

  private take(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.waiting.push({ bytes, begin: resolve })
    this.beginNext()
    return promise
  }

  /** The first one never waits longer because smaller ones come later. */
  private beginNext(): void {
    for (let next = this.waiting[0]; next && next.bytes <= this.free; next = this.waiting[0]) {
      this.waiting.shift()
      this.free -= next.bytes
      next.begin()
    }
  }
}
