interface Turn {
  works: Promise<unknown>[]
  ended: Promise<unknown>
}

/**
 * Work that began in the same turn of the event loop goes on together, when all of it has ended. So writers that first
 * wait for work of other threads still share a transaction.
 */
export class Together {
  #turn: Turn | null = null

  async run<Result>(work: Promise<Result>): Promise<Result> {
    this.#turn ??= this.begin()
    const { works, ended } = this.#turn
    works.push(work.catch(() => {}))
    await ended
    return work
  }

  private begin(): Turn {
    const works: Promise<unknown>[] = []
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    setImmediate(() => {
      this.#turn = null
      void Promise.all(works).then(resolve)
    })
    return { works, ended }
  }
}
